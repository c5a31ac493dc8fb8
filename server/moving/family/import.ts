import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { NoDump, type Row, rowsOf } from '../dump/read.ts'
import { openSpool, type Spool } from '../dump/spool.ts'
import type { Limits } from '../limits.ts'
import type { Mover } from '../mover.ts'
import { Report } from '../report.ts'
import { moveCompanies, moveLinks, moveSettings, moveUsers } from './accounts.ts'
import { momentMs, type Offset } from './cells.ts'
import { moveContacts, moveFields } from './contacts.ts'
import { moveLines, moveOptions, moveQueues, moveQuickReplies, moveTags } from './directory.ts'
import { moveCampaigns, moveLists, moveSchedules } from './later.ts'
import { moveMessages } from './messages.ts'
import { Move } from './move.ts'
import { leftBehind, type TableName, wanted } from './schema.ts'
import { moveNotes, moveRatings, moveTickets, moveTicketTags, moveTracks, settleTickets } from './tickets.ts'

export type Kind = 'ticketz' | 'whaticket'

/** What moments without a zone are meant in: the single-company version keeps them in MySQL, by the clocks of Brazil. */
const offsets: Record<Kind, Offset> = { ticketz: '+00:00', whaticket: '-03:00' }

/** The family is one: Whaticket, the services built on it, and ticketz share their tables, with more or fewer columns. */
export const importFamily =
  (kind: Kind): Mover =>
  async (means, order, progress) => {
    const report = new Report(`${kind} ${order.path}`, order.dryRun)
    const offset: Offset = order.offset ?? offsets[kind]
    const spool = await openSpool(order.scratch, { messages: (row) => momentMs(row.createdAt, offset) ?? 0 })
    try {
      progress.begin('reading, in bytes', (await stat(order.path)).size)
      const sum = createHash('sha256')
      const read = (chunk: string | Buffer) => {
        sum.update(chunk)
        progress.add(chunk.length)
      }
      for await (const batch of rowsOf(order.path, wanted, read, order.limits)) await spool.add(batch)
      const dump = sum.digest('hex')
      await spool.close()
      progress.end()
      if (!spool.count('users') || !spool.count('settings'))
        throw new NoDump(`${order.path} has no users or no settings: it is no dump of ${kind}, or not a whole one.`)
      mustBeBounded(spool, order.limits)
      const source = await sourceOf(kind, spool)
      const move = new Move({ means, order, progress, report, spool, kind, source, offset, dump })
      await moveAll(move)
      for (const [table, name] of Object.entries(leftBehind))
        if (spool.count(table)) report.note(`Stay behind: ${spool.count(table).toLocaleString('en')} ${name}.`)
      return report
    } finally {
      await spool.remove()
    }
  }

/** Tables that are read into memory whole: no desk has so many of these. */
const maxWhole = 50_000
const readWhole = [
  'plans',
  'queues',
  'queueoptions',
  'whatsapps',
  'tags',
  'contactlists',
  'campaigns',
] satisfies TableName[]

function mustBeBounded(spool: Spool, limits: Limits): void {
  for (const table of readWhole)
    if (spool.count(table) > maxWhole) throw new NoDump(`The dump has more than ${maxWhole} rows of ${table}.`)
  if (spool.count('companies') > limits.companies)
    throw new NoDump(`The dump has more than ${limits.companies} companies (--limit companies=…).`)
}

/** What is referred to comes before what refers to it. */
async function moveAll(move: Move): Promise<void> {
  await moveCompanies(move)
  await move.load()
  await moveSettings(move)
  await moveQueues(move)
  await moveOptions(move)
  await moveLines(move)
  await moveUsers(move)
  await moveLinks(move)
  await moveTags(move)
  await moveQuickReplies(move)
  await moveContacts(move)
  await moveFields(move)
  const slots = await moveTickets(move)
  await moveTracks(move, slots)
  await moveRatings(move, slots)
  await moveTicketTags(move, slots)
  await moveNotes(move, slots)
  await moveMessages(move, slots)
  await settleTickets(move)
  await moveSchedules(move)
  await moveLists(move)
  await moveCampaigns(move)
}

/**
 * By what an installation is known again in a later dump: when its first company, its first user and its first settings
 * came to be. Nobody changes that, and no two installations share it.
 */
async function sourceOf(kind: Kind, spool: Spool): Promise<string> {
  const firsts = ['companies', 'users'] satisfies TableName[]
  const marks: string[] = []
  for (const table of firsts) {
    let first: Row | null = null
    for await (const rows of spool.portions(table, 2000))
      for (const row of rows) if (!first || Number(row.id) < Number(first.id)) first = row
    marks.push(first ? `${first.id} ${first.createdAt}` : '')
  }
  return `${kind}-${createHash('sha256').update(marks.join('\n')).digest('hex').slice(0, 16)}`
}
