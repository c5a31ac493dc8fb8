/** JSON bodies that keep a parser or a validator busy, as long as `bytes` allows. `keys`: the keys of the real body. */
export type MakeHostileBody = (bytes: number, keys: string[]) => string

const repeatToBytes = (unit: string, bytes: number) =>
  unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))))

/** Puts the same shape into each field of the body, together as long as allowed. */
const inEachField =
  (make: (bytes: number) => string): MakeHostileBody =>
  (bytes, keys) => {
    const fields = keys.length ? keys : ['name']
    const each = Math.floor(bytes / fields.length) - 100
    return `{${fields.map((key) => `${JSON.stringify(key)}:${make(Math.max(each, 10))}`).join()}}`
  }

export const bodyShapes: Record<string, MakeHostileBody> = {
  'deep lists': (bytes) => `${'['.repeat(Math.floor(bytes / 2))}${']'.repeat(Math.floor(bytes / 2))}`,
  'deep objects': (bytes) => `${repeatToBytes('{"a":', (bytes * 5) / 6 - 10)}1${repeatToBytes('}', bytes / 6 - 10)}`,
  'a list of empty objects': (bytes) => `[${repeatToBytes('{},', bytes - 10)}{}]`,
  'many keys': (bytes) =>
    `{${Array.from({ length: Math.floor(bytes / 14) }, (_, n) => `"k${String(n).padStart(7, '0')}":1`).join()}}`,
  'long texts': inEachField((bytes) => `"${repeatToBytes('x', bytes)}"`),
  'long lists': inEachField((bytes) => `[${repeatToBytes('1,', bytes - 10)}1]`),
  'lists of lists': inEachField((bytes) => `[${repeatToBytes('[[1]],', bytes - 10)}1]`),
  'lists of objects': inEachField((bytes) => `[${repeatToBytes('{},', bytes - 10)}{}]`),
  'deep fields': inEachField((bytes) => `${'['.repeat(Math.floor(bytes / 2))}${']'.repeat(Math.floor(bytes / 2))}`),
  marks: inEachField((bytes) => `"${repeatToBytes('a\u0301👩‍👩‍👧‍👦', bytes)}"`),
  escapes: inEachField((bytes) => `"${repeatToBytes('\\u0000\\"\\\\', bytes)}"`),
  digits: inEachField((bytes) => repeatToBytes('9', bytes) || '9'),
}
/** For endpoints without a body, or whose body is parsed like that of another endpoint. */
export const minimalShapeNames = ['deep lists', 'a list of empty objects', 'many keys']

/** Answers of external systems: the shapes above, and streams. */
export const answerShapes: Record<string, (bytes: number, keys: string[]) => string> = {
  ...bodyShapes,
  'a page without end': (bytes) => `<html>${repeatToBytes('. . .', bytes)}`,
  spaces: (bytes) => repeatToBytes(' ', bytes),
}
