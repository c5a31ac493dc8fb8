/**
 * Stands where the contract expects zod, in the browser alone (see contract-for-browsers.ts). Calls need an endpoint's path and
 * method; only forms need its shapes. So a shape is written down here, step by step, and made when a form asks for it:
 * no screen loads zod before, nor spends time on making hundreds of shapes.
 */
type Note = { of: Note | null; name?: PropertyKey; given?: unknown[] }
type Real = Record<PropertyKey, (...given: unknown[]) => unknown>

const notes = new WeakMap<object, Note>()
const made = new WeakMap<Note, unknown>()

function write(note: Note): object {
  const shape = new Proxy(() => undefined, {
    get: (_, name) => write({ of: note, name }),
    apply: (_, __, given) => write({ of: note, given }),
  })
  notes.set(shape, note)
  return shape
}
export const z = write({ of: null })

/** The shape that was written down, made with the real zod. One that is already made is returned as it is. */
export function makeShape<S>(shape: S, zod: object): S {
  return read(shape, zod) as S
}

function read(value: unknown, zod: object): unknown {
  if (Array.isArray(value)) return value.map((one) => read(one, zod))
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value
  const note = notes.get(value)
  if (note) return make(note, zod)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, read(one, zod)]))
}

function make(note: Note, zod: object): unknown {
  if (!note.of) return zod
  if (!made.has(note)) made.set(note, step(note, note.of, zod))
  return made.get(note)
}

function step({ name, given }: Note, of: Note, zod: object): unknown {
  if (name !== undefined) return (make(of, zod) as Real)[name]
  const args = (given ?? []).map((one) => read(one, zod))
  // A method is called on what it was read from.
  if (!of.of || of.name === undefined) return (make(of, zod) as (...all: unknown[]) => unknown)(...args)
  return (make(of.of, zod) as Real)[of.name]?.(...args)
}
