import type { Bot, BotCounts, MenuPlaceCount } from '@recado/contract/dashboard/more'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Asked } from './facts.ts'
import { type Part, readParts } from './parts.ts'
import { areSummed, readSums } from './read.ts'
import { daysBefore } from './view.ts'

const counted = ['botHad', 'botPassed', 'botLeft', 'menuFirst'] as const
const placed = ['menuRight', 'menuWrong', 'menuLeft'] as const

async function countsOf(scope: Scope, asked: Asked, summed: boolean): Promise<BotCounts> {
  const [parts, { alone }] = await Promise.all([
    readParts(scope, asked, summed, 'bot', counted),
    readSums(scope, asked, summed),
  ])
  const of = (kind: string) => sum(parts.filter((part) => part.kind === kind))
  // Most answer first where no queue is chosen yet: of a queue's own customers that says nothing.
  const chose = asked.queueId === null && asked.queueIds === null ? of('menuFirst') : null
  return { had: of('botHad'), chose, alone, passed: of('botPassed'), left: of('botLeft') }
}
const sum = (parts: Part[]) => parts.reduce((all, { n }) => all + n, 0)

/** What bots did by themselves, and at which place of a menu customers went wrong or away. */
export async function botView(scope: Scope, asked: Asked, compare: boolean): Promise<Bot> {
  const summed = await areSummed(scope, asked)
  const [counts, before, parts, names] = await Promise.all([
    countsOf(scope, asked, summed),
    compare ? countsOf(scope, { ...asked, ...daysBefore(asked) }, summed) : null,
    readParts(scope, asked, summed, 'bot', placed),
    namesOf(scope),
  ])
  const places = Map.groupBy(parts, ({ queueId, partId }) => `${queueId} ${partId}`)
  const found = [...places.values()].map((same): MenuPlaceCount => {
    const { queueId, partId } = same[0] as Part
    const of = (kind: string) => sum(same.filter((part) => part.kind === kind))
    return {
      ...{ queueId: queueId || null, optionId: partId || null, path: names(queueId, partId) },
      ...{ right: of('menuRight'), wrong: of('menuWrong'), left: of('menuLeft') },
    }
  })
  return { counts, before, places: found.sort((a, b) => b.left + b.wrong - a.left - a.wrong || b.right - a.right) }
}

/** The names of a place: its queue and the options that lead there. */
async function namesOf(scope: Scope): Promise<(queueId: number, optionId: number) => string[]> {
  const own = { companyId: scope.companyId }
  const [queues, options] = await Promise.all([
    scope.db.selectFrom('queues').select(['id', 'name']).where('companyId', '=', own.companyId).execute(),
    scope.db
      .selectFrom('queueOptions')
      .select(['id', 'parentId', 'title'])
      .where('companyId', '=', own.companyId)
      .execute(),
  ])
  const queueNames = new Map(queues.map(({ id, name }) => [id, name]))
  const known = new Map(options.map((option) => [option.id, option]))
  return (queueId, optionId) => {
    const path: string[] = []
    for (let at = known.get(optionId); at; at = known.get(at.parentId ?? 0)) path.unshift(at.title)
    const queue = queueNames.get(queueId)
    return queue === undefined ? path : [queue, ...path]
  }
}
