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
 * Every imported ticket by its old id. A million of them take a hundred megabytes here; a database lookup for each
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

/** The one ticket of each chat that stays active: the one with the latest activity. */
async function findNewestActive(
  move: ImportRun,
  placeOf: (row: DumpRow) => { home: TargetCompany; contactId: number; line: number } | null,
) {
  const living = new Map<string, ActiveTicket>()
  for await (const rows of move.spool.batches('tickets', 5000))
    for (const row of rows) {
      const oldId = intCell(row, 'id')
      if (oldId === null || !/^(open|pending)$/.test(row.status ?? '')) continue
      const place = placeOf(row)
      if (!place) continue
      const key = `${place.home.id} ${place.contactId} ${place.line}`
      const updated = Date.parse(move.timestampCell(row, 'updatedAt') ?? '') || 0
      const before = living.get(key)
      if (!before || updated > before.updatedAtMs || (updated === before.updatedAtMs && oldId > before.oldId))
        living.set(key, { oldId, updatedAtMs: updated })
    }
  return living
}

/** The active tickets that already exist here: a chat gets no second one. */
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
async function loadImportedTickets(move: ImportRun, slots: ImportedTickets): Promise<Set<number>> {
  const gone = new Set<number>()
  for (const home of move.targetCompanies.values()) {
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
      where m."companyId" = ${home.id} and m.source = ${move.source} and m.kind = 'ticket'`.execute(home.scope.db)
    for (const row of rows)
      if (row.id === null || row.whatsappId === null) gone.add(Number(row.oldId))
      else
        slots.set(Number(row.oldId), home, {
          ...{ id: row.id, contactId: row.contactId, whatsappId: row.whatsappId, isGroup: row.isGroup },
          ...{ isClosed: row.status === 'closed', isAllRead: row.status === 'closed' || row.unread === 0 },
        })
  }
  return gone
}

/** Ticket numbers and uuids that users know are kept where they are free. */
async function loadTakenNumbers(
  move: ImportRun,
  home: TargetCompany,
  entries: { oldId: number; uuid: string | null }[],
) {
  if (home.id < 0) return { numbers: new Set<number>(), uuids: new Set<string>() }
  const numbers = await sql<{ number: number }>`
    select number from tickets where "companyId" = ${home.id} and number = any(${entries.map(({ oldId }) => oldId)}::int[])`.execute(
    home.scope.db,
  )
  // Across all companies: a uuid is unique on the platform.
  const uuids = await sql<{ uuid: string }>`
    select uuid from tickets where uuid = any(${entries.flatMap(({ uuid }) => (uuid ? [uuid] : []))}::uuid[])`.execute(
    move.platformScope.db,
  )
  return { numbers: new Set(numbers.rows.map((row) => row.number)), uuids: new Set(uuids.rows.map((row) => row.uuid)) }
}

/** The company's next number follows the highest imported one: there must be room for it. */
const maxTicketNumber = 1_000_000_000
const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** Tickets. One per chat stays active; further active ones are closed, because a chat has only one here. */
export async function importTickets(move: ImportRun): Promise<ImportedTickets> {
  const { report, spool } = move
  const slots = new ImportedTickets()
  const gone = await loadImportedTickets(move, slots)
  const standIn = makeStandInLines(move)
  const placeOf = (row: DumpRow) => {
    const home = move.companyOf(row)
    const contactId = home ? move.newIdOf(home, 'contact', intCell(row, 'contactId')) : null
    return home && contactId !== null
      ? { home, contactId, line: move.newIdOf(home, 'line', intCell(row, 'whatsappId')) ?? 0 }
      : null
  }
  const living = await findNewestActive(move, placeOf)
  const here = new Map<TargetCompany, Set<string>>()
  for (const home of move.targetCompanies.values()) here.set(home, await loadActiveChats(home))
  const highest = new Map<TargetCompany, number>()

  await move.forEachBatch(
    'tickets',
    'tickets',
    (row) => {
      const oldId = intCell(row, 'id')
      const place = placeOf(row)
      if (oldId !== null && slots.get(oldId)) report.tallyOf('tickets').there++
      else if (oldId !== null && gone.has(oldId)) report.countSkipped('tickets', 'deleted here since it came', oldId)
      else if (oldId === null || !move.companyOf(row)) move.skipOrphan('tickets', 'of no company that came', row.id)
      else if (!place) report.countSkipped('tickets', 'its contact did not come', oldId)
      else return { home: place.home, entry: { oldId, row, ...place } }
      return null
    },
    async (home, all) => {
      const taken = await loadTakenNumbers(
        move,
        home,
        all.map(({ oldId, row }) => ({ oldId, uuid: uuidCell(row) })),
      )
      const rows = []
      for (const { oldId, row, contactId, line } of all) {
        const whatsappId = line || (await standIn(home))
        if (!line) report.countChanged('tickets', 'on a line of its own, its connection was deleted', oldId)
        const goesOn = living.get(`${home.id} ${contactId} ${line}`)?.oldId === oldId
        const free = !here.get(home)?.has(`${home.id} ${contactId} ${whatsappId}`)
        const uuid = uuidCell(row)
        const isFree = uuid !== null && !taken.uuids.has(uuid)
        if (uuid) taken.uuids.add(uuid)
        const number = oldId > 0 && oldId <= maxTicketNumber && !taken.numbers.has(oldId) ? oldId : null
        if (number) taken.numbers.add(number)
        const values = toTicketRow(move, home, row, { contactId, whatsappId, staysActive: goesOn && free })
        if (/^(open|pending)$/.test(row.status ?? '') && values.status === 'closed')
          report.countChanged('tickets', 'closed, another of the same chat goes on', oldId)
        rows.push({ oldId, row: { ...values, number, uuid: isFree ? uuid : crypto.randomUUID() } })
        highest.set(home, Math.max(highest.get(home) ?? 0, number ?? 0))
      }
      await move.writeEntries(home, 'ticket', 'tickets', rows, {
        alsoWrite: async (tx, written) => {
          if (!spool.has('tickettraking'))
            await insertRows(
              tx.db,
              'ticketTracking',
              written.map(({ entry, id }) => toSegment(home, entry.row, id)),
              null,
            )
          for (const { entry, id } of written) rememberTicket(slots, home, entry, id)
        },
      })
      if (move.dryRun) for (const entry of rows) rememberTicket(slots, home, entry, move.nextDryRunId())
    },
    1000,
  )
  // The company's next ticket is numbered after those that kept their number.
  if (!move.dryRun)
    for (const [home, past] of highest)
      if (past) await sql`select raise_numbers(${home.id}, ${past})`.execute(move.platformScope.db)
  return slots
}

const uuidCell = (row: DumpRow): string | null => {
  const said = (row.uuid ?? '').toLowerCase()
  return uuidPattern.test(said) ? said : null
}

type TicketRow = ReturnType<typeof toTicketRow>

function toTicketRow(
  move: ImportRun,
  home: TargetCompany,
  row: DumpRow,
  place: { contactId: number; whatsappId: number; staysActive: boolean },
) {
  const { staysActive: lives, ...where } = place
  const user = move.newIdOf(home, 'user', intCell(row, 'userId'))
  const queueId = move.newIdOf(home, 'queue', intCell(row, 'queueId'))
  // An open ticket without an agent becomes pending.
  const status = !lives ? 'closed' : row.status === 'open' && user !== null ? 'open' : 'pending'
  const createdAt = move.timestampCell(row, 'createdAt') ?? move.now()
  return {
    ...where,
    ...{ status, queueId, userId: status === 'pending' ? null : user },
    lastMessage: textCell(row, 'lastMessage', 1000),
    unreadMessages: status === 'closed' ? 0 : Math.max(0, intCell(row, 'unreadMessages') ?? 0),
    isGroup: boolCell(row, 'isGroup'),
    // A customer who had not chosen a queue is asked again at the next message; all others wait for an agent.
    botLeft: status !== 'pending' || queueId !== null,
    ...{ createdAt, updatedAt: move.timestampCell(row, 'updatedAt') ?? createdAt },
  }
}

const rememberTicket = (
  slots: ImportedTickets,
  home: TargetCompany,
  { oldId, row }: { oldId: number; row: TicketRow },
  id: number,
) => {
  const { contactId, whatsappId, isGroup, status, unreadMessages } = row
  const closed = status === 'closed'
  slots.set(oldId, home, {
    id,
    contactId,
    whatsappId,
    isGroup,
    isClosed: closed,
    isAllRead: closed || unreadMessages === 0,
  })
}

/** Where the other system kept no attendances, each ticket counts as one. */
const toSegment = (home: TargetCompany, row: TicketRow, ticketId: number) => {
  const over = row.status === 'closed'
  return {
    ...{ companyId: home.id, ticketId, whatsappId: row.whatsappId, userId: row.userId, queueId: row.queueId },
    ...{ queuedAt: row.createdAt, startedAt: row.userId === null ? null : row.createdAt, createdAt: row.createdAt },
    ...{ finishedAt: over ? row.updatedAt : null, endedBy: over ? 'resolved' : null },
  }
}

/** Who attended a ticket, from when until when; at most one attendance of a ticket is ongoing. */
export async function importSegments(move: ImportRun, slots: ImportedTickets): Promise<void> {
  const name = 'attendances'
  const going = new Set<number>()
  await move.forEachBatch(
    'tickettraking',
    name,
    (row) => {
      const slot = slots.get(intCell(row, 'ticketId'))
      if (!slot) {
        move.skipOrphan(name, 'its ticket did not come', row.id)
        return null
      }
      const createdAt = move.timestampCell(row, 'createdAt') ?? move.now()
      const finished = move.timestampCell(row, 'finishedAt')
      // A closed ticket has no ongoing attendance, any other at most one.
      const isOver = finished !== null || slot.isClosed || going.has(slot.id)
      if (!isOver) going.add(slot.id)
      const entry = {
        oldId: String(row.id),
        row: {
          ...{
            ticketId: slot.id,
            whatsappId: slot.whatsappId,
            userId: move.newIdOf(slot.home, 'user', intCell(row, 'userId')),
          },
          ...{
            queuedAt: move.timestampCell(row, 'queuedAt') ?? createdAt,
            startedAt: move.timestampCell(row, 'startedAt'),
          },
          ...{ ratingAt: move.timestampCell(row, 'ratingAt'), rated: boolCell(row, 'rated'), createdAt },
          finishedAt: isOver ? (finished ?? move.timestampCell(row, 'updatedAt') ?? createdAt) : null,
          endedBy: isOver ? 'resolved' : null,
        },
      }
      return { home: slot.home, entry }
    },
    async (home, entries) => {
      await move.writeEntries(home, 'track', 'ticketTracking', await move.filterNew(home, 'track', entries))
    },
  )
}

/** Ratings are 1 to 3 here; ticketz uses 1 to 5. */
const convertRate = (rate: number, of5: boolean): number =>
  of5 ? (rate <= 2 ? 1 : rate === 3 ? 2 : 3) : Math.min(3, Math.max(1, rate))

export async function importRatings(move: ImportRun, slots: ImportedTickets): Promise<void> {
  const name = 'ratings'
  const of5 = move.kind === 'ticketz'
  await move.forEachBatch(
    'userratings',
    name,
    (row) => {
      const slot = slots.get(intCell(row, 'ticketId'))
      const rate = intCell(row, 'rate')
      if (!slot) move.skipOrphan(name, 'its ticket did not come', row.id)
      else if (rate === null || rate < 1) move.report.countSkipped(name, 'without a number', row.id)
      else {
        if (of5) move.report.countChanged(name, 'from 1–5 to 1–3', row.id)
        const userId = move.newIdOf(slot.home, 'user', intCell(row, 'userId'))
        const values = {
          ticketId: slot.id,
          userId,
          rate: convertRate(rate, of5),
          createdAt: move.timestampCell(row, 'createdAt') ?? move.now(),
        }
        return { home: slot.home, entry: { oldId: String(row.id), row: values } }
      }
      return null
    },
    async (home, entries) => {
      await move.writeEntries(home, 'rating', 'userRatings', await move.filterNew(home, 'rating', entries))
    },
  )
}

export async function importTicketTags(move: ImportRun, slots: ImportedTickets): Promise<void> {
  const name = 'tags on tickets'
  const touched = new Set<TargetCompany>()
  await move.forEachBatch(
    'tickettags',
    name,
    (row) => {
      const slot = slots.get(intCell(row, 'ticketId'))
      const tagId = slot ? move.newIdOf(slot.home, 'tag', intCell(row, 'tagId')) : null
      const oldId = `${row.ticketId}:${row.tagId}`
      if (slot && tagId !== null) return { home: slot.home, entry: { oldId, row: { ticketId: slot.id, tagId } } }
      move.skipOrphan(name, 'its ticket or tag did not come', oldId)
      return null
    },
    async (home, entries) => {
      const once = [...new Map(entries.map((entry) => [entry.oldId, entry])).values()]
      const written = await move.writeEntries(
        home,
        'ticketTag',
        'ticketTags',
        await move.filterNew(home, 'ticketTag', once),
        {
          returningColumn: null,
        },
      )
      if (written.length) touched.add(home)
    },
  )
  if (move.dryRun) return
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

export async function importNotes(move: ImportRun, slots: ImportedTickets): Promise<void> {
  const name = 'notes'
  const people = new Map<number, string>()
  for await (const rows of move.spool.batches('users', 2000))
    for (const row of rows) people.set(intCell(row, 'id') ?? 0, textCell(row, 'name', 50))
  await move.forEachBatch(
    'ticketnotes',
    name,
    (row) => {
      const slot = slots.get(intCell(row, 'ticketId'))
      const note = textCell(row, 'note', 4096).trim()
      const by = intCell(row, 'userId')
      if (!slot) move.skipOrphan(name, 'its ticket did not come', row.id)
      else if (!note) move.report.countSkipped(name, 'empty', row.id)
      else {
        const who = { userId: move.newIdOf(slot.home, 'user', by), userName: people.get(by ?? -1) ?? '' }
        const values = {
          ticketId: slot.id,
          contactId: slot.contactId,
          ...who,
          note,
          createdAt: move.timestampCell(row, 'createdAt') ?? move.now(),
        }
        return { home: slot.home, entry: { oldId: String(row.id), row: values } }
      }
      return null
    },
    async (home, entries) => {
      await move.writeEntries(home, 'note', 'ticketNotes', await move.filterNew(home, 'note', entries))
    },
  )
}

/** After all rows are written: sets the last sender, the waiting time and the attendance of active tickets. */
export async function finishTickets(move: ImportRun): Promise<void> {
  if (move.dryRun) return
  for (const home of move.targetCompanies.values()) {
    const moved = sql`t."companyId" = ${home.id} and t.status in ('open', 'pending') and exists (
      select from "movedRows" m where m."companyId" = t."companyId" and m.source = ${move.source} and m.kind = 'ticket' and m."newId" = t.id)`
    await sql`
      insert into "ticketTracking" ("companyId", "ticketId", "whatsappId", "userId", "queueId", "queuedAt", "startedAt", "createdAt")
      select t."companyId", t.id, t."whatsappId", t."userId", t."queueId", t."createdAt",
        case when t.status = 'open' then t."createdAt" end, t."createdAt"
      from tickets t where ${moved} and not exists (
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
        where ${moved}
      ) s
      where t."companyId" = ${home.id} and t.id = s.id
        and (t."fromMe" is distinct from coalesce(s."fromMe", t."fromMe") or t."waitingSince" is distinct from s.since)`.execute(
      home.scope.db,
    )
  }
}
