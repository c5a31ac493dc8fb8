import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Makes the contract small in a browser, in two ways. Its schemas are built lazily (see lib/lazy-schemas.ts). And of
 * an endpoint a browser needs only its path, the names of its file fields and its topic; permissions, inputs and
 * replies are checked by the server and the compiler, so they are removed from the bundle. Schemas that no form uses
 * are removed too: the contract only declares and has no side effects, so unused declarations can be dropped.
 */
export function contractForBrowsers(): Plugin {
  const lazySchemas = fileURLToPath(new URL('./src/lib/lazy-schemas.ts', import.meta.url))
  const contract = fileURLToPath(new URL('../contract/src/', import.meta.url))
  return {
    name: 'contract-for-browsers',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^zod$/ },
      handler: (_, importer) => (importer?.startsWith(contract) ? lazySchemas : undefined),
    },
    transform: {
      filter: { id: /\/contract\/src\// },
      handler(code, id) {
        if (!id.startsWith(contract)) return
        const program = this.parse(code, { lang: 'ts' }) as unknown as Node
        return trimContractModule(code, program)
      },
    },
  }
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Edit = { start: number; end: number; put: string }

/** Function name -> properties that are removed from its last argument. `...` is a spread into that argument. */
const endpoint = [
  'about',
  'access',
  'plan',
  'key',
  'token',
  'lines',
  'status',
  'idempotent',
  'whenExpired',
  'across',
  'params',
  'query',
  'body',
  'bytes',
  'reply',
  'stream',
]
const endpointProperties = new Set([...endpoint, 'example', '...'])
const recordProperties = new Set(['row', 'write', 'example', 'read', 'edit', 'plan', 'key', 'across', 'alias'])
const removedPropertiesByCall: Record<string, Set<string>> = {
  ...{ get: endpointProperties, post: endpointProperties, put: endpointProperties, del: endpointProperties },
  ...{ crud: recordProperties, defineRecord: recordProperties },
}

export function trimContractModule(code: string, program: Node): string {
  const edits: Edit[] = [...trimEndpoints(code, program), ...(program.body as Node[]).flatMap(markPureDeclarations)]
  return edits
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((text, { start, end, put }) => text.slice(0, start) + put + text.slice(end), code)
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((one): one is Node => typeof (one as Node | null)?.type === 'string')

function trimEndpoints(code: string, node: Node): Edit[] {
  const names = node.type === 'CallExpression' ? removedPropertiesByCall[String((node.callee as Node).name)] : undefined
  const given = (node.arguments as Node[] | undefined)?.at(-1)
  if (names && given?.type === 'ObjectExpression')
    return [{ start: given.start, end: given.end, put: removeProperties(code, given, names) }]
  // `{ ...plain.show, reply: ContactDetail }` is a variation of a plain endpoint.
  if (
    node.type === 'ObjectExpression' &&
    ['...', 'reply'].every((name) => (node.properties as Node[]).map(propertyName).includes(name))
  )
    return [{ start: node.start, end: node.end, put: removeProperties(code, node, new Set(endpoint)) }]
  return childrenOf(node).flatMap((child) => trimEndpoints(code, child))
}

const propertyName = (property: Node): string =>
  property.type === 'SpreadElement' ? '...' : String((property.key as Node).name ?? (property.key as Node).value)

function removeProperties(code: string, object: Node, names: Set<string>): string {
  const left = (object.properties as Node[]).filter((property) => !names.has(propertyName(property)))
  const said = left.map((property) => {
    const value = property.value as Node | undefined
    if (value?.type !== 'ObjectExpression') return code.slice(property.start, property.end)
    return code.slice(property.start, value.start) + removeProperties(code, value, names)
  })
  return `{ ${said.join(', ')} }`
}

/** Marks top-level declarations as pure, so that the bundler may remove unused declarations. */
function markPureDeclarations(statement: Node): Edit[] {
  const declaration = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement
  if (declaration?.type !== 'VariableDeclaration') return []
  return (declaration.declarations as Node[]).flatMap(({ init }) => {
    const made = init as Node | null
    if (!made || !/^(Call|Object|Array|TSAs|TSSatisfies)Expression$/.test(made.type)) return []
    return [
      { start: made.start, end: made.start, put: '/* @__PURE__ */ (() => (' },
      { start: made.end, end: made.end, put: '))()' },
    ]
  })
}
