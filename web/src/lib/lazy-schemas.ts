/**
 * Replaces zod for the contract in the browser only (see contract-for-browsers.ts). Calls need an endpoint's
 * path and method; only forms need its schemas. So a schema is recorded here step by step, and created when a
 * form needs it: no screen loads zod earlier or spends time creating hundreds of schemas.
 */
type SchemaStep = { parent: SchemaStep | null; name?: PropertyKey; args?: unknown[] }
type Real = Record<PropertyKey, (...args: unknown[]) => unknown>

const stepsByProxy = new WeakMap<object, SchemaStep>()
const builtSteps = new WeakMap<SchemaStep, unknown>()

function recordStep(step: SchemaStep): object {
  const shape = new Proxy(() => undefined, {
    get: (_, name) => recordStep({ parent: step, name }),
    apply: (_, __, args) => recordStep({ parent: step, args: args }),
  })
  stepsByProxy.set(shape, step)
  return shape
}
export const z = recordStep({ parent: null })

/** Creates the recorded schema with the real zod. An existing schema is returned unchanged. */
export function buildSchema<S>(shape: S, zod: object): S {
  return resolveValue(shape, zod) as S
}

function resolveValue(value: unknown, zod: object): unknown {
  if (Array.isArray(value)) return value.map((one) => resolveValue(one, zod))
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value
  const step = stepsByProxy.get(value)
  if (step) return buildStep(step, zod)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolveValue(one, zod)]))
}

function buildStep(step: SchemaStep, zod: object): unknown {
  if (!step.parent) return zod
  if (!builtSteps.has(step)) builtSteps.set(step, applyStep(step, step.parent, zod))
  return builtSteps.get(step)
}

function applyStep({ name, args: given }: SchemaStep, parent: SchemaStep, zod: object): unknown {
  if (name !== undefined) return (buildStep(parent, zod) as Real)[name]
  const args = (given ?? []).map((one) => resolveValue(one, zod))
  // A method is called on the object it was read from.
  if (!parent.parent || parent.name === undefined)
    return (buildStep(parent, zod) as (...all: unknown[]) => unknown)(...args)
  return (buildStep(parent.parent, zod) as Real)[parent.name]?.(...args)
}
