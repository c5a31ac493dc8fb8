/** `npm run client` generates the client from the contract. A test fails when they differ. */
import { writeFileSync } from 'node:fs'
import { endpointsBySection } from '../contract/src/api.ts'
import type { Endpoint } from '../contract/src/endpoint.ts'
import { toJsonSchema } from '../server/src/kernel/http/api-docs.ts'
import type { JsonSchema } from '../server/src/kernel/http/schema-examples.ts'

const note = '// Made from the contract by `npm run client`.\n'
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const plainName = /^[A-Za-z_$][\w$]*$/

/** The endpoints that API keys can call, by section. */
const open = Object.entries(endpointsBySection)
  .map(([name, section]) => ({ name, calls: Object.entries(section).filter(([, e]) => e.key) }))
  .filter(({ calls }) => calls.length > 0)

function typeOf(shape: JsonSchema): string {
  const type = bareType(shape)
  return shape.nullable ? `${type} | null` : type
}
function bareType(shape: JsonSchema): string {
  const choices = (shape.anyOf ?? shape.oneOf) as JsonSchema[] | undefined
  if (shape.enum) return (shape.enum as unknown[]).map((one) => JSON.stringify(one)).join(' | ')
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ')
  if (shape.allOf) return (shape.allOf as JsonSchema[]).map((part) => `(${typeOf(part)})`).join(' & ')
  if (shape.type === 'array') return `(${typeOf((shape.items ?? {}) as JsonSchema)})[]`
  if (shape.type === 'object') return objectType(shape)
  if (shape.type === 'integer') return 'number'
  return shape.type ?? 'unknown'
}
function objectType({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (!properties)
    return `Record<string, ${additionalProperties ? typeOf(additionalProperties as JsonSchema) : 'unknown'}>`
  return `{ ${fieldsOf({ properties, required }).join('; ')} }`
}
function fieldsOf({ properties = {}, required = [] }: JsonSchema): string[] {
  return Object.entries(properties).map(
    ([name, of]) =>
      `${plainName.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(of)}`,
  )
}

const parts = (e: Endpoint): JsonSchema[] =>
  [e.params, e.query, e.body].flatMap((shape) => (shape ? [toJsonSchema(shape, 'input')] : []))

/** Path, query and body are merged into one object: no name occurs in two of them except an id, where the path's is used. */
function inputOf(e: Endpoint): { type: string; needed: boolean } {
  const properties: Record<string, JsonSchema> = {}
  const required = new Set<string>()
  for (const part of parts(e).reverse()) {
    Object.assign(properties, part.properties)
    for (const name of part.required ?? []) required.add(name)
  }
  const fields = fieldsOf({ properties, required: [...required] })
  return { type: fields.length ? `{ ${fields.join('; ')} }` : 'Record<string, never>', needed: required.size > 0 }
}

const queryNames = (e: Endpoint): string[] => Object.keys((e.query && toJsonSchema(e.query, 'input').properties) ?? {})

function declarations(): string {
  const types: string[] = []
  const groups = open.map(({ name, calls }) => {
    const methods = calls.map(([call, e]) => {
      const base = capital(name) + capital(call)
      const input = inputOf(e)
      types.push(`export type ${base}Input = ${input.type}`)
      types.push(`export type ${base}Reply = ${e.file ? 'string' : typeOf(toJsonSchema(e.reply, 'output'))}`)
      return `    /** ${e.about}. \`${e.method} ${e.path}\`, scope \`${e.key}\`. */
    ${call}(input${input.needed ? '' : '?'}: ${base}Input, options?: CallOptions): Promise<${base}Reply>`
    })
    return `  ${name}: {\n${methods.join('\n')}\n  }`
  })
  return `${note}import type { CallOptions, Options } from './core.js'

export { type CallOptions, type Options, RecadoError, verifyWebhook } from './core.js'

${types.join('\n')}

export type Recado = {
${groups.join('\n')}
}
/** Every call that a key opens. */
export declare function connect(options: Options): Recado
`
}

function runtime(): string {
  const groups = open.map(({ name, calls }) => {
    const rows = calls.map(
      ([call, e]) => `    ${call}: ${JSON.stringify([e.method, e.path, queryNames(e), e.upload ?? ''])},`,
    )
    return `  ${name}: {\n${rows.join('\n')}\n  },`
  })
  return `${note}import { makeCall } from './core.js'

export { RecadoError, verifyWebhook } from './core.js'

const endpoints = {
${groups.join('\n')}
}

export function connect(options) {
  const call = makeCall(options)
  const bound = ([name, endpoint]) => [name, (input, how) => call(endpoint, input, how)]
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, group]) => [name, Object.fromEntries(Object.entries(group).map(bound))]),
  )
}
`
}

export const client = (): Record<string, string> => ({ 'recado.js': runtime(), 'recado.d.ts': declarations() })

if (import.meta.main)
  for (const [name, text] of Object.entries(client())) writeFileSync(new URL(name, import.meta.url), text)
