import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdapter } from '@socket.io/postgres-adapter'
import type pg from 'pg'
import type { Server } from 'socket.io'
import type { Log } from '../log.ts'

/** NOTIFY carries less than 8,000 bytes; longer messages go through a table. */
const payloadThreshold = 7900
/** A new process starts to listen shortly after it announced itself, so it announces itself again to get answers. */
const announceMs = [100, 1000]
/**
 * A short message can overtake an earlier long one, which is read from the table: it waits this long for the long one.
 */
const reorderTimeoutMs = 2000
/** How often every process sends the number of its last message, so that the loss of a last message is noticed, too. */
const heartbeatMs = 5000
/** A process that is silent for this long is dead or disconnected: its last messages may not have been sent. */
const deadAfterMs = 20_000
/** Timeout of a query: a process that just died does not answer. */
const answerTimeoutMs = 2000

type Sender<W> = {
  nextNumber: number
  outOfOrder: Map<number, W[]>
  lastSeenAt: number
  gapTimer?: NodeJS.Timeout | undefined
}
type Answerer = (argument: unknown) => unknown
export type Peers<W> = ReturnType<typeof makePeers<W>>

/**
 * The adapter takes a connection to listen on and does not return it when the connection dies or arrives after the end:
 * the pool would wait for it forever. If a connection dies before it listens, the adapter requests two: only the last one
 * is kept, because otherwise no connection would be left in the pool for sending.
 */
function lendConnections(pool: pg.Pool): { pool: pg.Pool; releaseAll: () => void } {
  const lentClients = new Map<pg.PoolClient, () => void>()
  let isClosed = false
  async function connect(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    const release = client.release.bind(client)
    client.release = (destroy) => void (lentClients.delete(client) && release(destroy))
    for (const [older, detach] of lentClients) {
      detach()
      older.release(true)
    }
    const before = client.listeners('end')
    // Replacing a connection must not make the adapter request a third one.
    lentClients.set(client, () => {
      client.removeAllListeners('notification')
      for (const one of client.listeners('end')) if (!before.includes(one)) client.off('end', one as () => void)
    })
    client.once('end', () => client.release(true))
    if (isClosed) client.release(true)
    return client
  }
  const releaseAll = () => {
    isClosed = true
    for (const client of lentClients.keys()) client.release(true)
  }
  // The adapter uses only these two methods of a pool.
  return { pool: { connect, query: pool.query.bind(pool) } as unknown as pg.Pool, releaseAll: releaseAll }
}

/**
 * The other processes on this database. Messages are sent to them once each and in order; while there is no other process
 * this costs only a comparison. `missed` is called when messages to this process were lost, with the age of the last one.
 */
export function makePeers<W>(
  io: Server,
  pool: pg.Pool,
  log: Log,
  onMessage: (message: W) => void,
  onMissed: (agoMs: number) => void,
) {
  const self = randomUUID()
  const senders = new Map<string, Sender<W>>()
  /** Processes that have announced their end; their last messages are handled without waiting for missing ones. */
  const departedPeers = new Set<string>()
  const answerers = new Map<string, Answerer>()
  const outbox: W[] = []
  let lastNumber = 0
  let lastSentAt = performance.now()
  const quietMs = () => performance.now() - lastSentAt
  let isSending = false

  const errorHandler = (err: Error) => log.warn({ err }, 'could not send to another process')
  const lentPool = lendConnections(pool)
  io.adapter(
    createAdapter(lentPool.pool, {
      channelPrefix: 'recado',
      tableName: '"liveWords"',
      payloadThreshold,
      errorHandler,
    }),
  )
  const { adapter } = io.sockets
  const isAlone = async () => (await adapter.serverCount()) < 2
  // `quiet`: how long the sender was silent before this message; the previous release does not send it.
  io.on('words', (from: string, n: number, messages: W[], quiet = 0) => receiveBatch(from, n, messages, quiet))
  io.on('pulse', (from: string, n: number, quiet = 0) => checkHeartbeat(from, n, quiet))
  io.on('bye', (from: string) => {
    removeSender(from)
    departedPeers.add(from)
  })
  io.on('ask', (name: string, argument: unknown, reply: (answer: unknown) => void) => {
    Promise.resolve(answerers.get(name)?.(argument) ?? null).then(reply, (err) => {
      log.warn({ err, name }, 'another process got no answer')
      reply(null)
    })
  })
  const timers = [
    ...announceMs.map((ms) => setTimeout(() => adapter.init(), ms).unref()),
    setInterval(() => void sendHeartbeat(), heartbeatMs).unref(),
    setInterval(dropDeadSenders, heartbeatMs).unref(),
  ]

  async function sendQueued(): Promise<void> {
    isSending = true
    while (outbox.length) {
      const alone = await isAlone()
      const messages = outbox.splice(0)
      // The number is counted even if nothing is sent: a process that was disconnected notices the gap with the next
      // message.
      lastNumber++
      if (!alone) io.serverSideEmit('words', self, lastNumber, messages, quietMs())
      lastSentAt = performance.now()
    }
    isSending = false
  }
  async function sendHeartbeat(): Promise<void> {
    if (lastNumber && !(await isAlone())) io.serverSideEmit('pulse', self, lastNumber, quietMs())
  }

  function receiveBatch(from: string, n: number, messages: W[], quiet: number): void {
    if (departedPeers.has(from)) return void messages.forEach(onMessage)
    const sender = senders.get(from) ?? addSender(from, n, quiet)
    sender.lastSeenAt = performance.now()
    // The message arrived after the wait for it had ended: it is handled late.
    if (n < sender.nextNumber) return void messages.forEach(onMessage)
    sender.outOfOrder.set(n, messages)
    deliverInOrder(sender)
  }
  function deliverInOrder(sender: Sender<W>): void {
    for (
      let messages = sender.outOfOrder.get(sender.nextNumber);
      messages;
      messages = sender.outOfOrder.get(sender.nextNumber)
    ) {
      sender.outOfOrder.delete(sender.nextNumber++)
      messages.forEach(onMessage)
    }
    clearTimeout(sender.gapTimer)
    sender.gapTimer = sender.outOfOrder.size
      ? setTimeout(() => skipGap(sender, Math.min(...sender.outOfOrder.keys())), reorderTimeoutMs)
      : undefined
  }
  function skipGap(sender: Sender<W>, to: number): void {
    if (sender.nextNumber >= to) return
    sender.nextNumber = to
    onMissed(0)
    deliverInOrder(sender)
  }
  function checkHeartbeat(from: string, n: number, quiet: number): void {
    const sender = senders.get(from)
    if (departedPeers.has(from)) return
    if (!sender) return void addSender(from, n + 1, quiet)
    sender.lastSeenAt = performance.now()
    if (sender.nextNumber <= n) sender.gapTimer ??= setTimeout(() => skipGap(sender, n + 1), reorderTimeoutMs)
  }
  /** Adds a new process. If our browsers were connected when it sent earlier messages, they have missed those. */
  function addSender(from: string, next: number, quiet: number): Sender<W> {
    const sender: Sender<W> = { nextNumber: next, outOfOrder: new Map(), lastSeenAt: performance.now() }
    senders.set(from, sender)
    if (next > 1) onMissed(quiet)
    return sender
  }

  function removeSender(from: string): void {
    clearTimeout(senders.get(from)?.gapTimer)
    senders.delete(from)
  }
  /** Drops processes that died. A killed process may have written rows whose events it never published. */
  function dropDeadSenders(): void {
    const dead = [...senders].filter(([, { lastSeenAt: heardAt }]) => performance.now() - heardAt > deadAfterMs)
    for (const [from] of dead) removeSender(from)
    if (dead.length) onMissed(0)
  }

  type Answers<A> = { answers: A[]; whole: boolean }
  async function queryAll<A>(name: string, argument: unknown, timeoutMs = answerTimeoutMs): Promise<Answers<A>> {
    if (await isAlone()) return { answers: [], whole: true }
    const asked: Promise<Answers<A | null>> = io.serverSideEmitWithAck('ask', name, argument).then(
      (answers: (A | null)[]) => ({ answers, whole: true }),
      (error: Error & { responses?: A[] }) => ({ answers: error.responses ?? [], whole: false }),
    )
    const late = pause<Answers<A | null>>(timeoutMs, { answers: [], whole: false }, { ref: false })
    const { answers, whole } = await Promise.race([asked, late])
    return { answers: answers.filter((answer): answer is A => answer !== null), whole }
  }

  return {
    /** Sends a message to every other process. */
    broadcast(message: W): void {
      outbox.push(message)
      if (!isSending) void sendQueued().catch(errorHandler)
    },
    /** Tells the other processes that events may not have been published at all: they treat this as a lost message. */
    markMissed(): void {
      lastNumber++
      void sendHeartbeat().catch(errorHandler)
    },
    /** The answers of the other processes; a process that does not answer in time is left out. */
    query: async <A>(name: string, argument: unknown, timeoutMs?: number): Promise<A[]> =>
      (await queryAll<A>(name, argument, timeoutMs)).answers,
    /** The answers, and whether all processes have answered. */
    queryAll: queryAll,
    onQuery: (name: string, answer: Answerer) => void answerers.set(name, answer),
    /** Called before the sockets are closed: other processes then need not wait for further messages of this one. */
    async announceLeaving(): Promise<void> {
      if (lastNumber && !(await isAlone())) io.serverSideEmit('bye', self)
    },
    /** Must be called after the sockets are closed. */
    close(): void {
      for (const timer of timers) clearTimeout(timer)
      for (const { gapTimer: missing } of senders.values()) clearTimeout(missing)
      lentPool.releaseAll()
    },
  }
}
