import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import { buildSchema, z as later } from './lazy-schemas.ts'
import { zodSubset } from './zod-subset.ts'

// The contract in a browser uses this replacement: the zod API without zod.
const z = later as unknown as typeof zod.z
const words = (min: number, max: number) => z.string().trim().min(min).max(max)
const Person = z.object({
  name: words(2, 5),
  age: z.preprocess((v) => (v === '' ? null : v), z.coerce.number().int().nullable()).default(null),
  tags: z.array(z.object({ id: z.number() })).max(2),
})

describe('lazy schemas', () => {
  it('equal schemas created directly with zod', () => {
    const shape = buildSchema(Person, zod.z)
    expect(shape.parse({ name: ' Ana ', age: '', tags: [{ id: 1 }] })).toEqual({
      name: 'Ana',
      age: null,
      tags: [{ id: 1 }],
    })
    expect(shape.safeParse({ name: 'A', tags: [] }).error?.issues.map((i) => [i.path.join('.'), i.code])).toEqual([
      ['name', 'too_small'],
    ])
  })
  it('can be split and combined before they are created', () => {
    const Longer = Person.extend({ age: Person.shape.age.unwrap().optional(), more: z.enum(['a', 'b']) })
    expect(buildSchema(Longer, zod.z).safeParse({ name: 'Ana', tags: [], more: 'c' }).success).toBe(false)
    expect(buildSchema(Longer, zod.z).parse({ name: 'Ana', age: '7', tags: [], more: 'b' })).toMatchObject({ age: 7 })
  })
  it('support every zod function that the contract uses', () => {
    const folder = new URL('../../../contract/src/', import.meta.url)
    const text = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(new URL(name, folder), 'utf8'))
      .join('\n')
    const used = new Set([...text.matchAll(/\bz\s*\.\s*([a-z]\w*)/g)].map((found) => found[1] as string))
    for (const ofTypes of ['infer', 'input', 'output', 'core']) used.delete(ofTypes)
    expect([...used].filter((word) => !(word in zodSubset))).toEqual([])
    expect(Object.keys(zodSubset).filter((word) => !used.has(word))).toEqual([])
  })
  it('are created once, and leave existing schemas unchanged', () => {
    expect(buildSchema(Person, zod.z)).toBe(buildSchema(Person, zod.z))
    const real = zod.z.string()
    expect(buildSchema(real, zod.z)).toBe(real)
  })
})
