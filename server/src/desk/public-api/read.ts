import type { ApiMessage, ApiMessageState } from '@recado/contract/api-access/api-messages'
import { type RawBuilder, sql } from 'kysely'
import { findContactsByKeys } from '../../directory/contacts/contact-store.ts'
import { toIdentityKeys } from '../../directory/contacts/identity.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'
import { allowedLineIds } from './lines.ts'
import { normalizeNumber } from './numbers.ts'

/**
 * An id is assigned before its transaction commits, so a smaller id may become visible after a larger one. At this age
 * all smaller ids are visible, so a reader that continues after such an id misses none.
 */
const commitDelayMs = 3000
/** Tolerated clock difference between processes. */
const maxClockSkewMs = 5000
/** How many messages are scanned for one page of a line or contact; the next page continues after them. */
const maxRowsScanned = 5000

type ApiMessageRow = Omit<ApiMessage, 'state' | 'error' | 'mediaUrl' | 'apiKey'> & {
  companyId: number
  state: 'received' | 'queued' | 'sending' | 'sent' | 'failed'
  ack: number
  read: boolean
  error: string | null
  isDeleted: boolean
  mediaPath: string | null
  keyId: number | null
  keyName: string | null
}

const messageColumnsSql = sql.raw(`
  select m.id::text as id, m."companyId", m.state, m.ack, m.read, m.error, m."fromMe", c.number, m."contactId", m."whatsappId",
    m."ticketId", m.body, m."mediaType", m."mediaPath", m."mediaName", m."isDeleted", m."createdAt", m."ackAt" as "stateAt",
    k.id as "keyId", k.name as "keyName",
    case when m.error = 'locked' and m.state in ('queued', 'sending') then (
      select w."lockedUntil" from whatsapps w where w."companyId" = m."companyId" and w.id = m."whatsappId") end as "waitsUntil"`)
const messageJoins = sql.raw(`
  join contacts c on c."companyId" = m."companyId" and c.id = m."contactId"
  left join "apiKeys" k on k."companyId" = m."companyId" and k.id = m."apiKeyId"`)

function apiStateOf({ fromMe, state, ack, read }: ApiMessageRow): ApiMessageState {
  if (!fromMe) return read ? 'read' : 'delivered'
  if (state === 'failed') return 'failed'
  if (state !== 'sent') return 'queued'
  return ack >= 4 ? 'read' : ack === 3 ? 'delivered' : 'sent'
}

function presentApiMessage(scope: Scope, row: ApiMessageRow): ApiMessage {
  const { id, fromMe, number, contactId, whatsappId, ticketId, mediaType, createdAt, stateAt, waitsUntil } = row
  const state = apiStateOf(row)
  const hidden = { body: '', mediaName: null, mediaUrl: null }
  const shown = { body: row.body, mediaName: row.mediaName, mediaUrl: signedMediaUrl(scope, row) }
  return {
    ...{ id, state, error: state === 'failed' ? (row.error ?? '') : '', fromMe, number, contactId, whatsappId },
    ...{ ticketId, mediaType, createdAt, stateAt, waitsUntil, ...(row.isDeleted ? hidden : shown) },
    apiKey: row.keyId === null ? null : { id: row.keyId, name: row.keyName ?? '' },
  }
}

const onLinesSql = (allowed: number[] | null): RawBuilder<unknown> =>
  allowed ? sql`m."whatsappId" = any(${allowed}::int[])` : sql`true`

export async function findApiMessage(scope: Scope, id: string): Promise<ApiMessage> {
  const { rows } = await sql<ApiMessageRow>`${messageColumnsSql} from messages m ${messageJoins}
    where m."companyId" = ${scope.companyId} and m.id = ${id}::bigint and ${onLinesSql(allowedLineIds(scope))}`.execute(
    scope.db,
  )
  if (!rows[0]) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return presentApiMessage(scope, rows[0])
}

type MessagesQuery = { since: string; limit: number; number: string; whatsappId?: number | null | undefined }
type MessagesPage = { messages: ApiMessage[]; next: string; hasMore: boolean }

/** Returns the next page. `next` continues after the last scanned message, whether it matched or not. */
export async function listApiMessages(scope: Scope, asked: MessagesQuery): Promise<MessagesPage> {
  const { after, from } = await resolveCursor(scope, asked.since)
  const allowed = wantedLines(scope, asked.whatsappId)
  const contactId = asked.number === '' ? null : await findContactId(scope, asked.number)
  if (contactId === undefined) return { messages: [], next: String(after), hasMore: false }
  const looked = await readSettledRows(scope, after, contactId)
  const wanted = looked.filter(
    (row) => Date.parse(row.storedAt) >= from && (!allowed || allowed.includes(row.whatsappId)),
  )
  const page = wanted.slice(0, asked.limit)
  const isCut = wanted.length > page.length
  const last = isCut ? page.at(-1) : looked.at(-1)
  const { rows } = page.length
    ? await sql<ApiMessageRow>`${messageColumnsSql} from messages m ${messageJoins}
        where m."companyId" = ${scope.companyId} and m.id = any(${page.map(({ id }) => id)}::bigint[]) order by m.id`.execute(
        scope.db,
      )
    : { rows: [] }
  return {
    messages: rows.map((row) => presentApiMessage(scope, row)),
    next: last?.id ?? String(after),
    hasMore: isCut || looked.length === maxRowsScanned,
  }
}

/** The contact's id; undefined if the number is unknown, which gives an empty page. */
async function findContactId(scope: Scope, typed: string): Promise<number | undefined> {
  const number = normalizeNumber(typed)
  const [contact] = number ? (await findContactsByKeys(scope, toIdentityKeys({ phone: number }), false)).values() : []
  return contact?.id
}

function wantedLines(scope: Scope, whatsappId: number | null | undefined): number[] | null {
  const allowed = allowedLineIds(scope)
  if (!whatsappId) return allowed
  return !allowed || allowed.includes(whatsappId) ? [whatsappId] : []
}

/** Messages after an id, up to the newest that is old enough (see `commitDelayMs`). */
async function readSettledRows(scope: Scope, after: number, contactId: number | null) {
  const { rows } = await sql<{ id: string; whatsappId: number; storedAt: string }>`
    select m.id::text as id, m."whatsappId", m."storedAt" from messages m
    where m."companyId" = ${scope.companyId} and m.id > ${after} ${contactId === null ? sql`` : sql`and m."contactId" = ${contactId}`}
    order by m.id limit ${sql.lit(maxRowsScanned)}`.execute(scope.db)
  const settled = scope.now().getTime() - commitDelayMs
  const fresh = rows.findIndex(({ storedAt }) => Date.parse(storedAt) > settled)
  return fresh < 0 ? rows : rows.slice(0, fresh)
}

/** The start of a page: after an id given as `next`, or at a time. */
async function resolveCursor(scope: Scope, since: string): Promise<{ after: number; from: number }> {
  if (since === '') return { after: 0, from: 0 }
  if (/^\d{1,18}$/.test(since)) return { after: Number(since), from: 0 }
  const from = Date.parse(since)
  if (Number.isNaN(from)) throw new AppError('ERR_VALIDATION', { since: 'Invalid' })
  return { after: await firstIdAt(scope, new Date(from - maxClockSkewMs)), from }
}

/**
 * Ids are assigned in the order of writing, so the first id of a time is found by binary search in some thirty lookups. A
 * separate index would slow down every stored message.
 */
async function firstIdAt(scope: Scope, at: Date): Promise<number> {
  const { rows } = await sql<{ lo: string | null }>`
    with recursive halves (lo, hi) as (
      select min(id), max(id) + 1 from messages where "companyId" = ${scope.companyId}
      union all
      select case when m."storedAt" < ${at} then m.id + 1 else h.lo end,
        case when m."storedAt" < ${at} then h.hi else (h.lo + h.hi) / 2 end
      from halves h left join lateral (
        select id, "storedAt" from messages where "companyId" = ${scope.companyId} and id >= (h.lo + h.hi) / 2
        order by id limit 1
      ) m on true
      where h.lo < h.hi
    )
    select lo::text as lo from halves where lo >= hi limit 1`.execute(scope.db)
  return rows[0]?.lo ? Number(rows[0].lo) - 1 : 0
}
