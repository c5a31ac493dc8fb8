import type { clientEvents } from '@recado/contract/live'
import { type RecordNews, type RecordTopic, type Topic, unpackRecordNews } from '@recado/contract/topic'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import type { Socket } from 'socket.io-client'
import { useSession } from './session.tsx'

type Listener = (payload: never) => void
const listeners = new Map<string, Set<Listener>>()
const resyncs = new Set<() => void>()

/** Subscribes to one topic of the user's company while the component is mounted. */
export function useLiveTopic<P>(topic: Topic<P>, onNews: (payload: P) => void): void {
  const companyId = useSession().user?.companyId
  const listener = useEffectEvent(onNews)
  useEffect(() => {
    if (companyId === undefined) return
    return listen(topic.name(companyId), listener as Listener)
  }, [topic, companyId])
}

/** Subscribes to the changes of a type of record. */
export const useRecordNews = <R>(topic: RecordTopic<R>, onNews: (news: RecordNews<R>) => void): void =>
  useLiveTopic(topic, (payload) => onNews(unpackRecordNews(topic, payload)))

/** Called after a connection gap, including before the first connection: missed data has to be reloaded. */
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

// ---- Rooms: a browser reports its own state. The server decides which events follow from it.

type ClientEvent = (typeof clientEvents)[number]
type Room = 'tickets' | 'chatBox'
const roomEvents = {
  tickets: { join: 'joinTickets', leave: 'leaveTickets' },
  chatBox: { join: 'joinChatBox', leave: 'leaveChatBox' },
} as const satisfies Record<Room, { join: ClientEvent; leave: ClientEvent }>

let openSocket: Socket | undefined
/** All rooms of this page; a room joined by two components is included twice. */
const joinedRooms = new Set<{ join: ClientEvent; about: string }>()

/** Joins a room while the component is mounted, across connection gaps. Ids are sent as text. */
export function useRoom(room: Room, roomId: string | number | undefined): void {
  useEffect(() => {
    if (roomId === undefined) return
    const joinedRoom = { join: roomEvents[room].join, about: String(roomId) }
    joinedRooms.add(joinedRoom)
    emitToServer(joinedRoom.join, joinedRoom.about)
    return () => {
      joinedRooms.delete(joinedRoom)
      emitToServer(roomEvents[room].leave, joinedRoom.about)
    }
  }, [room, roomId])
}

/** Sends an event if connected; events during a gap are dropped. */
export function emitToServer(what: ClientEvent, ...args: unknown[]): void {
  if (isServerReady && openSocket?.connected) openSocket.emit(what, ...args)
}

/** Timeout for joining a room, so that a slow response does not delay the reload of missed data. */
const joinTimeoutMs = 2000

/** Joins all rooms of this page again, because the server has forgotten them after a connection gap. */
const rejoinRooms = (socket: Socket): Promise<unknown> =>
  Promise.allSettled(
    [...joinedRooms].map(
      ({ join, about: roomId }) => socket.timeout(joinTimeoutMs).emitWithAck(join, roomId) as Promise<unknown>,
    ),
  )

// ---- Connection state

/** How long an outage is not shown: a socket that changes networks reconnects at once. */
const silenceToleranceMs = 5000
let isConnected = true
let silenceTimer: ReturnType<typeof setTimeout> | undefined
const connectionListeners = new Set<() => void>()

function setConnected(next: boolean): void {
  clearTimeout(silenceTimer)
  silenceTimer = undefined
  if (next === isConnected) return
  isConnected = next
  for (const connectionListener of connectionListeners) connectionListener()
}

/** False once the server has been unreachable for a while. */
export const useIsConnected = (): boolean =>
  useSyncExternalStore(
    (connectionListener) => {
      connectionListeners.add(connectionListener)
      return () => connectionListeners.delete(connectionListener)
    },
    () => isConnected,
  )

/** The server counts a user as online while their socket is connected; this interval refreshes that (spec, section 9). */
const statusIntervalMs = 300_000

/**
 * Opens the page's only socket. `loadedAt`: when the page's lists began to load. Returns a function that closes the
 * socket.
 */
export function connectSocket(loadedAt: number): () => void {
  let socket: Socket | undefined
  let closed = false
  // Loaded on demand: the login page needs no socket.
  void import('socket.io-client').then(({ io }) => {
    if (closed) return
    socket = io({ transports: ['websocket'], auth: authenticateSocket })
    openSocket = socket
    listenOnSocket(socket, loadedAt)
  })
  const statusInterval = setInterval(() => socket?.emit('userStatus'), statusIntervalMs)
  return () => {
    closed = true
    setConnected(true)
    clearInterval(statusInterval)
    socket?.disconnect()
    if (openSocket === socket) openSocket = undefined
    isServerReady = false
  }
}

/** Requests a fresh socket token for every attempt. Without a token the server refuses, and the attempt is repeated. */
function authenticateSocket(sendAuth: (auth: { ticket?: string }) => void): void {
  import('./session-calls.ts')
    .then((calls) => calls.requestSocketTicket())
    .then(
      (ticket) => sendAuth({ ticket }),
      () => sendAuth({}),
    )
}
const maxReconnectDelayMs = 30_000

/** Whether the server has confirmed the current connection. */
let isServerReady = false

function listenOnSocket(socket: Socket, loadedAt: number): void {
  let wasConnected = false
  socket.onAny((name: string, payload: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(payload as never)
  })
  socket.on('ready', ({ quietMs }: { quietMs: number }) => {
    isServerReady = true
    socket.emit('joinNotification')
    socket.emit('userStatus')
    // This also applies to the first connection: the page loads while its socket connects, so events may have
    // been missed.
    const missed = wasConnected || performance.now() - loadedAt >= quietMs
    wasConnected = true
    // Join the rooms first: events during the reload of the lists must be received.
    void rejoinRooms(socket).then(() => {
      if (missed) for (const resync of resyncs) resync()
    })
  })
  // The library does not retry a refused handshake. If the session is over, requesting a socket token ends it
  // in this page.
  let refused = 0
  const reopen = () => {
    setTimeout(() => openSocket === socket && socket.connect(), Math.min(1000 * 2 ** refused++, maxReconnectDelayMs))
  }
  const startSilenceTimer = () => {
    silenceTimer ??= setTimeout(() => setConnected(false), silenceToleranceMs)
  }
  socket.on('connect', () => {
    refused = 0
    setConnected(true)
  })
  socket.on('connect_error', () => {
    startSilenceTimer()
    if (!socket.active) reopen()
  })
  socket.on('disconnect', (reason) => {
    isServerReady = false
    if (reason !== 'io client disconnect') startSilenceTimer()
    if (reason === 'io server disconnect') reopen()
  })
}
