export type JsonSchema = {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  [key: string]: unknown
}

/** A typical value of a field, by its name. */
const exampleByFieldName: Record<string, string> = {
  ...{ number: '5490005550452', name: 'Lucía Campos', email: 'lucia@mail.example', color: '#2f9e44', body: 'Hola' },
  ...{ url: 'https://shop.example/recado', language: 'es', timezone: 'America/Sao_Paulo', error: '' },
}
const exampleByFormat: Record<string, string> = {
  'date-time': '2026-11-16T12:00:00.000Z',
  date: '2026-11-16',
  email: 'lucia@mail.example',
  uri: 'https://shop.example/recado',
  uuid: '2f1d0c1e-6a55-4c39-9d7e-0b6f3a1c9d11',
}

/** Every pattern of the contract matches one of these. */
const patternExamples = ['1', 'USD', '08:00', '#2f9e44', '2026-11-16', '2026-11-16T12:00', 'reserva-1042', '👍']

/** An example value for the API page: derived from the shape, so that it cannot become outdated. */
export function makeExample(shape: JsonSchema, name = ''): unknown {
  if ('default' in shape) return shape.default
  const choices = (shape.enum ?? shape.anyOf ?? shape.oneOf) as unknown[] | undefined
  if (choices?.length) return shape.enum ? choices[0] : makeExample(choices[0] as JsonSchema, name)
  if (shape.allOf) return Object.assign({}, ...(shape.allOf as JsonSchema[]).map((part) => makeExample(part, name)))
  if (shape.type === 'object') return makeObjectExample(shape)
  if (shape.type === 'array') return makeListExample(shape, name)
  if (shape.type === 'string') return makeTextExample(shape, name)
  if (shape.type === 'boolean') return true
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(1, Number(shape.minimum ?? 1))
  return {}
}

function makeObjectExample({ properties = {} }: JsonSchema): object {
  return Object.fromEntries(Object.entries(properties).map(([key, of]) => [key, makeExample(of, key)]))
}

function makeListExample({ items, minItems }: JsonSchema, name: string): unknown[] {
  const one = makeExample((items ?? {}) as JsonSchema, name.replace(/s$/, ''))
  return Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => one)
}

function makeTextExample({ format, pattern, minLength }: JsonSchema, name: string): string {
  if (typeof format === 'string' && exampleByFormat[format]) return exampleByFormat[format]
  const word = exampleByFieldName[name] ?? (/id$/i.test(name) ? '1' : name || 'text')
  const long = word.padEnd(Number(minLength ?? 0), 'x')
  if (typeof pattern !== 'string') return long
  const allowed = new RegExp(pattern, 'u')
  return [long, ...patternExamples].find((one) => allowed.test(one)) ?? ''
}
