import { sql } from 'kysely'
import { later, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { Resting } from '../../kernel/outgoing/breaker.ts'
import { Forbidden, Insecure } from '../../kernel/outgoing/outgoing.ts'
import { BadAnswer, type CallOut, excerpt, SessionGone } from './call-out.ts'
import { keepCall } from './calls.ts'
import { type IntegrationRow, integrations } from './integrations.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** It did not answer so often that it is left alone for a while. */
    'integration.rests': { companyId: number; ticketId: number; name: string }
  }
}

/** So many failures in a row, and it rests; twice as long after each that follows. */
const failuresToRest = 5
const restMs = (inRow: number) => Math.min(minutes(1) * 2 ** Math.min(inRow - failuresToRest, 10), minutes(15))

type Exchange = { ticketId: number; timeoutMs: number; signal?: AbortSignal }

/**
 * One exchange with an integration on a ticket, written down whatever comes of it, without keys. What comes to nothing
 * counts against the integration; one that answers is well again.
 */
export async function recorded<T>(
  scope: Scope,
  it: IntegrationRow,
  { ticketId, ...limits }: Exchange,
  work: (call: CallOut) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  const { call, last } = noting(scope, limits)
  const keep = (error: string) =>
    keepCall(scope, {
      ...{ kind: it.type, integrationId: it.id, ticketId, ...last },
      ms: Math.round(performance.now() - began),
      ok: !error,
      error,
    })
  try {
    const answer = await work(call)
    await keep('')
    if (it.failuresInRow) await isWell(scope, it.id)
    return answer
  } catch (error) {
    // Nobody waits any more: whoever asks next is another.
    if (limits.signal?.aborted) throw error
    const why = codeOf(error, limits.timeoutMs)
    await keep(why)
    if (!(error instanceof SessionGone)) await failed(scope, it.id, ticketId, why)
    throw error
  }
}

/** Calls in the company's name, and remembers the last: what was asked, what came back. */
export function noting(scope: Scope, limits: { timeoutMs: number; signal?: AbortSignal; insists?: boolean }) {
  const last = { asked: '', answered: '', status: 0 }
  const call: CallOut = async (address, { kept, isSecret, ...given }) => {
    const asked = isSecret ? '' : (kept ?? String(given.body ?? ''))
    Object.assign(last, { asked, answered: '', status: 0 })
    const sent = await scope.means.outgoing.call(address, { companyId: scope.companyId, ...limits, ...given })
    Object.assign(last, { status: sent.status, answered: isSecret && sent.status < 300 ? '' : sent.body })
    return sent
  }
  return { call, last }
}

export const isWell = (scope: Scope, id: number) =>
  scope.transaction((tx) => integrations.update(tx, id, { failuresInRow: 0, lastError: '', restsUntil: null }))

async function failed(scope: Scope, id: number, ticketId: number, lastError: string): Promise<void> {
  const { companyId } = scope
  await scope.transaction(async (tx) => {
    const before = await integrations.held(tx, id)
    const failuresInRow = before.failuresInRow + 1
    const rests = failuresInRow >= failuresToRest
    const restsUntil = rests ? later(tx.now(), restMs(failuresInRow)) : null
    await integrations.update(tx, id, { failuresInRow, lastError, restsUntil })
    if (failuresInRow === failuresToRest) await tx.emit('integration.rests', { companyId, ticketId, name: before.name })
  })
}

/**
 * Whether it may be called now. When its rest is over one tries, and the others wait for what comes of that.
 */
export async function mayCall(scope: Scope, it: IntegrationRow): Promise<boolean> {
  if (it.restsUntil === null) return true
  const now = scope.now()
  const { rows } = await sql`
    update "queueIntegrations" set "restsUntil" = ${later(now, restMs(it.failuresInRow))}
    where "companyId" = ${scope.companyId} and id = ${it.id} and "restsUntil" <= ${now} returning id`.execute(scope.db)
  return rows.length > 0
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error.name === 'AbortError' && !isTimeoutFree(error.cause)))
const isTimeoutFree = (cause: unknown) => cause instanceof Error && cause.name !== 'TimeoutError'

type Trouble = { word: 'timeout' | 'insecure' | 'forbidden' | 'resting' | 'unreachable' | null; about: string }

function troubleOf(error: unknown, timeoutMs: number): Trouble {
  if (error instanceof BadAnswer) return { word: null, about: error.message }
  if (isTimeout(error)) return { word: 'timeout', about: String(Math.round(timeoutMs / 1000)) }
  if (error instanceof Insecure) return { word: 'insecure', about: '' }
  if (error instanceof Forbidden) return { word: 'forbidden', about: error.message }
  if (error instanceof Resting) return { word: 'resting', about: '' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words = error instanceof Error ? error.message || code : String(error)
  return { word: 'unreachable', about: excerpt(words || code) }
}

/** Why it came to nothing, as a word of ours and what it is about: screens say it in their own language. */
export function codeOf(error: unknown, timeoutMs: number): string {
  const { word, about } = troubleOf(error, timeoutMs)
  return word ? [word, about].filter(Boolean).join(':') : about
}

const inWords = {
  timeout: (seconds: string) => `no answer within ${seconds} seconds`,
  insecure: () => 'the address has to begin with https',
  keyended: () => 'the key that wrote this webhook was revoked or has expired',
  keyscope: () => 'the key that wrote this webhook may not read such events',
  forbidden: (about: string) => `this address is not called: ${about}`,
  resting: () => 'it did not answer lately and is left alone for a while',
  unreachable: (about: string) => `it cannot be reached: ${about}`,
}
/** A code in words, for where no screen puts it into the reader's own; what the program said itself stays as it is. */
export function saidOf(code: string): string {
  const [, word, about = ''] =
    /^(timeout|insecure|keyended|keyscope|forbidden|resting|unreachable)(?::([\s\S]*))?$/.exec(code) ?? []
  return word ? inWords[word as keyof typeof inWords](about) : code
}
export const reasonOf = (error: unknown, timeoutMs: number): string => saidOf(codeOf(error, timeoutMs))

/** Whether another try in a moment makes sense. Who waited in vain once is not kept waiting again. */
export function isPassing(error: unknown): boolean {
  if (error instanceof BadAnswer) return error.passing
  return !(isTimeout(error) || error instanceof Forbidden || error instanceof Resting)
}
