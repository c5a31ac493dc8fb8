import type { BotCounts, BotReport, MenuPositionCount } from '@recado/contract/dashboard/report-sections'
import type { Scope } from '../../kernel/data/scope.ts'
import { precedingDates } from './dashboard.ts'
import { type PartCount, readPartCounts } from './parts.ts'
import { hasSums, readSums } from './read.ts'
import type { ReportQuery } from './report-sql.ts'

const countedKinds = ['botHad', 'botPassed', 'botLeft', 'menuFirst'] as const
const menuKinds = ['menuRight', 'menuWrong', 'menuLeft'] as const

async function loadBotCounts(scope: Scope, query: ReportQuery, summed: boolean): Promise<BotCounts> {
  const [parts, { alone }] = await Promise.all([
    readPartCounts(scope, query, summed, 'bot', countedKinds),
    readSums(scope, query, summed),
  ])
  const of = (kind: string) => sumCounts(parts.filter((part) => part.kind === kind))
  // Most customers choose before they have a queue, so this number has no meaning for a single queue.
  const chose = query.queueId === null && query.queueIds === null ? of('menuFirst') : null
  return { had: of('botHad'), chose, alone, passed: of('botPassed'), left: of('botLeft') }
}
const sumCounts = (parts: PartCount[]) => parts.reduce((all, { n }) => all + n, 0)

/** Conversations that bots handled without agents, and menu positions where customers chose wrongly or left. */
export async function buildBotReport(scope: Scope, query: ReportQuery, compare: boolean): Promise<BotReport> {
  const summed = await hasSums(scope, query)
  const [counts, before, parts, names] = await Promise.all([
    loadBotCounts(scope, query, summed),
    compare ? loadBotCounts(scope, { ...query, ...precedingDates(query) }, summed) : null,
    readPartCounts(scope, query, summed, 'bot', menuKinds),
    loadMenuNames(scope),
  ])
  const places = Map.groupBy(parts, ({ queueId, partId }) => `${queueId} ${partId}`)
  const found = [...places.values()].map((same): MenuPositionCount => {
    const { queueId, partId } = same[0] as PartCount
    const of = (kind: string) => sumCounts(same.filter((part) => part.kind === kind))
    return {
      ...{ queueId: queueId || null, optionId: partId || null, path: names(queueId, partId) },
      ...{ right: of('menuRight'), wrong: of('menuWrong'), left: of('menuLeft') },
    }
  })
  return { counts, before, places: found.sort((a, b) => b.left + b.wrong - a.left - a.wrong || b.right - a.right) }
}

/** The path of a menu position: its queue and the options that lead to it. */
async function loadMenuNames(scope: Scope): Promise<(queueId: number, optionId: number) => string[]> {
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
