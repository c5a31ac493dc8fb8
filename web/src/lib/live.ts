import type { joins } from '@recado/contract/live'
import { type RecordNews, type RecordTopic, type Topic, unpack } from '@recado/contract/topic'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Socket } from 'socket.io-client'
import { useSession } from './session.tsx'

type Listener = (payload: never) => void
const listeners = new Map<string, Set<Listener>>()
const resyncs = new Set<() => void>()

/** Hears one kind of news of the own company for as long as the component is drawn. */
export function useLive<P>(topic: Topic<P>, onNews: (payload: P) => void): void {
  const companyId = useSession().user?.companyId
  const hear = useEffectEvent(onNews)
  useEffect(() => {
    if (companyId === undefined) return
    return listen(topic.name(companyId), hear as Listener)
  }, [topic, companyId])
}

/** Hears what becomes of the rows of a record. */
export const useNews = <R>(topic: RecordTopic<R>, onNews: (news: RecordNews<R>) => void): void =>
  useLive(topic, (payload) => onNews(unpack(topic, payload)))

/** Called after a gap in the connection, also the one before it first stood: what was missed has to be read again. */
export function useResync(onResync: () => void): void {
  const resync = useEffectEvent(onResync)
  useEffect(() => {
    resyncs.add(resync)
    return () => {
      resyncs.delete(resync)
    }
  }, [])
}

function listen(name: string, listener: Listener): () => void {
  const set = listeners.get(name) ?? new Set()
  listeners.set(name, set.add(listener))
  return () => set.delete(listener)
}

// ---- rooms: what a browser says of itself. The server decides what follows from it.

type Said = (typeof joins)[number]
type Room = 'tickets' | 'chatBox'
const doors = {
  tickets: { join: 'joinTickets', leave: 'leaveTickets' },
  chatBox: { join: 'joinChatBox', leave: 'leaveChatBox' },
} as const satisfies Record<Room, { join: Said; leave: Said }>

let open: Socket | undefined
/** Every room somebody on this page is in; the same room twice is in here twice. */
const entered = new Set<{ join: Said; about: string }>()

/** Is in a room for as long as the component is drawn, through every gap in the connection. Ids go as text. */
export function useRoom(room: Room, about: string | number | undefined): void {
  useEffect(() => {
    if (about === undefined) return
    const seat = { join: doors[room].join, about: String(about) }
    entered.add(seat)
    emit(seat.join, seat.about)
    return () => {
      entered.delete(seat)
      emit(doors[room].leave, seat.about)
    }
  }, [room, about])
}

/** Says something while somebody listens; what is said into a gap is not kept. */
export function emit(what: Said, ...about: unknown[]): void {
  if (greeted && open?.connected) open.emit(what, ...about)
}

/** A server that is slow to answer must not keep the page from reading what it missed. */
const answerWithin = 2000

/** After a gap the server has forgotten where this page was. */
const enterAgain = (socket: Socket): Promise<unknown> =>
  Promise.allSettled(
    [...entered].map(({ join, about }) => socket.timeout(answerWithin).emitWithAck(join, about) as Promise<unknown>),
  )

// ---- is anybody there?

/** A socket that changes networks is back at once: only a silence longer than this is worth telling. */
const silence = 5000
let heard = true
let silent: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()

function setHeard(next: boolean): void {
  clearTimeout(silent)
  silent = undefined
  if (next === heard) return
  heard = next
  for (const watcher of watchers) watcher()
}

/** False once the server has been out of reach for a while. */
export const useConnection = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => heard,
  )

/** The server counts a person as online while their socket lives; this refreshes it (spec, section 9). */
const statusEvery = 300_000

/** Opens the one socket of this page, which has been reading lists since then. Returns how to close it. */
export function connect(since: number): () => void {
  let socket: Socket | undefined
  let closed = false
  // Loaded on demand: the login page has nothing to hear.
  void import('socket.io-client').then(({ io }) => {
    if (closed) return
    socket = io({ transports: ['websocket'], auth: bringTicket })
    open = socket
    attend(socket, since)
  })
  const pulse = setInterval(() => socket?.emit('userStatus'), statusEvery)
  return () => {
    closed = true
    setHeard(true)
    clearInterval(pulse)
    socket?.disconnect()
    if (open === socket) open = undefined
    greeted = false
  }
}

/** A fresh one for every attempt. Without one the server refuses, and it is tried again. */
function bringTicket(bring: (auth: { ticket?: string }) => void): void {
  import('./session-calls.ts')
    .then((calls) => calls.socketTicket())
    .then(
      (ticket) => bring({ ticket }),
      () => bring({}),
    )
}
const mostPause = 30_000

/** The server listens: it has said so since the line was last up. */
let greeted = false

function attend(socket: Socket, since: number): void {
  let before = false
  socket.onAny((name: string, payload: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never)
  })
  socket.on('ready', ({ quietMs }: { quietMs: number }) => {
    greeted = true
    socket.emit('joinNotification')
    socket.emit('userStatus')
    // The first one, too: a page reads while its socket is on the way, and something may have happened since.
    const missed = before || performance.now() - since >= quietMs
    before = true
    // Rooms first: what happens while the lists are being read must be heard.
    void enterAgain(socket).then(() => {
      if (missed) for (const resync of resyncs) resync()
    })
  })
  // A refused handshake is not retried by the library. If the session is over, asking for a ticket ends it here too.
  let refused = 0
  const reopen = () => {
    setTimeout(() => open === socket && socket.connect(), Math.min(1000 * 2 ** refused++, mostPause))
  }
  const lose = () => {
    silent ??= setTimeout(() => setHeard(false), silence)
  }
  socket.on('connect', () => {
    refused = 0
    setHeard(true)
  })
  socket.on('connect_error', () => {
    lose()
    if (!socket.active) reopen()
  })
  socket.on('disconnect', (reason) => {
    greeted = false
    if (reason !== 'io client disconnect') lose()
    if (reason === 'io server disconnect') reopen()
  })
}
