import type { Hit, Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { hot } from '../../kernel/hot.ts'
import { like } from '../../kernel/records.ts'
import type { Scope } from '../../kernel/scope.ts'

/** Tickets that a search found; those it found by a message, with the moment of the newest such message. */
export type Found = Map<number, string | null>

/** So many signs of a message stand before what was looked for, and so many in all. */
const lead = 24
const most = 140

/** What was said where the search hit, for the tickets of a page: each is read by the key of the thread it stands in. */
export async function withHits(scope: Scope, tickets: Ticket[], found: Found, words: string): Promise<Ticket[]> {
  const by = tickets.flatMap(({ id }) => found.get(id) ?? [])
  if (!by.length) return tickets
  const ids = tickets.filter(({ id }) => found.get(id)).map(({ id }) => id)
  const { rows } = await sql<{ ticketId: number; id: string; body: string }>`${hot}
    select distinct on (t.id) t.id as "ticketId", m.id::text as id, m.body
    from unnest(${ids}::int[], ${by}::timestamptz[]) w (id, at)
    join tickets t on t."companyId" = ${scope.companyId} and t.id = w.id
    join messages m on m."companyId" = t."companyId" and m."contactId" = t."contactId" and m."whatsappId" = t."whatsappId"
      and m."createdAt" = w.at and m."ticketId" = t.id
    where not m."isDeleted" and fold(m.body) like fold(${like(words)})
    order by t.id, m.id desc`.execute(scope.db)
  const hits = new Map(rows.map((row) => [row.ticketId, hitIn(row, words)]))
  return tickets.map((ticket) => {
    const hit = hits.get(ticket.id)
    return hit ? { ...ticket, hit } : ticket
  })
}

/** Without accents and capitals, as the database compares; one sign at a time, so that places can be told. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Looking at each sign costs: of a long text this much around the place where the words are, give or take. */
const around = 1000
function near(text: string, needle: string): { text: string; cutBefore: boolean; cutAfter: boolean } {
  const at = Math.max(0, fold(text).indexOf(needle))
  const [from, to] = [Math.max(0, at - around), at + needle.length + around]
  return { text: text.slice(from, to), cutBefore: from > 0, cutAfter: to < text.length }
}

/** Where the words are: the first sign, and the one after the last. */
function placeOf(signs: string[], needle: string): { start: number; end: number } {
  const whole = fold(signs.join(''))
  const at = whole.indexOf(needle)
  if (at < 0) return { start: 0, end: 0 }
  // Almost always each sign stays one: then a place in one is that place in the other.
  if (whole.length === signs.length) return { start: at, end: at + needle.length }
  // Else: which sign each letter of the folded text came from.
  const from = signs.flatMap((sign, i) => Array.from({ length: fold(sign).length }, () => i))
  const start = from[at] ?? 0
  return { start, end: (from[at + needle.length - 1] ?? start) + 1 }
}

/** The words with what stands around them, in one line. */
export function hitIn(message: { id: string; body: string }, words: string): Hit {
  const needle = fold(words.replace(/\s+/g, ' '))
  const { text, cutBefore, cutAfter } = near(message.body.replace(/\s+/g, ' '), needle)
  const signs = [...text]
  const { start, end } = placeOf(signs, needle)
  const first = Math.max(0, start - lead)
  const last = Math.max(end, first + most)
  const piece = (a: number, b: number) => signs.slice(a, b).join('')
  return {
    messageId: message.id,
    before: `${first > 0 || cutBefore ? '…' : ''}${piece(first, start)}`,
    words: piece(start, end),
    after: `${piece(end, last)}${last < signs.length || cutAfter ? '…' : ''}`,
  }
}
