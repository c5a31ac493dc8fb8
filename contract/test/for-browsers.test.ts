import { parseAst } from 'rolldown/parseAst'
import { expect, it } from 'vitest'
import { trimContractModule } from '../../web/contract-for-browsers.ts'

const shipped = (code: string) => {
  const program = parseAst(code, { lang: 'ts' })
  return trimContractModule(code, program as unknown as Parameters<typeof trimContractModule>[1]).replace(/\s+/g, ' ')
}
const pure = (made: string) => `/* @__PURE__ */ (() => (${made}))()`

it('keeps the path and the upload field names of an endpoint', () => {
  const code =
    "post('/files/:id', { ...base, about: 'x', access: 'session', params: id, upload: 'files', reply: z.string() })"
  expect(shipped(`export const api = { send: ${code} }`)).toBe(
    `export const api = ${pure("{ send: post('/files/:id', { upload: 'files' }) }")}`,
  )
  expect(shipped('export const show = { ...plain.show, reply: Detail }')).toBe(
    `export const show = ${pure('{ ...plain.show }')}`,
  )
})

it('keeps the entity, the search fields and the topic name of a record', () => {
  const given =
    "entity: 'tag', row: Tag, search: ['name'], write: TagWrite, topic: { one: 'tag', alias: old, row: Whole }"
  expect(shipped(`const plain = crud({ ${given}, plan: 'useKanban' })`)).toBe(
    `const plain = ${pure("crud({ entity: 'tag', search: ['name'], topic: { one: 'tag' } })")}`,
  )
})

it('marks schemas as pure, so that unused ones are dropped, and leaves other code unchanged', () => {
  expect(shipped('export const Tag = z.object({ id: z.number() })')).toBe(
    `export const Tag = ${pure('z.object({ id: z.number() })')}`,
  )
  for (const code of [
    'export const most = 20',
    'export const twice = (n: number) => n * 2',
    'export type A = { reply: 1 }',
  ])
    expect(shipped(code)).toBe(code)
})
