import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdapter } from '@socket.io/postgres-adapter'
import type pg from 'pg'
import type { Server } from 'socket.io'
import type { Log } from '../log.ts'

/** NOTIFY carries less than 8,000 bytes; what is longer goes by a table. */
const payloadThreshold = 7900
/** A new process listens a moment after it has said that it is there: it says so again, to hear the answers. */
const announceMs = [100, 1000]
/** A long word, read from the table, can be overtaken by a short one that came after it: so long that one waits. */
const overtakenMs = 2000
/** This often every process says how far it is: a last word that got lost is noticed too. */
const pulseMs = 5000
/** Somebody who died a moment ago does not answer. */
const answerMs = 2000

type Sender<W> = { next: number; early: Map<number, W[]>; missing?: NodeJS.Timeout | undefined }
type Answerer = (about: unknown) => unknown
export type Peers<W> = ReturnType<typeof makePeers<W>>

/**
 * The adapter takes a connection to listen on and does not give it back when it dies, nor when it comes after the end:
 * the pool would wait for it for ever.
 */
function lend(pool: pg.Pool): { pool: pg.Pool; takeBack: () => void } {
  const lent = new Set<pg.PoolClient>()
  let over = false
  async function connect(): Promise<pg.PoolClient> {
    const client = await pool.connect()
    const release = client.release.bind(client)
    client.release = (destroy) => void (lent.delete(client) && release(destroy))
    lent.add(client)
    client.once('end', () => client.release(true))
    if (over) client.release(true)
    return client
  }
  const takeBack = () => {
    over = true
    for (const client of lent) client.release(true)
  }
  // All that the adapter uses.
  return { pool: { connect, query: pool.query.bind(pool) } as unknown as pg.Pool, takeBack }
}

/**
 * The other processes on this database. What is said here is passed on to them, once each and in its order; while this
 * process is alone it costs a look at a number. `missed` is called when words were lost on the way to here.
 */
export function makePeers<W>(io: Server, pool: pg.Pool, log: Log, hear: (word: W) => void, missed: () => void) {
  const self = randomUUID()
  const senders = new Map<string, Sender<W>>()
  const answerers = new Map<string, Answerer>()
  const waiting: W[] = []
  let said = 0
  let passing = false

  const errorHandler = (err: Error) => log.warn({ err }, 'another process could not be told')
  const lending = lend(pool)
  io.adapter(
    createAdapter(lending.pool, {
      channelPrefix: 'recado',
      tableName: '"liveWords"',
      payloadThreshold,
      errorHandler,
    }),
  )
  const { adapter } = io.sockets
  const isAlone = async () => (await adapter.serverCount()) < 2
  io.on('words', (from: string, n: number, words: W[]) => take(from, n, words))
  io.on('pulse', (from: string, n: number) => check(from, n))
  io.on('ask', (name: string, about: unknown, reply: (answer: unknown) => void) => {
    Promise.resolve(answerers.get(name)?.(about) ?? null).then(reply, (err) => {
      log.warn({ err, name }, 'another process got no answer')
      reply(null)
    })
  })
  const timers = [
    ...announceMs.map((ms) => setTimeout(() => adapter.init(), ms).unref()),
    setInterval(() => void pulse(), pulseMs).unref(),
  ]

  async function pass(): Promise<void> {
    passing = true
    while (waiting.length) {
      const alone = await isAlone()
      const words = waiting.splice(0)
      if (!alone) io.serverSideEmit('words', self, ++said, words)
    }
    passing = false
  }
  async function pulse(): Promise<void> {
    if (said && !(await isAlone())) io.serverSideEmit('pulse', self, said)
  }

  function take(from: string, n: number, words: W[]): void {
    const known = senders.get(from)
    const sender = known ?? { next: n, early: new Map() }
    if (!known) senders.set(from, sender)
    // Later than we waited for it: better than never.
    if (n < sender.next) return void words.forEach(hear)
    sender.early.set(n, words)
    inOrder(sender)
  }
  function inOrder(sender: Sender<W>): void {
    for (let words = sender.early.get(sender.next); words; words = sender.early.get(sender.next)) {
      sender.early.delete(sender.next++)
      words.forEach(hear)
    }
    clearTimeout(sender.missing)
    sender.missing = sender.early.size
      ? setTimeout(() => skip(sender, Math.min(...sender.early.keys())), overtakenMs)
      : undefined
  }
  function skip(sender: Sender<W>, to: number): void {
    if (sender.next >= to) return
    sender.next = to
    missed()
    inOrder(sender)
  }
  function check(from: string, n: number): void {
    const sender = senders.get(from)
    if (!sender) senders.set(from, { next: n + 1, early: new Map() })
    else if (sender.next <= n) sender.missing ??= setTimeout(() => skip(sender, n + 1), overtakenMs)
  }

  type Answers<A> = { answers: A[]; whole: boolean }
  async function askAll<A>(name: string, about: unknown, patienceMs = answerMs): Promise<Answers<A>> {
    if (await isAlone()) return { answers: [], whole: true }
    const asked: Promise<Answers<A | null>> = io.serverSideEmitWithAck('ask', name, about).then(
      (answers: (A | null)[]) => ({ answers, whole: true }),
      (error: Error & { responses?: A[] }) => ({ answers: error.responses ?? [], whole: false }),
    )
    const late = pause<Answers<A | null>>(patienceMs, { answers: [], whole: false }, { ref: false })
    const { answers, whole } = await Promise.race([asked, late])
    return { answers: answers.filter((answer): answer is A => answer !== null), whole }
  }

  return {
    /** A word to every other process. */
    tell(word: W): void {
      waiting.push(word)
      if (!passing) void pass().catch(errorHandler)
    },
    /** What the others have to say about something; who does not answer in time says nothing. */
    ask: async <A>(name: string, about: unknown, patienceMs?: number): Promise<A[]> =>
      (await askAll<A>(name, about, patienceMs)).answers,
    /** The same, and whether everybody has answered. */
    askAll,
    onAsk: (name: string, answer: Answerer) => void answerers.set(name, answer),
    /** After the sockets are closed. */
    close(): void {
      for (const timer of timers) clearTimeout(timer)
      for (const { missing } of senders.values()) clearTimeout(missing)
      lending.takeBack()
    },
  }
}
