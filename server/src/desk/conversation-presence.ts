import { topics } from '@recado/contract/live'
import type { Socket } from 'socket.io'
import type { Actor } from '../kernel/actor.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'
import type { Log } from '../kernel/log.ts'
import { canSeeTicket, loadViewer } from './tickets/base/visibility.ts'

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /**
     * Signal that an agent started or stopped typing to a customer. The payload is company, line, contact, and on or
     * off.
     */
    typing: [about: string]
  }
}

/** Typing ends after this long without an event. Browsers repeat the event while keys are pressed. */
const typingTimeoutMs = 6000
/** How often expired typing is checked while someone types. */
const pollMs = 1000
/** Customers' phones show typing for some ten seconds: repeating it more often would only add traffic. */
const customerTypingRepeatMs = 4000

const roomOfTicket = (companyId: number, ticketId: number) => `chat-${companyId}-${ticketId}`
const chatRoomPattern = /^chat-(\d+)-(\d+)$/

type Typist = { actor: Actor; socket: Socket; ticketId: number; publishedAt: number }

/**
 * Publishes which users have a conversation open, and which of them type. The audience is the users who have it open and
 * may see the ticket, which is checked every time. The customer sees when their own agent types.
 */
export function trackConversationPresence(live: LiveUpdates, deps: Deps, log: Log): { close(): Promise<void> } {
  const typists = new Map<string, Typist>()
  /** Rooms for which a publish is in progress; true if it must run again afterwards. */
  const publishingRooms = new Map<string, boolean>()
  const work = new Set<Promise<void>>()
  let closed = false
  let pollTimer: NodeJS.Timeout | undefined
  const now = () => deps.clock.now().getTime()
  const failed = (err: unknown) => log.warn({ err }, 'could not publish who is viewing')

  live.onJoin('joinChatBox', async ({ companyId, id }, about, leaving) => {
    const ticketId = /^\d{1,9}$/.test(about) ? Number(about) : 0
    if (!ticketId || !(leaving || (await findUsersWhoSee(deps, companyId, ticketId, [id])).has(id))) return []
    return [roomOfTicket(companyId, ticketId)]
  })
  live.onMembershipChange((room) => {
    if (chatRoomPattern.test(room)) live.notifyRoomChanged(room)
  })
  live.onRoomChanged(publishSoon)
  live.onClientState('agentTyping', (actor, socket, about, on) => {
    const room = roomOfTicket(actor.companyId, Number(about))
    if (!socket.rooms.has(room)) return
    const key = `${socket.id} ${room}`
    const known = typists.get(key)
    if (!on) return known && endTyping(key, known)
    socket.data.busy = { ...socket.data.busy, [room]: now() + typingTimeoutMs }
    const typist = known ?? { actor, socket, ticketId: Number(about), publishedAt: 0 }
    typists.set(key, typist)
    pollTimer ??= setInterval(endExpiredTyping, pollMs).unref()
    if (!known) live.notifyRoomChanged(room)
    if (now() - typist.publishedAt < customerTypingRepeatMs) return
    typist.publishedAt = now()
    return publishTypingToCustomer(deps, typist, true)
  })

  function endTyping(key: string, { actor, socket, ticketId, ...typist }: Typist): Promise<void> {
    const room = roomOfTicket(actor.companyId, ticketId)
    typists.delete(key)
    const { [room]: _, ...busy } = socket.data.busy ?? {}
    socket.data.busy = busy
    live.notifyRoomChanged(room)
    return publishTypingToCustomer(deps, { actor, socket, ticketId, ...typist }, false)
  }
  /** Ends typing that has expired or whose socket is gone. */
  function endExpiredTyping(): void {
    for (const [key, typist] of typists) {
      const room = roomOfTicket(typist.actor.companyId, typist.ticketId)
      if (!typist.socket.rooms.has(room) || (typist.socket.data.busy?.[room] ?? 0) <= now())
        endTyping(key, typist).catch(failed)
    }
    if (typists.size) return
    clearInterval(pollTimer)
    pollTimer = undefined
  }

  /**
   * Several changes at one moment are published together. Each process publishes only to its own browsers, after it is
   * notified of a change: publishing to the browsers of another process could send stale state.
   */
  function publishSoon(room: string): void {
    if (closed) return
    if (publishingRooms.has(room)) return void publishingRooms.set(room, true)
    publishingRooms.set(room, false)
    const publishing = new Promise((resolve) => setImmediate(resolve)).then(async () => {
      publishingRooms.set(room, false)
      await publishPresence(room).catch(failed)
      const more = publishingRooms.get(room)
      publishingRooms.delete(room)
      work.delete(publishing)
      if (more) publishSoon(room)
    })
    work.add(publishing)
  }
  async function publishPresence(room: string): Promise<void> {
    const [, companyId = 0, ticketId = 0] = (chatRoomPattern.exec(room) ?? []).map(Number)
    if (!live.hasLocalSeats(room)) return
    const { seats, whole } = await live.seats(room)
    // A process did not answer, because it has just died or is slow: the publish is repeated until all answer.
    if (!whole) publishSoon(room)
    const allowed = await findUsersWhoSee(
      deps,
      companyId,
      ticketId,
      seats.map((s) => s.person.id),
    )
    const people = new Map<number, { id: number; name: string; typing: boolean }>()
    for (const { person, busy } of seats) {
      if (!allowed.has(person.id)) live.evict(person.id, room)
      else {
        const typing = (busy[room] ?? 0) > now() || people.get(person.id)?.typing === true
        people.set(person.id, { ...person, typing })
      }
    }
    const publishing = { ticketId, people: [...people.values()].sort((a, b) => a.id - b.id) }
    live.publish(topics.watching, companyId, publishing, { here: room })
  }

  return {
    async close() {
      closed = true
      clearInterval(pollTimer)
      await Promise.all(work)
    },
  }
}

/** Which of these users may see the ticket. */
async function findUsersWhoSee(
  deps: Deps,
  companyId: number,
  ticketId: number,
  userIds: number[],
): Promise<Set<number>> {
  const scope = new Scope(deps, { companyId })
  const ticket = await scope.db
    .selectFrom('tickets')
    .select(['companyId', 'userId', 'queueId', 'status'])
    .where('companyId', '=', companyId)
    .where('id', '=', ticketId)
    .executeTakeFirst()
  const allowedUserIds = new Set<number>()
  if (!ticket) return allowedUserIds
  for (const id of new Set(userIds)) {
    const viewer = await loadViewer(scope, id)
    if (viewer && canSeeTicket(viewer, ticket)) allowedUserIds.add(id)
  }
  return allowedUserIds
}

/** Shows typing on the customer's phone, only for the ticket's own agent. The process that runs the line sends it. */
async function publishTypingToCustomer(deps: Deps, { actor, ticketId }: Typist, on: boolean): Promise<void> {
  const scope = new Scope(deps, { companyId: actor.companyId })
  const ticket = await scope.db
    .selectFrom('tickets')
    .select(['whatsappId', 'contactId'])
    .where('companyId', '=', actor.companyId)
    .where('id', '=', ticketId)
    .where('userId', '=', actor.id)
    .where('status', '=', 'open')
    .executeTakeFirst()
  if (ticket?.whatsappId)
    await scope.signal('typing', `${actor.companyId} ${ticket.whatsappId} ${ticket.contactId} ${on ? 'on' : 'off'}`)
}
