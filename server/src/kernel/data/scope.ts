import { setTimeout as pause } from 'node:timers/promises'
import type { PlanFlag } from '@recado/contract/kit'
import { pack, type RecordNews, type RecordTopic, type Topic } from '@recado/contract/topic'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Vault } from '../crypto.ts'
import { AppError, isDeadlock } from '../errors.ts'
import type { EventName, Events } from '../events.ts'
import type { Files } from '../files/files.ts'
import type { JobName, Jobs } from '../jobs.ts'
import type { Audience, Live, Waiting } from '../live/live.ts'
import type { SignalName, SignalWords } from '../live/signals.ts'
import type { Hooks } from '../outgoing/hooks.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import type { Push } from '../outgoing/push.ts'
import type { Database } from './database.ts'
import type { DB } from './tables.ts'

/** What the house gives every scope. */
export type Means = {
  database: Database
  live: Live
  files: Files
  vault: Vault
  clock: Clock
  push: Push
  /** Which companies have programs that want to hear of what happens. */
  hooks: Hooks
  /** The way out to addresses that others chose. */
  outgoing: Outgoing
  publicUrl: string
  /** Where DialogFlow's API answers. */
  dialogflowUrl: string
  /** Where payment providers answer; empty: where their documents say. */
  efiUrl?: string
  asaasUrl?: string
}

/** Of two who wait for each other the database undoes one, who is not to blame: it begins again. */
const deadlockTries = 3

type Inside = { db: Kysely<DB>; afterCommit: (() => void)[]; afterRollback: (() => void | Promise<void>)[] }

/**
 * Everything a feature may touch on behalf of one company. `db` is already behind the tenant's wall, except in a wide
 * scope (public and super endpoints), where the handler itself says which company it means.
 */
export class Scope {
  readonly means: Means
  readonly companyId: number
  /** Null on public endpoints and in jobs. */
  readonly person: Actor | null
  readonly wide: boolean
  readonly plan: Partial<Record<PlanFlag, boolean>>
  readonly db: Kysely<DB>
  readonly #inside: Inside | undefined

  constructor(
    means: Means,
    who: { companyId: number; person?: Actor | null; wide?: boolean; plan?: Scope['plan'] },
    inside?: Inside,
  ) {
    this.means = means
    this.companyId = who.companyId
    this.person = who.person ?? null
    this.wide = who.wide ?? false
    this.plan = who.plan ?? {}
    this.#inside = inside
    this.db = inside?.db ?? (this.wide ? means.database.platform : means.database.tenant(who.companyId))
  }

  /** The person who acts. Only endpoints that need a session may ask. */
  get actor(): Actor {
    if (!this.person) throw new AppError('ERR_SESSION_EXPIRED')
    return this.person
  }

  now(): Date {
    return this.means.clock.now()
  }

  /** The same person in another company: a wide scope only. */
  of(companyId: number): Scope {
    if (companyId === this.companyId) return this
    if (!this.wide) throw new Error('Only a wide scope reaches another company')
    return new Scope(this.means, { companyId, person: this.person, wide: true, plan: this.plan }, this.#inside)
  }

  /** One transaction; what is said inside it is heard after the commit, in the order of commits, and never if there is none. */
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
    const after: Omit<Inside, 'db'> = { afterCommit: [], afterRollback: [] }
    let number: Waiting | undefined
    const inside = async (db: Transaction<DB>) => {
      const result = await work(new Scope(this.means, this, { db, ...after }))
      number = this.means.live.takeNumber(this.companyId)
      return result
    }
    const undone = async (error: unknown) => {
      for (const undo of after.afterRollback) await undo()
      throw error
    }
    try {
      const result = await this.db.transaction().execute(inside).catch(undone)
      await number?.before
      for (const tell of after.afterCommit) tell()
      return result
    } finally {
      number?.done()
    }
  }

  /** News and nothing that takes time, since others wait for their turn: work for later is a job. */
  afterCommit(act: () => void): void {
    if (this.#inside) return void this.#inside.afterCommit.push(act)
    this.means.live.changed(this.companyId)
    act()
  }

  afterRollback(act: () => void | Promise<void>): void {
    this.#inside?.afterRollback.push(act)
  }

  /** Says something to those who may hear it; the whole company unless told otherwise. */
  live<P>(topic: Topic<P>, payload: P, to: Audience = { company: this.companyId }): void {
    this.afterCommit(() => this.means.live.say(topic, this.companyId, payload, to))
  }

  /** News of one row, in the keys of its topic. */
  tell<R>(topic: RecordTopic<R>, news: RecordNews<R>, to?: Audience): void {
    this.live(topic, pack(topic, news), to)
  }

  /** Work for later, enqueued in this transaction: it happens if and only if this commits. */
  async job<N extends JobName>(
    name: N,
    payload: Jobs[N],
    options: { runAt?: Date; key?: string; queue?: string; attempts?: number } = {},
  ): Promise<void> {
    await sql`select enqueue_job(${name}, ${JSON.stringify(payload)}::json, ${options.runAt ?? null}::timestamptz, ${options.key ?? null}, ${options.queue ?? null}, ${options.attempts ?? 10})`.execute(
      this.db,
    )
  }

  /** A word to every process, on commit (see signals). */
  async signal<N extends SignalName>(name: N, ...[word = '']: SignalWords[N]): Promise<void> {
    await sql`select pg_notify('recado', ${`${name} ${word}`})`.execute(this.db)
  }

  /** Tells the floors above. */
  emit<E extends EventName>(event: E, payload: Events[E]): Promise<void> {
    return this.job('event', { event, payload })
  }
}
