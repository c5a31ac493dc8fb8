import { setTimeout as pause } from 'node:timers/promises'
import type { PlanFlag } from '@recado/contract/endpoint'
import { packRecordNews, type RecordNews, type RecordTopic, type Topic } from '@recado/contract/topic'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { MetaApp } from '../config.ts'
import type { Vault } from '../crypto.ts'
import { AppError, isConnectionLost, isDeadlock } from '../errors.ts'
import type { EventName, Events } from '../events.ts'
import type { Files } from '../files/files.ts'
import { type JobName, type Jobs, jobTraceKey } from '../jobs.ts'
import type { Audience, LiveUpdates, PublishTurn } from '../live/live-updates.ts'
import type { SignalName, SignalPayloads } from '../live/signals.ts'
import type { OutgoingClient } from '../outgoing/outgoing-client.ts'
import type { PushSender } from '../outgoing/push.ts'
import type { WebhookInterest } from '../outgoing/webhook-interest.ts'
import { currentTraceId } from '../trace.ts'
import type { Database } from './database.ts'
import { type Loader, makeLoadBatch } from './load-batch.ts'
import type { DB } from './tables.ts'

/** The dependencies of every scope. */
export type Deps = {
  database: Database
  live: LiveUpdates
  files: Files
  vault: Vault
  clock: Clock
  push: PushSender
  /** Which companies have webhooks. */
  webhookInterest: WebhookInterest
  /** HTTP client for URLs chosen by companies or browsers. */
  outgoing: OutgoingClient
  publicUrl: string
  /** Base URL of DialogFlow's API. */
  dialogflowUrl: string
  /** Base URLs of payment providers; empty: the documented ones. */
  efiUrl?: string
  asaasUrl?: string
  /** The model of new prompts, named by the operator. */
  aiModel?: string | undefined
  /** The operator's app at Meta, with which companies connect their numbers. */
  metaApp?: MetaApp | undefined
}

/** A write may have been committed without its events, because the connection was lost before the response. */
export const markPossiblyUnpublished = ({ live, database }: Deps, companyId: number, severed: unknown): void =>
  live.markUnpublished(companyId, () => database.isBackendGone(severed))

/**
 * How often a deadlocked transaction is tried. The database rolls back one of two deadlocked transactions, which can
 * succeed when repeated.
 */
const deadlockTries = 3

type TransactionState = {
  db: Kysely<DB>
  afterCommit: (() => void)[]
  afterRollback: (() => void | Promise<void>)[]
  /** Signals to other processes, sent on commit, without duplicates. */
  signals: Set<string>
  /** Set for an operation of a batch (see `inBatch`): all operations have the same time. */
  now?: Date
  load?: <A, R>(loader: Loader<Scope, A, R>, one: A) => Promise<R>
}

/**
 * Everything a feature may use on behalf of one company. `db` is limited to the tenant, except in a wide scope
 * (public and super endpoints), where the handler itself names the company.
 */
export class Scope {
  readonly deps: Deps
  readonly companyId: number
  /** The acting user; null on public endpoints and in jobs. */
  readonly person: Actor | null
  readonly wide: boolean
  readonly plan: Partial<Record<PlanFlag, boolean>>
  readonly db: Kysely<DB>
  readonly #inside: TransactionState | undefined

  constructor(
    deps: Deps,
    who: { companyId: number; person?: Actor | null; wide?: boolean; plan?: Scope['plan'] },
    transactionState?: TransactionState,
  ) {
    this.deps = deps
    this.companyId = who.companyId
    this.person = who.person ?? null
    this.wide = who.wide ?? false
    this.plan = who.plan ?? {}
    this.#inside = transactionState
    this.db = transactionState?.db ?? (this.wide ? deps.database.platform : deps.database.tenant(who.companyId))
  }

  /** The acting user. Only for endpoints that require a session. */
  get actor(): Actor {
    if (!this.person) throw new AppError('ERR_SESSION_EXPIRED')
    return this.person
  }

  now(): Date {
    return new Date(this.#inside?.now ?? this.deps.clock.now())
  }

  /** A scope of the same user in another company; only from a wide scope. */
  forCompany(companyId: number): Scope {
    if (companyId === this.companyId) return this
    if (!this.wide) throw new Error('Only a wide scope reaches another company')
    return new Scope(this.deps, { companyId, person: this.person, wide: true, plan: this.plan }, this.#inside)
  }

  /** Runs one transaction. Events published in it are sent after the commit, in commit order, and only if it commits. */
  async transaction<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    if (this.#inside) return work(this)
    for (let tries = 1; ; tries++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (!isDeadlock(error) || tries === deadlockTries) throw error
        await pause(Math.random() * 20 * tries)
      }
    }
  }

  async #attempt<T>(work: (scope: Scope) => Promise<T>): Promise<T> {
    const after: Omit<TransactionState, 'db'> = { afterCommit: [], afterRollback: [], signals: new Set() }
    let publishTurn: PublishTurn | undefined
    let isCommitting = false
    const runInTransaction = async (db: Transaction<DB>) => {
      const result = await work(new Scope(this.deps, this, { db, ...after }))
      publishTurn = this.deps.live.takePublishTurn(this.companyId)
      isCommitting = true
      return result
    }
    const rollBack = async (error: unknown) => {
      // The commit may have succeeded with only its response lost: an unused file does less harm than a missing one.
      if (isCommitting && isConnectionLost(error)) {
        if (after.afterCommit.length) markPossiblyUnpublished(this.deps, this.companyId, error)
      } else for (const undo of after.afterRollback) await undo()
      throw error
    }
    try {
      const result = await this.db.transaction().execute(runInTransaction).catch(rollBack)
      await publishTurn?.previousDone
      for (const publish of after.afterCommit) publish()
      return result
    } finally {
      publishTurn?.done()
    }
  }

  /**
   * Runs many operations in this transaction as a batch, all or none. Each is written as if it ran alone, and queries that
   * they `load` at the same time run once. They must be independent: their order is undefined. `people`: the actor of each
   * operation, if not the current one.
   */
  async inBatch<T>(all: ((scope: Scope) => Promise<T>)[], people: Scope[] = []): Promise<T[]> {
    const transactionState = this.#inside
    if (!transactionState) throw new Error('Only in a transaction')
    const now = this.now()
    const batch = makeLoadBatch(new Scope(this.deps, this, { ...transactionState, now }), all.length)
    const done = all.map(async (work, n) => {
      const { load: ask, done } = batch.member()
      try {
        return await work(new Scope(this.deps, people[n] ?? this, { ...transactionState, now, load: ask }))
      } catch (error) {
        batch.fail(error)
        throw error
      } finally {
        done()
      }
    })
    // No operation may still be running when the transaction ends.
    await Promise.allSettled(done)
    return Promise.all(done)
  }

  /**
   * Whether this scope belongs to an operation of a batch: work that concerns several operations must not be done here.
   */
  get isInBatch(): boolean {
    return this.#inside?.now !== undefined
  }

  /**
   * Runs a query: in a batch for many operations at once, otherwise for one. The query must not depend on the actor.
   */
  async load<A, R>(loader: Loader<Scope, A, R>, one: A): Promise<R> {
    if (this.#inside?.load) return this.#inside.load(loader, one)
    return (await loader(this, [one]))[0] as R
  }

  /** Only for publishing. Other transactions wait for their turn to publish, so slow work must be a job. */
  afterCommit(act: () => void): void {
    if (this.#inside) return void this.#inside.afterCommit.push(act)
    this.deps.live.markChanged(this.companyId)
    act()
  }

  afterRollback(act: () => void | Promise<void>): void {
    this.#inside?.afterRollback.push(act)
  }

  /** Publishes an event; default audience: the whole company. */
  live<P>(topic: Topic<P>, payload: P, to: Audience = { company: this.companyId }): void {
    const because = currentTraceId()
    this.afterCommit(() => this.deps.live.publish(topic, this.companyId, payload, to, because))
  }

  /** Publishes one row, in the keys of its topic. */
  publish<R>(topic: RecordTopic<R>, news: RecordNews<R>, to?: Audience): void {
    this.live(topic, packRecordNews(topic, news), to)
  }

  /** Enqueues a job in this transaction: it runs if and only if the transaction commits. */
  async enqueueJob<N extends JobName>(
    name: N,
    payload: Jobs[N],
    options: { runAt?: Date; key?: string; queue?: string; attempts?: number } = {},
  ): Promise<void> {
    const { runAt = null, key = null, queue = null, attempts = 10 } = options
    const because = currentTraceId()
    const carried = JSON.stringify(because ? { ...payload, [jobTraceKey]: because } : payload)
    await this.load(enqueueAll, { name, payload: carried, runAt, key, queue, attempts })
  }

  /** Sends a signal to every process on commit (see signals.ts). */
  async signal<N extends SignalName>(name: N, ...[word = '']: SignalPayloads[N]): Promise<void> {
    const notification = `${name} ${word}`
    if (this.#inside?.signals.has(notification)) return
    this.#inside?.signals.add(notification)
    await sql`select pg_notify('recado', ${notification})`.execute(this.db)
  }

  /** Emits an event to the layers above. */
  emit<E extends EventName>(event: E, payload: Events[E]): Promise<void> {
    return this.enqueueJob('event', { event, payload })
  }
}

type Job = {
  name: string
  payload: string
  runAt: Date | null
  key: string | null
  queue: string | null
  attempts: number
}
async function enqueueAll(scope: Scope, all: Job[]): Promise<undefined[]> {
  await sql`
    select enqueue_job(x.name, x.payload::json, x."runAt", x.key, x.queue, x.attempts)
    from json_to_recordset(${JSON.stringify(all)}) x (name text, payload text, "runAt" timestamptz, key text, queue text, attempts int)`.execute(
    scope.db,
  )
  return all.map(() => undefined)
}
