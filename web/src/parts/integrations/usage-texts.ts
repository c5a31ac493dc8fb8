import type { UsageReferences } from '@recado/contract/ai/prompts'
import { ApiError } from '../../lib/api.ts'
import { currentTexts, defineTexts, useTexts } from '../../lib/texts.ts'

const joinWithAnd = (all: string[], word: string) =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`

const texts = defineTexts({
  es: {
    counted: (queues: number, lines: number) =>
      [
        queues > 0 && (queues === 1 ? '1 cola' : `${queues} colas`),
        lines > 0 && (lines === 1 ? '1 línea' : `${lines} líneas`),
      ]
        .filter(Boolean)
        .join(', '),
    queue: (name: string) => `la cola ${name}`,
    line: (name: string) => `la línea ${name}`,
    and: (all: string[]): string => joinWithAnd(all, 'y'),
    first: (where: string) => `En uso por ${where}: quítalo de ahí primero.`,
  },
  pt: {
    counted: (queues, lines) =>
      [
        queues > 0 && (queues === 1 ? '1 fila' : `${queues} filas`),
        lines > 0 && (lines === 1 ? '1 linha' : `${lines} linhas`),
      ]
        .filter(Boolean)
        .join(', '),
    queue: (name) => `a fila ${name}`,
    line: (name) => `a linha ${name}`,
    and: (all) => joinWithAnd(all, 'e'),
    first: (where) => `Em uso por ${where}: remova de lá primeiro.`,
  },
  en: {
    counted: (queues, lines) =>
      [
        queues > 0 && (queues === 1 ? '1 queue' : `${queues} queues`),
        lines > 0 && (lines === 1 ? '1 line' : `${lines} lines`),
      ]
        .filter(Boolean)
        .join(', '),
    queue: (name) => `queue ${name}`,
    line: (name) => `line ${name}`,
    and: (all) => joinWithAnd(all, 'and'),
    first: (where) => `In use by ${where}: remove it there first.`,
  },
})
type UsageTexts = (typeof texts)['es']

export const isInUse = ({ queues, lines }: UsageReferences): boolean => queues.length + lines.length > 0

/** Lists where a bot is in use, for example "la cola Ventas y la línea Recepción". */
const listUsages = ({ queues, lines }: UsageReferences, words: UsageTexts) =>
  words.and([...queues.map(({ name }) => words.queue(name)), ...lines.map(({ name }) => words.line(name))])

/** Texts about where a bot is in use: the count, the names, and the reason why the bot cannot be deleted. */
export function useUsageTexts() {
  const words = useTexts(texts)
  return {
    counted: ({ queues, lines }: UsageReferences) => words.counted(queues.length, lines.length),
    named: (usedBy: UsageReferences) => listUsages(usedBy, words),
    first: (usedBy: UsageReferences) => words.first(listUsages(usedBy, words)),
  }
}

/** Adds the places where the bot is in use to the error of a refused deletion. */
export async function explainInUse<T>(usedBy: UsageReferences, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const inUse = error instanceof ApiError && /^ERR_(PROMPT|INTEGRATION)_IN_USE$/.test(error.code)
    if (!inUse || !isInUse(usedBy)) throw error
    const words = currentTexts(texts)
    throw new ApiError(error.code, error.status, {}, {}, words.first(listUsages(usedBy, words)))
  }
}
