import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'

/**
 * Whatever text others write, a pattern must read it in one go: where the time grows with the square of the length, one
 * customer's message stops everybody. So every pattern of the code is fed with what such patterns stumble over.
 */
const root = new URL('../../', import.meta.url)
const sources = ['contract/src', 'server/src', 'web/src'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
)

type Found = { where: string; pattern: string; flags: string }
function patternsIn(file: string): Found[] {
  const code = readFileSync(new URL(file, root), 'utf8')
  const found: Found[] = []
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

const suspicious = [...' \t\n\r!.*_~`-"\'\\/@#:;,(){}[]<>01aA9=+%&?$|^…😀⭐\u0301\u200b\u0000']
/** No class of signs has this one twice in mind: it lets most patterns fail after they read everything. */
const tails = ['', 'x', '\n', '\u0001']

/** Long runs of one sign, of two in turn, and of a whole word, with and without something before them. */
function* attacks(pattern: string, length: number): Generator<string> {
  const own = [...new Set(pattern.replace(/\\[dDwWsSbBpPu]|[()[\]|?+^$]/g, ''))]
  const words = [...new Set(pattern.match(/[\w@/.:{}=-]{2,}/g))].slice(0, 6)
  for (const sign of new Set([...suspicious, ...own])) {
    const run = sign.repeat(length / sign.length)
    for (const tail of tails) yield run + tail
    for (const word of [...words, 'a', '1', '{{', '*']) yield `${word}${run}\u0001`
  }
  const mixed = [...new Set([...own, ' ', '1', 'a', '.', '\n'])].slice(0, 16)
  for (const one of [...mixed, ...words])
    for (const other of mixed)
      for (const tail of tails) yield (one + other).repeat(length / (one + other).length) + tail
}

const isEndless = ({ pattern }: Found) => /[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x'))

/** The quickest of a few tries, in ms of our own computing: a busy machine is not a slow pattern. */
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

function slowOn({ pattern, flags }: Found): string | null {
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

it('every pattern reads what others write in one go', () => {
  const found = sources.flatMap(patternsIn)
  expect(found.length).toBeGreaterThan(150)
  // What repeats nothing without a bound cannot be slow, and what stands twice is as quick twice.
  const patterns = [...new Map(found.filter(isEndless).map((one) => [one.pattern + one.flags, one])).values()]
  expect(slowOn({ where: '', pattern: '[!?]+$', flags: '' })).not.toBeNull()
  expect(slowOn({ where: '', pattern: '^\\S+@\\S+\\.\\S+$', flags: '' })).not.toBeNull()
  const slow = patterns.flatMap((one) => {
    const why = slowOn(one)
    return why ? [`${one.where} /${one.pattern}/${one.flags} takes ${why}`] : []
  })
  expect(slow).toEqual([])
})
