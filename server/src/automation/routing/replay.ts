import type { RoutingMode } from '@recado/contract/queues'
import { minutes } from '../../kernel/clock.ts'
import { forEachInTimeSlices } from '../../kernel/time-slices.ts'
import { chooseAgent, chooseTicket, type RoutableAgent, type TicketNeeds } from './choose-agent.ts'

/** A ticket as it was: when it began to wait, who attended it from when on, and when it ended. In milliseconds. `weight`: the places it takes. */
export type AttendedTicket = {
  queuedAt: number
  startedAt: number
  finishedAt: number
  userId: number
  weight: number
}
export type ReplayRules = { routing: RoutingMode; capacity: number | null }
export type ReplayPerson = { id: number; capacity: number | null; presence: TimeSpan[] }
export type TimeSpan = { from: number; to: number }

/** Two actions of a person this far apart belong to one presence: in between the person was there. */
const maxIdleMs = minutes(120)

/** When each person was there, judged by when they took and ended tickets. */
export function findPresence(tickets: AttendedTicket[]): Map<number, TimeSpan[]> {
  const moments = new Map<number, number[]>()
  for (const { userId, startedAt, finishedAt } of tickets) {
    const own = moments.get(userId) ?? []
    moments.set(userId, own)
    own.push(startedAt, finishedAt)
  }
  return new Map([...moments].map(([userId, times]) => [userId, joinMoments(times)]))
}
function joinMoments(times: number[]): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (const at of times.toSorted((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last && at - last.to <= maxIdleMs) last.to = at
    else spans.push({ from: at, to: at })
  }
  return spans
}

/** When anybody was there: the hours of a person more. */
export function joinPresence(all: Iterable<TimeSpan[]>): TimeSpan[] {
  const joined: TimeSpan[] = []
  for (const span of [...all].flat().toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else joined.push({ ...span })
  }
  return joined
}

type ReplayEvent =
  | { at: number; kind: 'arrive'; ticket: AttendedTicket }
  | { at: number; kind: 'join' | 'leave'; agent: RoutableAgent }
const eventOrder = { join: 0, arrive: 1, leave: 2 }

/**
 * How long each ticket would have waited, in milliseconds, if the server had assigned it by these rules, in the order of
 * the tickets; null for a ticket for which nobody came. Each ticket stays open as long as it did. Yields to the event
 * loop, because a month may have thousands of tickets.
 */
export async function replayTickets(
  tickets: AttendedTicket[],
  people: ReplayPerson[],
  rules: ReplayRules,
): Promise<(number | null)[]> {
  const agents = people.map(
    ({ id, capacity }): RoutableAgent => ({
      ...{ id, name: '', online: false, availability: 'available', onShift: true, capacity },
      ...{ places: 0, skillIds: [], routedAt: null },
    }),
  )
  const byId = new Map(agents.map((agent) => [agent.id, agent]))
  const waits = new Map<AttendedTicket, number>()
  const waiting = makeWaitingLine()
  const ends = makeTimeHeap<{ agent: RoutableAgent; weight: number }>()
  const replayed = { ...rules, lastAgentFirst: false, ownerFirst: false }
  /** Pauses after each ticket: one free place may be followed by thousands of assignments. */
  function* assignAll(now: number) {
    for (;;) {
      const next = chooseTicket(waiting.heads(), agents, replayed)
      const choice = next && chooseAgent(next.agents, replayed, { ...next.ticket, ownerId: null, lastAgentId: null })
      const agent = choice && byId.get(choice.userId)
      if (!agent) return
      const ticket = waiting.take(next.ticket.weight)
      waits.set(ticket, now - ticket.queuedAt)
      agent.places += ticket.weight
      agent.routedAt = new Date(now).toISOString()
      ends.push(now + Math.max(0, ticket.finishedAt - ticket.startedAt), { agent, weight: ticket.weight })
      yield
    }
  }
  function* run() {
    for (const event of listEvents(tickets, people, byId)) {
      for (let end = ends.popUntil(event.at); end; end = ends.popUntil(event.at)) {
        end.item.agent.places -= end.item.weight
        yield* assignAll(end.at)
      }
      if (event.kind === 'arrive') waiting.push(event.ticket)
      else event.agent.online = event.kind === 'join'
      yield* assignAll(event.at)
      yield
    }
  }
  await forEachInTimeSlices(run(), () => {})
  return tickets.map((ticket) => waits.get(ticket) ?? null)
}

/** The waiting tickets by weight: those of one weight are served in their order. */
function makeWaitingLine() {
  const lines = new Map<number, { tickets: AttendedTicket[]; first: number }>()
  return {
    push(ticket: AttendedTicket): void {
      const line = lines.get(ticket.weight) ?? { tickets: [], first: 0 }
      lines.set(ticket.weight, line)
      line.tickets.push(ticket)
    },
    /** The first ticket of each weight, the oldest first. */
    heads(): TicketNeeds[] {
      const heads = [...lines.values()].flatMap(({ tickets, first }) => tickets[first] ?? [])
      return heads
        .sort((a, b) => a.queuedAt - b.queuedAt)
        .map(({ weight }) => ({ weight, skills: [], takesAnybody: false }))
    },
    take(weight: number): AttendedTicket {
      const line = lines.get(weight)
      return line?.tickets[line.first++] as AttendedTicket
    },
  }
}

function listEvents(
  tickets: AttendedTicket[],
  people: ReplayPerson[],
  byId: Map<number, RoutableAgent>,
): ReplayEvent[] {
  const arrivals = tickets.map((ticket): ReplayEvent => ({ at: ticket.queuedAt, kind: 'arrive', ticket }))
  const comings = people.flatMap(({ id, presence }) =>
    presence.flatMap(({ from, to }): ReplayEvent[] => {
      const agent = byId.get(id) as RoutableAgent
      return [
        { at: from, kind: 'join', agent },
        { at: to, kind: 'leave', agent },
      ]
    }),
  )
  return [...arrivals, ...comings].sort((a, b) => a.at - b.at || eventOrder[a.kind] - eventOrder[b.kind])
}

/** A binary heap of items by time. */
function makeTimeHeap<T>() {
  const heap: { at: number; item: T }[] = []
  const atOf = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY
  const swap = (a: number, b: number) => {
    const [x, y] = [heap[a], heap[b]]
    if (x && y) [heap[a], heap[b]] = [y, x]
  }
  return {
    push(at: number, item: T): void {
      let index = heap.push({ at, item }) - 1
      for (let parent = (index - 1) >> 1; index > 0 && atOf(parent) > atOf(index); parent = (index - 1) >> 1) {
        swap(index, parent)
        index = parent
      }
    },
    /** The earliest item, if it is due. */
    popUntil(at: number): { at: number; item: T } | undefined {
      const first = heap[0]
      if (!first || first.at > at) return undefined
      const last = heap.pop()
      if (last && heap.length > 0) heap[0] = last
      for (let index = 0; ; ) {
        const child = atOf(2 * index + 1) <= atOf(2 * index + 2) ? 2 * index + 1 : 2 * index + 2
        if (atOf(child) >= atOf(index)) return first
        swap(index, child)
        index = child
      }
    },
  }
}
