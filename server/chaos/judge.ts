/**
 * A message that a customer's phone sent. `second`: its time by the vendor's clock; `turn`: when the server first
 * acknowledged it.
 */
export type SentByCustomer = { chat: string; id: string; second: number; turn: number }
/** The messages that reached a customer's phone, in this order. */
export type ReceivedByCustomer = { chat: string; id: string; text: string }
/** A message row. The rows are in the order in which conversations show them. */
export type StoredMessage = {
  id: string
  wid: string
  chat: string
  fromMe: boolean
  body: string
  state: string
  error: string | null
  mediaState: string
  clientId: string | null
  /** Low priority: all other messages of the line may be sent before it. */
  later: boolean
  at: string
}
/** An action a user requested, whether it was confirmed, and how its effect is recognised. */
export type RequestedAction =
  | { kind: 'send'; wasConfirmed: boolean; clientId: string }
  | { kind: 'schedule' | 'campaign'; wasConfirmed: boolean; chat: string; text: string }
/** The states that a ticket may have after its last confirmed action; several if an action was not confirmed. */
export type TicketOutcome = { ticketId: number; allowed: string[]; actual: string; history: string[] }
/** A list as an agent's screen shows it, and the same list read again from the server. */
export type ScreenComparison = { agent: string; list: string; shown: string[]; reread: string[] }
export type ChaosEvidence = {
  sent: SentByCustomer[]
  received: ReceivedByCustomer[]
  rows: StoredMessage[]
  requests: RequestedAction[]
  tickets: TicketOutcome[]
  screens: ScreenComparison[]
  /** Messages for which a user pressed "try again": they are expected at the position of the retry. */
  retried: string[]
  /** Unfinished or failed journal entries, and other pending work. */
  unfinished: string[]
  /** Scheduled messages that ended with an error, which their author reads on the schedules screen. */
  failedSchedules: { text: string; error: string }[]
}
export type ChaosVerdict = {
  in: number
  out: number
  lost: number
  doubled: number
  disordered: number
  /** How many screens, confirmed calls and items of work do not match the database. */
  astray: number
  faults: string[]
}

const findRepeats = <T>(all: T[], key: (one: T) => string): [string, number][] =>
  [...Map.groupBy(all, key)].filter(([, same]) => same.length > 1).map(([name, same]) => [name, same.length - 1])

/** How many items are out of order: all except the longest increasing sequence. */
export function countOutOfOrder(places: number[]): number {
  const ends: number[] = []
  for (const place of places) {
    const at = ends.findIndex((end) => end >= place)
    if (at < 0) ends.push(place)
    else ends[at] = place
  }
  return places.length - ends.length
}

/** Compares the actual order of each chat with the expected one. */
function describeDisorder(
  chat: string,
  stands: string[],
  should: string[],
  more = (id: string) => id.slice(-5),
): string[] {
  const places = new Map(should.map((id, n) => [id, n]))
  const wrong = countOutOfOrder(stands.flatMap((id) => places.get(id) ?? []))
  const short = (ids: string[]) => ids.map(more).join(' ')
  return Array.from({ length: wrong }, () => `order of ${chat}: ${short(stands)} and not ${short(should)}`)
}

/** Compares the phones' record, the database and every screen. */
export function judgeEvidence(evidence: ChaosEvidence): ChaosVerdict {
  const { sent: said, received, rows } = evidence
  const incoming = rows.filter((row) => !row.fromMe)
  const outgoing = rows.filter((row) => row.fromMe)
  const lost: string[] = []
  const doubled: string[] = []
  const disordered: string[] = []
  const astray: string[] = []

  const storedWids = new Set(incoming.map((row) => row.wid))
  for (const one of said) if (!storedWids.has(one.id)) lost.push(`${one.id} of ${one.chat} is not in the database`)
  for (const [id, more] of findRepeats(incoming, (row) => row.wid)) doubled.push(`${id} stands ${more + 1} times`)
  const known = new Set(said.map((one) => one.id))
  for (const row of incoming) if (!known.has(row.wid)) astray.push(`nobody sent ${row.wid}`)

  const arrived = new Set(received.map((one) => one.id))
  const written = new Set(outgoing.map((row) => row.wid))
  for (const row of outgoing) {
    if (!arrived.has(row.wid))
      lost.push(`${row.wid} (${row.body}) is ${row.state} ${row.error ?? ''} and never arrived`)
    else if (row.state !== 'sent') astray.push(`${row.wid} arrived and is shown as ${row.state} ${row.error ?? ''}`)
  }
  for (const [id, more] of findRepeats(received, (one) => one.id)) doubled.push(`${id} arrived ${more + 1} times`)
  for (const one of received) if (!written.has(one.id)) astray.push(`nobody wrote ${one.id} (${one.text})`)

  const chats = new Set(rows.map((row) => row.chat))
  for (const chat of chats) {
    // The messages of a chat by the vendor's clock, then by arrival at the server.
    const sent = said.filter((one) => one.chat === chat).toSorted((a, b) => a.second - b.second || a.turn - b.turn)
    const shown = incoming.filter((row) => row.chat === chat).map((row) => row.wid)
    disordered.push(
      ...describeDisorder(
        chat,
        shown,
        sent.map((one) => one.id),
      ),
    )
    const ours = outgoing.filter((row) => row.chat === chat && !evidence.retried.includes(row.wid))
    const there = received.filter((one) => one.chat === chat).map((one) => one.id)
    const when = new Map(ours.map((row) => [row.wid, `${row.wid.slice(-5)} (${row.id}, ${new Date(row.at).toJSON()})`]))
    // All other messages may be sent before low-priority messages, so the order is compared within each priority.
    for (const later of [true, false]) {
      const like = ours.filter((row) => row.later === later).map((row) => row.wid)
      disordered.push(...describeDisorder(chat, there, like, (id) => when.get(id) ?? id.slice(-5)))
    }
  }

  for (const row of incoming)
    if (row.mediaState === 'pending' || row.mediaState === 'failed') astray.push(`the file of ${row.wid} is not here`)
  // A confirmed action must have happened once; an unconfirmed action at most once.
  for (const one of evidence.requests) {
    const [name, times] = countEffects(one, evidence)
    if (times > 1) doubled.push(`${name} is there ${times} times`)
    if (times === 0 && one.wasConfirmed && !lostAccess(one, evidence))
      lost.push(`${name} was promised and is not there${describeScheduleError(one, evidence)}`)
  }
  for (const { ticketId, allowed: may, actual: is, history } of evidence.tickets)
    if (!may.includes(is))
      astray.push([`ticket ${ticketId} is ${is}, and was left as ${may.join(' or ')}`, ...history].join('\n  '))
  for (const { agent: whose, list, shown: shows, reread: reads } of evidence.screens)
    if (JSON.stringify(shows) !== JSON.stringify(reads))
      astray.push(`the screen of ${whose} shows of ${list} ${describeDifference(shows, reads)}`)
  astray.push(...evidence.unfinished)

  return {
    in: said.length,
    out: received.length,
    lost: lost.length,
    doubled: doubled.length,
    disordered: disordered.length,
    astray: astray.length,
    faults: [...lost, ...doubled, ...disordered, ...astray],
  }
}

const scheduleError = (one: RequestedAction, { failedSchedules }: ChaosEvidence): string | undefined =>
  one.kind === 'schedule' ? failedSchedules.find(({ text }) => text === one.text)?.error : undefined
const describeScheduleError = (one: RequestedAction, evidence: ChaosEvidence): string => {
  const error = scheduleError(one, evidence)
  return error ? `: ${error}` : ''
}
/** A colleague took the ticket, which has no queue, before the message was due: its author may not write there. */
const lostAccess = (one: RequestedAction, evidence: ChaosEvidence): boolean =>
  scheduleError(one, evidence) === 'no-access'

function countEffects(one: RequestedAction, { rows, received }: ChaosEvidence): [name: string, times: number] {
  if (one.kind === 'send') return [one.clientId, rows.filter((row) => row.clientId === one.clientId).length]
  const there = received.filter((g) => g.chat === one.chat && g.text === one.text).length
  return [`${one.kind} "${one.text}" for ${one.chat}`, there]
}

function describeDifference(shows: string[], reads: string[]): string {
  const only = (one: string[], other: string[]) => one.filter((line) => !other.includes(line)).join(' | ')
  return `${only(shows, reads) || 'nothing more'}, and is ${only(reads, shows) || 'in another order'}`
}
