import { sql } from 'kysely'
import type { DumpRow } from '../dump/read-dump.ts'
import { insertRows } from '../insert.ts'
import { boolCell, intCell, textCell } from './cells.ts'
import { makeStandInLines } from './directory.ts'
import type { ImportRun, TargetCompany } from './import-run.ts'

/** The ticket fields that messages need. */
type TicketIds = {
  id: number
  contactId: number
  whatsappId: number
  isGroup: boolean
  isAllRead: boolean
  isClosed: boolean
}
export type ImportedTicket = TicketIds & { home: TargetCompany }

/**
 * Every imported ticket by its old id. A million tickets take a hundred megabytes of memory; a database lookup for each
 * message would take hours.
 */
export class ImportedTickets {
  readonly #at = new Map<number, number>()
  readonly #homes: TargetCompany[] = []
  readonly #home: number[] = []
  readonly #id: number[] = []
  readonly #contact: number[] = []
  readonly #line: number[] = []
  readonly #flags: number[] = []

  set(oldId: number, home: TargetCompany, ticket: TicketIds): void {
    let of = this.#homes.indexOf(home)
    if (of < 0) of = this.#homes.push(home) - 1
    this.#at.set(oldId, this.#id.push(ticket.id) - 1)
    this.#home.push(of)
    this.#contact.push(ticket.contactId)
    this.#line.push(ticket.whatsappId)
    this.#flags.push((ticket.isGroup ? 1 : 0) | (ticket.isAllRead ? 2 : 0) | (ticket.isClosed ? 4 : 0))
  }

  get(oldId: number | null): ImportedTicket | undefined {
    const at = oldId === null ? undefined : this.#at.get(oldId)
    if (at === undefined) return undefined
    const flags = this.#flags[at] as number
    return {
      home: this.#homes[this.#home[at] as number] as TargetCompany,
      id: this.#id[at] as number,
      contactId: this.#contact[at] as number,
      whatsappId: this.#line[at] as number,
      isGroup: (flags & 1) > 0,
      isAllRead: (flags & 2) > 0,
      isClosed: (flags & 4) > 0,
    }
  }
}

type ActiveTicket = { oldId: number; updatedAtMs: number }

/** Finds the ticket of each chat that stays active: the ticket with the latest activity. */
async function findNewestActive(
  run: ImportRun,
  chatOf: (row: DumpRow) => { home: TargetCompany; contactId: number; line: number } | null,
) {
  const newestActive = new Map<string, ActiveTicket>()
  for await (const rows of run.spool.batches('tickets', 5000))
    for (const row of rows) {
      const oldId = intCell(row, 'id')
      if (oldId === null || !/^(open|pending)$/.test(row.status ?? '')) continue
      const chat = chatOf(row)
      if (!chat) continue
      const key = `${chat.home.id} ${chat.contactId} ${chat.line}`
      const updated = Date.parse(run.timestampCell(row, 'updatedAt') ?? '') || 0
      const before = newestActive.get(key)
      if (!before || updated > before.updatedAtMs || (updated === before.updatedAtMs && oldId > before.oldId))
        newestActive.set(key, { oldId, updatedAtMs: updated })
    }
  return newestActive
}

/** Loads the chats that already have an active ticket in Recado: they get no second one. */
async function loadActiveChats(home: TargetCompany): Promise<Set<string>> {
  if (home.id < 0 || home.isNew) return new Set()
  const { rows } = await sql<{ contactId: number; whatsappId: number }>`
    select "contactId", "whatsappId" from tickets
    where "companyId" = ${home.id} and status in ('open', 'pending') and "whatsappId" is not null`.execute(
    home.scope.db,
  )
  return new Set(rows.map((row) => `${home.id} ${row.contactId} ${row.whatsappId}`))
}

/** Loads the tickets imported by earlier runs. */
async function loadImportedTickets(run: ImportRun, importedTickets: ImportedTickets): Promise<Set<number>> {
  const deletedIds = new Set<number>()
  for (const home of run.targetCompanies.values()) {
    if (home.id < 0 || home.isNew) continue
    const { rows } = await sql<{
      oldId: string
      id: number | null
      contactId: number
      whatsappId: number
      isGroup: boolean
      unread: number
      status: string
    }>`
      select m."oldId", t.id, t."contactId", t."whatsappId", t."isGroup", t."unreadMessages" as unread, t.status
      from "movedRows" m left join tickets t on t."companyId" = m."companyId" and t.id = m."newId"
      where m."companyId" = ${home.id} and m.source = ${run.source} and m.kind = 'ticket'`.execute(home.scope.db)
    for (const row of rows)
      if (row.id === null || row.whatsappId === null) deletedIds.add(Number(row.oldId))
      else
        importedTickets.set(Number(row.oldId), home, {
          ...{ id: row.id, contactId: row.contactId, whatsappId: row.whatsappId, isGroup: row.isGroup },
          ...{ isClosed: row.status === 'closed', isAllRead: row.status === 'closed' || row.unread === 0 },
        })
  }
  return deletedIds
}

/** Loads ticket numbers and uuids in use: imported tickets keep theirs, which users know, if they are free. */
async function loadTakenNumbers(
  run: ImportRun,
  home: TargetCompany,
  entries: { oldId: number; uuid: string | null }[],
) {
  if (home.id < 0) return { numbers: new Set<number>(), uuids: new Set<string>() }
  const numbers = await sql<{ number: number }>`
    select number from tickets where "companyId" = ${home.id} and number = any(${entries.map(({ oldId }) => oldId)}::int[])`.execute(
    home.scope.db,
  )
  // Searches all companies, because a uuid is unique on the platform.
  const uuids = await sql<{ uuid: string }>`
    select uuid from tickets where uuid = any(${entries.flatMap(({ uuid }) => (uuid ? [uuid] : []))}::uuid[])`.execute(
    run.platformScope.db,
  )
  return { numbers: new Set(numbers.rows.map((row) => row.number)), uuids: new Set(uuids.rows.map((row) => row.uuid)) }
}

/** The company's next ticket number follows the highest imported one, so there must be room above it. */
const maxTicketNumber = 1_000_000_000
const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** Imports tickets. One ticket per chat stays active; other active tickets are closed, because Recado allows only one. */
export async function importTickets(run: ImportRun): Promise<ImportedTickets> {
  const { report, spool } = run
  const importedTickets = new ImportedTickets()
  const deletedIds = await loadImportedTickets(run, importedTickets)
  const standIn = makeStandInLines(run)
  const chatOf = (row: DumpRow) => {
    const home = run.companyOf(row)
    const contactId = home ? run.newIdOf(home, 'contact', intCell(row, 'contactId')) : null
    return home && contactId !== null
      ? { home, contactId, line: run.newIdOf(home, 'line', intCell(row, 'whatsappId')) ?? 0 }
      : null
  }
  const newestActive = await findNewestActive(run, chatOf)
  const activeChats = new Map<TargetCompany, Set<string>>()
  for (const home of run.targetCompanies.values()) activeChats.set(home, await loadActiveChats(home))
  const highest = new Map<TargetCompany, number>()

  await run.forEachBatch(
    'tickets',
    'tickets',
    (row) => {
      const oldId = intCell(row, 'id')
      const chat = chatOf(row)
      if (oldId !== null && importedTickets.get(oldId)) report.tallyOf('tickets').there++
      else if (oldId !== null && deletedIds.has(oldId))
        report.countSkipped('tickets', 'deleted here since it came', oldId)
      else if (oldId === null || !run.companyOf(row)) run.skipOrphan('tickets', 'of no company that came', row.id)
      else if (!chat) report.countSkipped('tickets', 'its contact did not come', oldId)
      else return { home: chat.home, entry: { oldId, row, ...chat } }
      return null
    },
    async (home, all) => {
      const taken = await loadTakenNumbers(
        run,
        home,
        all.map(({ oldId, row }) => ({ oldId, uuid: uuidCell(row) })),
      )
      const rows = []
      for (const { oldId, row, contactId, line } of all) {
        const whatsappId = line || (await standIn(home))
        if (!line) report.countChanged('tickets', 'on a line of its own, its connection was deleted', oldId)
        const isNewest = newestActive.get(`${home.id} ${contactId} ${line}`)?.oldId === oldId
        const isChatFree = !activeChats.get(home)?.has(`${home.id} ${contactId} ${whatsappId}`)
        const uuid = uuidCell(row)
        const isFree = uuid !== null && !taken.uuids.has(uuid)
        if (uuid) taken.uuids.add(uuid)
        const number = oldId > 0 && oldId <= maxTicketNumber && !taken.numbers.has(oldId) ? oldId : null
        if (number) taken.numbers.add(number)
        const values = toTicketRow(run, home, row, { contactId, whatsappId, staysActive: isNewest && isChatFree })
        if (/^(open|pending)$/.test(row.status ?? '') && values.status === 'closed')
          report.countChanged('tickets', 'closed, another of the same chat goes on', oldId)
        rows.push({ oldId, row: { ...values, number, uuid: isFree ? uuid : crypto.randomUUID() } })
        highest.set(home, Math.max(highest.get(home) ?? 0, number ?? 0))
      }
      await run.writeEntries(home, 'ticket', 'tickets', rows, {
        alsoWrite: async (tx, written) => {
          if (!spool.has('tickettraking'))
            await insertRows(
              tx.db,
              'ticketTracking',
              written.map(({ entry, id }) => toSegment(home, entry.row, id)),
              null,
            )
          for (const { entry, id } of written) rememberTicket(importedTickets, home, entry, id)
        },
      })
      if (run.dryRun) for (const entry of rows) rememberTicket(importedTickets, home, entry, run.nextDryRunId())
    },
    1000,
  )
  // The company's next ticket is numbered after the tickets that kept their number.
  if (!run.dryRun)
    for (const [home, highestNumber] of highest)
      if (highestNumber) await sql`select raise_numbers(${home.id}, ${highestNumber})`.execute(run.platformScope.db)
  return importedTickets
}

const uuidCell = (row: DumpRow): string | null => {
  const said = (row.uuid ?? '').toLowerCase()
  return uuidPattern.test(said) ? said : null
}

type TicketRow = ReturnType<typeof toTicketRow>

function toTicketRow(
  run: ImportRun,
  home: TargetCompany,
  row: DumpRow,
  chat: { contactId: number; whatsappId: number; staysActive: boolean },
) {
  const { staysActive, ...where } = chat
  const user = run.newIdOf(home, 'user', intCell(row, 'userId'))
  const queueId = run.newIdOf(home, 'queue', intCell(row, 'queueId'))
  // An open ticket without an agent becomes pending.
  const status = !staysActive ? 'closed' : row.status === 'open' && user !== null ? 'open' : 'pending'
  const createdAt = run.timestampCell(row, 'createdAt') ?? run.now()
  return {
    ...where,
    ...{ status, queueId, userId: status === 'pending' ? null : user },
    lastMessage: textCell(row, 'lastMessage', 1000),
    unreadMessages: status === 'closed' ? 0 : Math.max(0, intCell(row, 'unreadMessages') ?? 0),
    isGroup: boolCell(row, 'isGroup'),
    // A customer who had not chosen a queue is asked again at the next message; all others wait for an agent.
    botLeft: status !== 'pending' || queueId !== null,
    ...{ createdAt, updatedAt: run.timestampCell(row, 'updatedAt') ?? createdAt },
  }
}

const rememberTicket = (
  importedTickets: ImportedTickets,
  home: TargetCompany,
  { oldId, row }: { oldId: number; row: TicketRow },
  id: number,
) => {
  const { contactId, whatsappId, isGroup, status, unreadMessages } = row
  const closed = status === 'closed'
  importedTickets.set(oldId, home, {
    id,
    contactId,
    whatsappId,
    isGroup,
    isClosed: closed,
    isAllRead: closed || unreadMessages === 0,
  })
}

/** If the other system recorded no attendances, each ticket counts as one attendance. */
const toSegment = (home: TargetCompany, row: TicketRow, ticketId: number) => {
  const isClosed = row.status === 'closed'
  return {
    ...{ companyId: home.id, ticketId, whatsappId: row.whatsappId, userId: row.userId, queueId: row.queueId },
    ...{ queuedAt: row.createdAt, startedAt: row.userId === null ? null : row.createdAt, createdAt: row.createdAt },
    ...{ finishedAt: isClosed ? row.updatedAt : null, endedBy: isClosed ? 'resolved' : null },
  }
}

/** Imports who attended a ticket, and from when until when; at most one attendance of a ticket is ongoing. */
export async function importSegments(run: ImportRun, importedTickets: ImportedTickets): Promise<void> {
  const name = 'attendances'
  const ongoingIds = new Set<number>()
  await run.forEachBatch(
    'tickettraking',
    name,
    (row) => {
      const ticket = importedTickets.get(intCell(row, 'ticketId'))
      if (!ticket) {
        run.skipOrphan(name, 'its ticket did not come', row.id)
        return null
      }
      const createdAt = run.timestampCell(row, 'createdAt') ?? run.now()
      const finished = run.timestampCell(row, 'finishedAt')
      // A closed ticket has no ongoing attendance, any other ticket has at most one.
      const isOver = finished !== null || ticket.isClosed || ongoingIds.has(ticket.id)
      if (!isOver) ongoingIds.add(ticket.id)
      const entry = {
        oldId: String(row.id),
        row: {
          ...{
            ticketId: ticket.id,
            whatsappId: ticket.whatsappId,
            userId: run.newIdOf(ticket.home, 'user', intCell(row, 'userId')),
          },
          ...{
            queuedAt: run.timestampCell(row, 'queuedAt') ?? createdAt,
            startedAt: run.timestampCell(row, 'startedAt'),
          },
          ...{ ratingAt: run.timestampCell(row, 'ratingAt'), rated: boolCell(row, 'rated'), createdAt },
          finishedAt: isOver ? (finished ?? run.timestampCell(row, 'updatedAt') ?? createdAt) : null,
          endedBy: isOver ? 'resolved' : null,
        },
      }
      return { home: ticket.home, entry }
    },
    async (home, entries) => {
      await run.writeEntries(home, 'track', 'ticketTracking', await run.filterNew(home, 'track', entries))
    },
  )
}

/** Converts ratings: Recado uses 1 to 3, ticketz uses 1 to 5. */
const convertRate = (rate: number, isOutOfFive: boolean): number =>
  isOutOfFive ? (rate <= 2 ? 1 : rate === 3 ? 2 : 3) : Math.min(3, Math.max(1, rate))

export async function importRatings(run: ImportRun, importedTickets: ImportedTickets): Promise<void> {
  const name = 'ratings'
  const isOutOfFive = run.kind === 'ticketz'
  await run.forEachBatch(
    'userratings',
    name,
    (row) => {
      const ticket = importedTickets.get(intCell(row, 'ticketId'))
      const rate = intCell(row, 'rate')
      if (!ticket) run.skipOrphan(name, 'its ticket did not come', row.id)
      else if (rate === null || rate < 1) run.report.countSkipped(name, 'without a number', row.id)
      else {
        if (isOutOfFive) run.report.countChanged(name, 'from 1–5 to 1–3', row.id)
        const userId = run.newIdOf(ticket.home, 'user', intCell(row, 'userId'))
        const values = {
          ticketId: ticket.id,
          userId,
          rate: convertRate(rate, isOutOfFive),
          createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
        }
        return { home: ticket.home, entry: { oldId: String(row.id), row: values } }
      }
      return null
    },
    async (home, entries) => {
      await run.writeEntries(home, 'rating', 'userRatings', await run.filterNew(home, 'rating', entries))
    },
  )
}

export async function importTicketTags(run: ImportRun, importedTickets: ImportedTickets): Promise<void> {
  const name = 'tags on tickets'
  const touched = new Set<TargetCompany>()
  await run.forEachBatch(
    'tickettags',
    name,
    (row) => {
      const ticket = importedTickets.get(intCell(row, 'ticketId'))
      const tagId = ticket ? run.newIdOf(ticket.home, 'tag', intCell(row, 'tagId')) : null
      const oldId = `${row.ticketId}:${row.tagId}`
      if (ticket && tagId !== null) return { home: ticket.home, entry: { oldId, row: { ticketId: ticket.id, tagId } } }
      run.skipOrphan(name, 'its ticket or tag did not come', oldId)
      return null
    },
    async (home, entries) => {
      const uniqueEntries = [...new Map(entries.map((entry) => [entry.oldId, entry])).values()]
      const written = await run.writeEntries(
        home,
        'ticketTag',
        'ticketTags',
        await run.filterNew(home, 'ticketTag', uniqueEntries),
        {
          returningColumn: null,
        },
      )
      if (written.length) touched.add(home)
    },
  )
  if (run.dryRun) return
  // Set the lane of each ticket; closed tickets have no running timer.
  for (const home of touched)
    await sql`
      update tickets t set "laneId" = l.id, "laneSince" = case when t.status <> 'closed' then t."updatedAt" end
      from (
        select x."ticketId", min(x."tagId") as id from "ticketTags" x
        join tags g on g."companyId" = x."companyId" and g.id = x."tagId" and g.kanban = 1
        where x."companyId" = ${home.id} group by x."ticketId"
      ) l
      where t."companyId" = ${home.id} and t.id = l."ticketId" and t."laneId" is null`.execute(home.scope.db)
}

export async function importNotes(run: ImportRun, importedTickets: ImportedTickets): Promise<void> {
  const name = 'notes'
  const people = new Map<number, string>()
  for await (const rows of run.spool.batches('users', 2000))
    for (const row of rows) people.set(intCell(row, 'id') ?? 0, textCell(row, 'name', 50))
  await run.forEachBatch(
    'ticketnotes',
    name,
    (row) => {
      const ticket = importedTickets.get(intCell(row, 'ticketId'))
      const note = textCell(row, 'note', 4096).trim()
      const by = intCell(row, 'userId')
      if (!ticket) run.skipOrphan(name, 'its ticket did not come', row.id)
      else if (!note) run.report.countSkipped(name, 'empty', row.id)
      else {
        const author = { userId: run.newIdOf(ticket.home, 'user', by), userName: people.get(by ?? -1) ?? '' }
        const values = {
          ticketId: ticket.id,
          contactId: ticket.contactId,
          ...author,
          note,
          createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
        }
        return { home: ticket.home, entry: { oldId: String(row.id), row: values } }
      }
      return null
    },
    async (home, entries) => {
      await run.writeEntries(home, 'note', 'ticketNotes', await run.filterNew(home, 'note', entries))
    },
  )
}

/** Sets the last sender, the waiting time and the attendance of active tickets, after all rows are written. */
export async function finishTickets(run: ImportRun): Promise<void> {
  if (run.dryRun) return
  for (const home of run.targetCompanies.values()) {
    const importedActive = sql`t."companyId" = ${home.id} and t.status in ('open', 'pending') and exists (
      select from "movedRows" m where m."companyId" = t."companyId" and m.source = ${run.source} and m.kind = 'ticket' and m."newId" = t.id)`
    await sql`
      insert into "ticketTracking" ("companyId", "ticketId", "whatsappId", "userId", "queueId", "queuedAt", "startedAt", "createdAt")
      select t."companyId", t.id, t."whatsappId", t."userId", t."queueId", t."createdAt",
        case when t.status = 'open' then t."createdAt" end, t."createdAt"
      from tickets t where ${importedActive} and not exists (
        select from "ticketTracking" k where k."companyId" = t."companyId" and k."ticketId" = t.id and k."finishedAt" is null)
      on conflict do nothing`.execute(home.scope.db)
    await sql`
      update tickets t set "fromMe" = coalesce(s."fromMe", t."fromMe"), "waitingSince" = s.since
      from (
        select t.id, l."fromMe", (
          select min(m."createdAt") from messages m
          where m."companyId" = t."companyId" and m."ticketId" = t.id and not m."fromMe" and m."createdAt" > coalesce((
            select max(p."createdAt") from messages p
            where p."companyId" = t."companyId" and p."ticketId" = t.id and p."fromMe" and p.bot is null), 'epoch')
        ) as since
        from tickets t left join lateral (
          select m."fromMe" from messages m where m."companyId" = t."companyId" and m."ticketId" = t.id
          order by m."createdAt" desc, m.id desc limit 1
        ) l on true
        where ${importedActive}
      ) s
      where t."companyId" = ${home.id} and t.id = s.id
        and (t."fromMe" is distinct from coalesce(s."fromMe", t."fromMe") or t."waitingSince" is distinct from s.since)`.execute(
      home.scope.db,
    )
  }
}
