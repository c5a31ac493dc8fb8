import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/**
 * A regular expression must read any text in linear time: with quadratic time, one customer's message would block all
 * users. So every pattern of the code is run on texts for which slow patterns take long.
 */
const root = new URL('../../', import.meta.url)
const sources = ['contract/src', 'server/src', 'web/src'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
)

type FoundPattern = { where: string; pattern: string; flags: string }
function patternsIn(file: string): FoundPattern[] {
  const code = readFileSync(new URL(file, root), 'utf8')
  const found: FoundPattern[] = []
  const visit = (node: unknown): void => {
    if (!node || typeof node !== 'object') return
    if ('regex' in node && node.regex && 'start' in node) {
      const line = code.slice(0, Number(node.start)).split('\n').length
      found.push({ where: `${file}:${line}`, ...(node.regex as { pattern: string; flags: string }) })
    } else for (const inside of Object.values(node)) visit(inside)
  }
  visit(parseSync(file, code).program)
  return found
}

const attackCharacters = [...' \t\n\r!.*_~`-"\'\\/@#:;,(){}[]<>01aA9=+%&?$|^…😀⭐\u0301\u200b\u0000']
/** Endings that make most patterns fail after they have read the whole text. */
const tails = ['', 'x', '\n', '\u0001']

/** Long runs of one character, of two alternating, and of a whole word, with and without a prefix. */
function* attacks(pattern: string, length: number): Generator<string> {
  const own = [...new Set(pattern.replace(/\\[dDwWsSbBpPu]|[()[\]|?+^$]/g, ''))]
  const words = [...new Set(pattern.match(/[\w@/.:{}=-]{2,}/g))].slice(0, 6)
  for (const sign of new Set([...attackCharacters, ...own])) {
    const run = sign.repeat(length / sign.length)
    for (const tail of tails) yield run + tail
    for (const word of [...words, 'a', '1', '{{', '*']) yield `${word}${run}\u0001`
  }
  const mixed = [...new Set([...own, ' ', '1', 'a', '.', '\n'])].slice(0, 16)
  for (const one of [...mixed, ...words])
    for (const other of mixed)
      for (const tail of tails) yield (one + other).repeat(length / (one + other).length) + tail
}

const isEndless = ({ pattern }: FoundPattern) => /[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x'))

/** The fastest of a few runs, in ms of CPU time, so that a busy machine does not look like a slow pattern. */
function cost(work: () => void, good: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < 5 && best > good; n++) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

function slowOn({ pattern, flags }: FoundPattern): string | null {
  const once = new RegExp(pattern, flags.replace(/[gy]/g, ''))
  const all = new RegExp(pattern, `${flags.replace(/[gy]/g, '')}g`)
  for (const length of [1000, 8000])
    for (const text of attacks(pattern, length)) {
      const ms = cost(() => {
        once.test(text)
        text.replace(all, '')
      }, 8)
      if (ms > 8)
        return `${ms.toFixed()} ms for ${length} of ${JSON.stringify(text.slice(0, 20))}…${JSON.stringify(text.slice(-2))}`
    }
  return null
}

it('matches any text in linear time with every regular expression of the sources', () => {
  const found = sources.flatMap(patternsIn)
  expect(found.length).toBeGreaterThan(150)
  // A pattern without unbounded repetition cannot be slow, and duplicates are tested once.
  const patterns = [...new Map(found.filter(isEndless).map((one) => [one.pattern + one.flags, one])).values()]
  expect(slowOn({ where: '', pattern: '[!?]+$', flags: '' })).not.toBeNull()
  expect(slowOn({ where: '', pattern: '^\\S+@\\S+\\.\\S+$', flags: '' })).not.toBeNull()
  const slow = patterns.flatMap((one) => {
    const why = slowOn(one)
    return why ? [`${one.where} /${one.pattern}/${one.flags} takes ${why}`] : []
  })
  expect(slow).toEqual([])
})
