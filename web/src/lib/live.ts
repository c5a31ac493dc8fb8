import type { clientEvents } from '@recado/contract/live'
import { type RecordNews, type RecordTopic, type Topic, unpackRecordNews } from '@recado/contract/topic'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Socket } from 'socket.io-client'
import { useSession } from './session.tsx'

type Listener = (payload: never) => void
const listeners = new Map<string, Set<Listener>>()
const resyncs = new Set<() => void>()

/** Hears one kind of news of the own company for as long as the component is drawn. */
export function useLiveTopic<P>(topic: Topic<P>, onNews: (payload: P) => void): void {
  const companyId = useSession().user?.companyId
  const hear = useEffectEvent(onNews)
  useEffect(() => {
    if (companyId === undefined) return
    return listen(topic.name(companyId), hear as Listener)
  }, [topic, companyId])
}

/** Hears what becomes of the rows of a record. */
export const useRecordNews = <R>(topic: RecordTopic<R>, onNews: (news: RecordNews<R>) => void): void =>
  useLiveTopic(topic, (payload) => onNews(unpackRecordNews(topic, payload)))

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

type ClientEvent = (typeof clientEvents)[number]
type Room = 'tickets' | 'chatBox'
const roomEvents = {
  tickets: { join: 'joinTickets', leave: 'leaveTickets' },
  chatBox: { join: 'joinChatBox', leave: 'leaveChatBox' },
} as const satisfies Record<Room, { join: ClientEvent; leave: ClientEvent }>

let openSocket: Socket | undefined
/** Every room somebody on this page is in; the same room twice is in here twice. */
const joinedRooms = new Set<{ join: ClientEvent; about: string }>()

/** Is in a room for as long as the component is drawn, through every gap in the connection. Ids go as text. */
export function useRoom(room: Room, about: string | number | undefined): void {
  useEffect(() => {
    if (about === undefined) return
    const seat = { join: roomEvents[room].join, about: String(about) }
    joinedRooms.add(seat)
    emitToServer(seat.join, seat.about)
    return () => {
      joinedRooms.delete(seat)
      emitToServer(roomEvents[room].leave, seat.about)
    }
  }, [room, about])
}

/** Says something while somebody listens; what is said into a gap is not kept. */
export function emitToServer(what: ClientEvent, ...about: unknown[]): void {
  if (isServerReady && openSocket?.connected) openSocket.emit(what, ...about)
}

/** A server that is slow to answer must not keep the page from reading what it missed. */
const joinTimeoutMs = 2000

/** After a gap the server has forgotten where this page was. */
const rejoinRooms = (socket: Socket): Promise<unknown> =>
  Promise.allSettled(
    [...joinedRooms].map(
      ({ join, about }) => socket.timeout(joinTimeoutMs).emitWithAck(join, about) as Promise<unknown>,
    ),
  )

// ---- is anybody there?

/** A socket that changes networks is back at once: only a silence longer than this is worth telling. */
const silenceToleranceMs = 5000
let isConnected = true
let silenceTimer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()

function setConnected(next: boolean): void {
  clearTimeout(silenceTimer)
  silenceTimer = undefined
  if (next === isConnected) return
  isConnected = next
  for (const watcher of watchers) watcher()
}

/** False once the server has been out of reach for a while. */
export const useIsConnected = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => isConnected,
  )

/** The server counts a person as online while their socket lives; this refreshes it (spec, section 9). */
const statusIntervalMs = 300_000

/** Opens the one socket of this page, which has been reading lists since then. Returns how to close it. */
export function connectSocket(since: number): () => void {
  let socket: Socket | undefined
  let closed = false
  // Loaded on demand: the login page has nothing to hear.
  void import('socket.io-client').then(({ io }) => {
    if (closed) return
    socket = io({ transports: ['websocket'], auth: authenticateSocket })
    openSocket = socket
    listenOnSocket(socket, since)
  })
  const pulse = setInterval(() => socket?.emit('userStatus'), statusIntervalMs)
  return () => {
    closed = true
    setConnected(true)
    clearInterval(pulse)
    socket?.disconnect()
    if (openSocket === socket) openSocket = undefined
    isServerReady = false
  }
}

/** A fresh one for every attempt. Without one the server refuses, and it is tried again. */
function authenticateSocket(bring: (auth: { ticket?: string }) => void): void {
  import('./session-calls.ts')
    .then((calls) => calls.requestSocketTicket())
    .then(
      (ticket) => bring({ ticket }),
      () => bring({}),
    )
}
const maxReconnectDelayMs = 30_000

/** The server listens: it has said so since the line was last up. */
let isServerReady = false

function listenOnSocket(socket: Socket, since: number): void {
  let before = false
  socket.onAny((name: string, payload: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never)
  })
  socket.on('ready', ({ quietMs }: { quietMs: number }) => {
    isServerReady = true
    socket.emit('joinNotification')
    socket.emit('userStatus')
    // The first one, too: a page reads while its socket is on the way, and something may have happened since.
    const missed = before || performance.now() - since >= quietMs
    before = true
    // Rooms first: what happens while the lists are being read must be heard.
    void rejoinRooms(socket).then(() => {
      if (missed) for (const resync of resyncs) resync()
    })
  })
  // A refused handshake is not retried by the library. If the session is over, asking for a ticket ends it here too.
  let refused = 0
  const reopen = () => {
    setTimeout(() => openSocket === socket && socket.connect(), Math.min(1000 * 2 ** refused++, maxReconnectDelayMs))
  }
  const lose = () => {
    silenceTimer ??= setTimeout(() => setConnected(false), silenceToleranceMs)
  }
  socket.on('connect', () => {
    refused = 0
    setConnected(true)
  })
  socket.on('connect_error', () => {
    lose()
    if (!socket.active) reopen()
  })
  socket.on('disconnect', (reason) => {
    isServerReady = false
    if (reason !== 'io client disconnect') lose()
    if (reason === 'io server disconnect') reopen()
  })
}
