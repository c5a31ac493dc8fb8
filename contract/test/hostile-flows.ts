import { flow } from './flow-fixtures.ts'

const nest = (levels: number, make: (inside: object) => object) => {
  let made: object = { field: 'unread' }
  for (let n = 0; n < levels; n++) made = make(made)
  return made
}
const wrong = { field: 'words', words: [] }
/** Documents that are made to cost time, with a name each. All are refused. */
export const hostileFlows: [string, unknown][] = [
  ['a million steps', { ...flow([]), steps: Array(1_000_000).fill({ id: 'a', kind: 'end' }) }],
  ['a million empty steps', { ...flow([]), steps: Array(1_000_000).fill({}) }],
  ['80,000 empty steps', { ...flow([]), steps: Array(80_000).fill({}) }],
  ['19,000 steps of an unknown kind', { ...flow([]), steps: Array(19_000).fill(null) }],
  ['groups 20,000 deep', { ...flow([]), conditions: nest(20_000, (inside) => ({ match: 'all', of: [inside] })) }],
  ['lists 20,000 deep', { ...flow([]), steps: nest(20_000, (inside) => [inside]) }],
  [
    'wide wrong groups',
    {
      ...flow([]),
      conditions: {
        match: 'all',
        of: Array(18).fill({ match: 'all', of: Array(18).fill({ match: 'all', of: Array(18).fill(wrong) }) }),
      },
    },
  ],
  ['a text of 50 MB', flow([{ id: 'a', kind: 'say', text: 'x'.repeat(50_000_000) }])],
  ['a URL that slows a pattern down', flow([{ id: 'a', kind: 'call', url: `https://${'a.'.repeat(120_000)}` }])],
  ['100,000 keys', { ...flow([]), ...Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i])) }],
  ['9,000 triggers', { ...flow([]), triggers: Array(9000).fill({ kind: 'message', words: null }) }],
  ['a text', 'x'.repeat(1_000_000)],
  ['nothing', undefined],
]
