import { createServer, type Server as HttpServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { payloadSchemaOf } from '@recado/contract/live-payload-schemas'
import type { Topic } from '@recado/contract/topic'
import type pg from 'pg'
import { Server } from 'socket.io'
import type { Actor } from '../actor.ts'
import { isTransientError } from '../errors.ts'
import type { OriginCheck } from '../http/origins.ts'
import type { Log } from '../log.ts'
import { currentTraceId } from '../trace.ts'
import { makePeers, type Peers } from './peers.ts'
import { makeRoomActivity } from './room-activity.ts'
import { lockedCompanyRoom, makeSocketAdmission } from './socket-admission.ts'
import { makeLocalSockets, type RoomSeat, readBrowserCookie, type SocketEndReason } from './sockets.ts'

/** Who hears a topic. */
export type Audience =
  | { company: number }
  | { admins: number }
  | { users: number[] }
  | { super: true }
  | { everyone: true }
  | { session: string }
  /** `except`: not those who sit in one of these, too. */
  | { rooms: string[]; except?: string[] }
  /** Of the sockets of this process those in the room: each process says it to its own. */
  | { here: string }

export type LiveUpdates = ReturnType<typeof makeLiveUpdates>
/** A place in the line of those who have news: `before` is over when all in front have told theirs, if there are any. */
export type PublishTurn = { before: Promise<void>; done: () => void }
/** What other processes are to do with their sockets. */
type PeerMessage =
  | { rooms: string[]; except?: string[] | undefined; name: string; payload: unknown; because?: string | undefined }
  /** `how` says more than `away`, which the previous release reads. */
  | { ended: string; away: boolean; how?: SocketEndReason }
  | { back: string; actor: Actor }
  | { evicted: number; room: string }
  | { stirred: string }

const roomsOfAudience = (to: Audience): string[] => {
  if ('company' in to) return [`company-${to.company}`]
  if ('rooms' in to) return to.rooms
  if ('here' in to) return [to.here]
  if ('admins' in to) return [`company-${to.admins}-admin`]
  if ('users' in to) return to.users.map((id) => `user-${id}`)
  if ('session' in to) return [`session-${to.session}`]
  return ['super' in to ? 'super' : 'everyone']
}

/** So often it is asked whether a lost answer's question is over; a server that says nothing for a minute is not waited for. */
const pollMs = 250
const maxPolls = 240

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What is said to open browsers, here and in other processes. `socketsEach`: so many may one person have open. */
export function makeLiveUpdates(log: Log, socketsEach?: number) {
  const io = new Server({
    transports: ['websocket'],
    perMessageDeflate: false,
    pingInterval: 18_000,
    serveClient: false,
    // Browsers only ever say where they are.
    maxHttpBufferSize: 20 * 1024,
  })
  const lately = makeRoomActivity()
  const door = makeSocketAdmission(log, lately.quietMs, socketsEach)
  const here = makeLocalSockets(io)
  const onRoom: ((room: string) => void)[] = []
  const onStir: ((room: string) => void)[] = []
  const answerers = new Map<string, (about: unknown) => unknown>([['seats', (room) => here.seats(String(room))]])
  let http: HttpServer | undefined
  let peers: Peers<PeerMessage> | undefined
  const waiting = new Map<number, Promise<void>>()
  const changes = new Map<number, number>()

  /** Who waits for the payment of their company is not. */
  const atWork = (): Actor[] => here.actors().filter((actor) => !actor.locked)
  /** Who is away has no socket that lives, though it is still there. */
  function end(sessionId: string, how: SocketEndReason): void {
    for (const socket of here.end(sessionId, how)) if (how === 'away') door.gone(socket)
  }
  function bring(browser: string, actor: Actor): void {
    for (const socket of here.back(browser, actor)) void door.admit(socket)
  }
  /** What another process says to sockets of ours. */
  function hearPeer(word: PeerMessage): void {
    if ('ended' in word) end(word.ended, word.how ?? (word.away ? 'away' : 'over'))
    else if ('back' in word) bring(word.back, word.actor)
    else if ('evicted' in word) here.evict(word.evicted, word.room)
    else if ('stirred' in word) for (const listen of onStir) listen(word.stirred)
    else emitHere(word)
  }
  /** Nobody can say what our browsers have not heard: they come back and read everything again, if one was here by then. */
  function missedWords(agoMs: number): void {
    const sockets = [...io.sockets.sockets.values()]
    if (!sockets.some(({ handshake }) => Date.now() - handshake.issued > agoMs)) return
    log.warn('words of another process got lost: browsers read again')
    hangUp()
  }
  /** Without a word of goodbye: a client that hears one stays away, and one whose line broke comes back by itself. */
  function hangUp(isMeant: (actor: Actor | undefined) => boolean = () => true): void {
    for (const socket of io.sockets.sockets.values()) if (isMeant(socket.data.actor)) socket.conn.close()
  }
  /** Of which companies something may be written that nobody said, and how it is known that this is decided. */
  const unsaid: { companyId: number; isOver: () => Promise<boolean> }[] = []
  let isDeciding = false
  let closed = false
  /** What is decided meanwhile is read together: after an outage there may be many. */
  async function decide(): Promise<void> {
    isDeciding = true
    for (let looks = 1; !closed; looks++) {
      const over = await Promise.all(unsaid.map(({ isOver }) => isOver().catch(() => false)))
      if ((over.length === unsaid.length && over.every(Boolean)) || looks === maxPolls) break
      await pause(pollMs, undefined, { ref: false })
    }
    isDeciding = false
    const companies = new Set(unsaid.splice(0).map(({ companyId }) => companyId))
    if (closed || !companies.size) return
    log.warn({ companies: [...companies] }, 'perhaps something was written and not told: browsers read again')
    // Who acts for the platform may have written to any.
    hangUp((actor) => companies.has(0) || companies.has(actor?.companyId ?? 0))
    peers?.miss()
  }
  /** What set it off stands beside the payload, where older clients do not look. */
  function emitHere({ rooms: heardIn, except = [], name, payload, because }: Said): void {
    lately.said(heardIn)
    const sockets = io.local.to(heardIn).except(except)
    if (because) sockets.emit(name, payload, { trace: because })
    else sockets.emit(name, payload)
  }
  type Said = Extract<PeerMessage, { name: string }>
  function emit(said: Said, hereAlone: boolean): void {
    emitHere(said)
    if (!hereAlone) peers?.tell(said)
  }

  return {
    /**
     * `identify` turns what a handshake brings into a person, or null. Through `pool` other processes are told, too.
     * Without a server nobody's socket comes here, and the others are told all the same.
     */
    attach(
      server: HttpServer | null,
      identify: (brought: { ticket: string; token: string }) => Promise<Actor | null>,
      origins: { cors: string[]; isOwn: OriginCheck },
      pool: pg.Pool,
    ): void {
      // The library wants a door, also where it stays shut.
      http = server ?? createServer()
      peers = makePeers<PeerMessage>(io, pool, log, hearPeer, missedWords)
      for (const [name, answer] of answerers) peers.onAsk(name, answer)
      for (const listen of onRoom) {
        io.sockets.adapter.on('join-room', listen)
        io.sockets.adapter.on('leave-room', listen)
      }
      io.attach(http, {
        cors: { origin: origins.cors, credentials: true },
        // Browsers open sockets to any site without asking it first: a page of another one is refused here.
        allowRequest: ({ headers }, decide) => decide(null, origins.isOwn(headers.origin, headers.host)),
      })
      io.use((socket, next) => {
        const { query, auth } = socket.handshake
        // Older clients have their token in the address, where proxies write it down; ours has a ticket beside it.
        identify({ ticket: textOrEmpty(auth.ticket), token: textOrEmpty(query.token ?? auth.token) })
          .then((actor) => {
            // As a line that broke: whoever closes a tab meanwhile is let in with the next try.
            if (actor && !door.hasRoom(socket, actor)) return void socket.conn.close()
            socket.data.actor = actor
            socket.data.browser = readBrowserCookie(socket.handshake.headers.cookie)
            next(actor ? undefined : new Error('ERR_SESSION_EXPIRED'))
          })
          // Who cannot be looked up now is not refused: a refused client would not try again by itself.
          .catch((error) => (isTransientError(error) ? socket.conn.close() : next(error)))
      })
      io.on('connection', door.welcome)
    },
    ...door.listeners,
    /** Somebody came into a room or went out of it, by whichever way. */
    onRoom: (listen: (room: string) => void) => void onRoom.push(listen),
    /** Something about a room changed: every process hears so, this one at once. Who listens looks how it is now. */
    stir(room: string): void {
      for (const listen of onStir) listen(room)
      peers?.tell({ stirred: room })
    },
    onStir: (listen: (room: string) => void) => void onStir.push(listen),
    isHere: (room: string): boolean => here.seats(room).length > 0,
    /** Who is in a room, here and in other processes. `whole`: all of them have answered. */
    async seats(room: string): Promise<{ seats: RoomSeat[]; whole: boolean }> {
      const others = (await peers?.askAll<RoomSeat[]>('seats', room)) ?? { answers: [], whole: true }
      return { seats: [...here.seats(room), ...others.answers.flat()], whole: others.whole }
    },
    /** Is this person at work with a living socket anywhere? */
    async isPresent(userId: number): Promise<boolean> {
      if (atWork().some((actor) => actor.id === userId)) return true
      return ((await peers?.ask<RoomSeat[]>('seats', `user-${userId}`)) ?? []).flat().length > 0
    },
    /** Out of the room: what let this person in no longer holds. */
    evict(userId: number, room: string): void {
      here.evict(userId, room)
      peers?.tell({ evicted: userId, room })
    },
    /** What only one process can answer, whoever is asked: all others answer nothing. */
    onAsk: (name: string, answer: (about: unknown) => unknown) => void answerers.set(name, answer),
    ask: async <A>(name: string, about: unknown, patienceMs?: number): Promise<A[]> =>
      (await peers?.ask<A>(name, about, patienceMs)) ?? [],

    /** The payload passes through its shape, which drops whatever is not meant for browsers. */
    say(topic: Topic, companyId: number, payload: unknown, to: Audience, because = currentTraceId()): void {
      const shaped = payloadSchemaOf(topic).parse(payload) as Record<string, unknown>
      const heardIn = roomsOfAudience(to)
      if (topic.whenExpired && 'company' in to) heardIn.push(lockedCompanyRoom(to.company))
      // To socket.io no room at all means everybody, of every company.
      if (!heardIn.length) return
      const hereAlone = 'here' in to
      const except = 'rooms' in to ? to.except : undefined
      emit({ rooms: heardIn, except, name: topic.name(companyId, shaped), payload: shaped, because }, hereAlone)
      for (const also of [topic.alias?.(companyId, shaped) ?? []].flat())
        emit({ rooms: heardIn, except, ...also, because }, hereAlone)
    },
    /**
     * Taken when a transaction goes to commit. The database lets go of a row before it tells us so, and who waited for
     * that row can be done first: without an order the older news of it would be heard last. `known`: whoever has it says
     * nothing but what came, and changes nothing of what others may have looked up.
     */
    takeNumber(companyId: number, known = false): PublishTurn {
      const before = waiting.get(companyId) ?? Promise.resolve()
      const { promise, resolve } = Promise.withResolvers<void>()
      const last = before.then(() => promise)
      waiting.set(companyId, last)
      if (!known) this.changed(companyId)
      const done = () => {
        if (!known) this.changed(companyId)
        if (waiting.get(companyId) === last) waiting.delete(companyId)
        resolve()
      }
      return { before, done }
    },
    /** How often something of a company was changed here: what was looked up at another count may be old. */
    changes: (companyId: number): number => changes.get(companyId) ?? 0,
    changed(companyId: number): void {
      changes.set(companyId, (changes.get(companyId) ?? 0) + 1)
    },
    /**
     * Something of this company may be written that will not be said. Once that is decided (`isOver`), whoever would have
     * heard it comes back and reads.
     */
    untold(companyId: number, isOver: () => Promise<boolean>): void {
      unsaid.push({ companyId, isOver })
      if (!isDeciding) void decide()
    },
    /** An ended session hears nothing more. The line itself stays up for a moment, for the browser to read why. */
    endSession(sessionId: string, how: SocketEndReason = 'over'): void {
      end(sessionId, how)
      peers?.tell({ ended: sessionId, away: how === 'away', how })
    },
    /** Who was away is back in the same browser, with a new session: the sockets it kept open are of that one now. */
    welcomeBack(browser: string, actor: Actor): void {
      bring(browser, actor)
      peers?.tell({ back: browser, actor })
    },
    /** What a person may hear has changed: their open sockets change rooms at once. */
    reseat: here.reseat,
    /** The ids of everyone who is at work with a living socket here. */
    present: (): number[] => [...new Set(atWork().map((actor) => actor.id))],
    /** Everyone with a living socket here, once for each session and what it hears. */
    sessions: (): Actor[] => [
      ...new Map(here.actors().map((actor) => [`${actor.sessionId} ${actor.locked}`, actor])).values(),
    ],
    connections: (): number => io.engine?.clientsCount ?? 0,
    /**
     * Sockets end, calls under way are answered, nothing new is taken. A connection kept alive would hold the door open
     * for a minute more: each goes when it falls idle, and those that are never done go after five seconds.
     */
    async close(): Promise<void> {
      closed = true
      // While the others can still be asked who is with them.
      hangUp()
      await door.settled()
      await peers?.bye()
      const idle = setInterval(() => http?.closeIdleConnections(), 50)
      const patience = setTimeout(() => http?.closeAllConnections(), 5000)
      await io.close()
      clearInterval(idle)
      clearTimeout(patience)
      await door.settled()
      peers?.close()
    },
  }
}
