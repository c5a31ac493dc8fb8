/** JSON bodies that are made to keep a parser or a validator busy, as long as `bytes` allows. `keys`: of the real body. */
export type Shape = (bytes: number, keys: string[]) => string

const repeat = (unit: string, bytes: number) => unit.repeat(Math.max(0, Math.floor(bytes / Buffer.byteLength(unit))))

/** The same for each field of the body, all together as long as allowed. */
const inEachField =
  (make: (bytes: number) => string): Shape =>
  (bytes, keys) => {
    const fields = keys.length ? keys : ['name']
    const each = Math.floor(bytes / fields.length) - 100
    return `{${fields.map((key) => `${JSON.stringify(key)}:${make(Math.max(each, 10))}`).join()}}`
  }

export const bodyShapes: Record<string, Shape> = {
  'deep lists': (bytes) => `${'['.repeat(Math.floor(bytes / 2))}${']'.repeat(Math.floor(bytes / 2))}`,
  'deep objects': (bytes) => `${repeat('{"a":', (bytes * 5) / 6 - 10)}1${repeat('}', bytes / 6 - 10)}`,
  'a list of empty objects': (bytes) => `[${repeat('{},', bytes - 10)}{}]`,
  'many keys': (bytes) =>
    `{${Array.from({ length: Math.floor(bytes / 14) }, (_, n) => `"k${String(n).padStart(7, '0')}":1`).join()}}`,
  'long texts': inEachField((bytes) => `"${repeat('x', bytes)}"`),
  'long lists': inEachField((bytes) => `[${repeat('1,', bytes - 10)}1]`),
  'lists of lists': inEachField((bytes) => `[${repeat('[[1]],', bytes - 10)}1]`),
  'lists of objects': inEachField((bytes) => `[${repeat('{},', bytes - 10)}{}]`),
  'deep fields': inEachField((bytes) => `${'['.repeat(Math.floor(bytes / 2))}${']'.repeat(Math.floor(bytes / 2))}`),
  marks: inEachField((bytes) => `"${repeat('a\u0301👩‍👩‍👧‍👦', bytes)}"`),
  escapes: inEachField((bytes) => `"${repeat('\\u0000\\"\\\\', bytes)}"`),
  digits: inEachField((bytes) => repeat('9', bytes) || '9'),
}
/** Where no body is expected, or it is the same whoever reads it. */
export const fewShapes = ['deep lists', 'a list of empty objects', 'many keys']

/** Answers of other systems: as above, and as they stream. */
export const answerShapes: Record<string, (bytes: number, keys: string[]) => string> = {
  ...bodyShapes,
  'a page without end': (bytes) => `<html>${repeat('. . .', bytes)}`,
  spaces: (bytes) => repeat(' ', bytes),
}
