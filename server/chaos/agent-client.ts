import { setTimeout as pause } from 'node:timers/promises'
import type { TicketViewer } from '../../web/src/parts/ticket/ticket-filter.ts'

/** The call succeeded, was refused for a reason, or has an unknown outcome because no response came. */
export type CallOutcome<T> =
  | { result: 'done'; body: T }
  | { result: 'refused'; status: number; code: string }
  | { result: 'unknown' }
type AgentSession = { token: string; user: TicketViewer & { companyId: number } }

/** The response timeout of a browser, and how long a user repeats an action before giving up. */
const answerTimeoutMs = 15_000
const retryTimeoutMs = 90_000

/** A user's browser behind a load balancer: calls any of the processes, and logs in again when its session has ended. */
export function openAgentClient(addresses: () => string[], email: string, password: string) {
  let session: Promise<AgentSession> | null = null
  let calls = 0
  /** Responses that indicate a bug in the server; 503 is none, because a server may be unavailable. */
  const faults: string[] = []
  const address = () => {
    const all = addresses()
    return all[calls++ % all.length] as string
  }

  async function raw(method: string, path: string, body: unknown, token?: string): Promise<Response | null> {
    const form = body instanceof FormData
    const headers = {
      accept: 'application/json',
      ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const sent = body === undefined ? {} : { body: form ? body : JSON.stringify(body) }
    const signal = AbortSignal.timeout(answerTimeoutMs)
    return fetch(address() + path, { method, headers, signal, ...sent }).catch(() => null)
  }
  async function login(): Promise<AgentSession> {
    for (const deadline = Date.now() + retryTimeoutMs; ; await pause(100)) {
      const answer = await raw('POST', '/auth/login', { email, password })
      const body = await answer?.json().catch(() => null)
      if (answer?.status === 200 && body) return body as AgentSession
      if (Date.now() > deadline) throw new Error(`${email} cannot log in: ${answer?.status} ${JSON.stringify(body)}`)
    }
  }
  const me = () => {
    session ??= login().catch((error) => {
      session = null
      throw error
    })
    return session
  }

  async function attemptCall<T>(method: string, path: string, body?: unknown): Promise<CallOutcome<T>> {
    for (let tries = 0; ; tries++) {
      const { token } = await me()
      const answer = await raw(method, path, body, token)
      const said = await answer?.json().catch(() => null)
      if (!answer || said === null || said === undefined) return { result: 'unknown' }
      if (answer.status === 401 && tries < 5) {
        session = null
        continue
      }
      if (answer.status >= 500 && answer.status !== 503) faults.push(`${method} ${path} was answered ${answer.status}`)
      if (answer.status >= 500) return { result: 'unknown' }
      if (answer.status >= 300)
        return { result: 'refused', status: answer.status, code: String(Reflect.get(said, 'error')) }
      return { result: 'done', body: said as T }
    }
  }
  return {
    email,
    login: me,
    faults,
    /** Calls the server once: without a response the action may have happened or not. */
    callOnce: attemptCall,
    /** Retries until a response comes: for reads and idempotent actions. */
    async callUntilAnswered<T>(method: string, path: string, body?: unknown): Promise<CallOutcome<T>> {
      for (const deadline = Date.now() + retryTimeoutMs; ; await pause(100)) {
        const outcome = await attemptCall<T>(method, path, body)
        if (outcome.result !== 'unknown' || Date.now() > deadline) return outcome
      }
    },
    address,
  }
}
export type AgentClient = ReturnType<typeof openAgentClient>

/** Throws if the call was refused. */
export function expectDone<T>(outcome: CallOutcome<T>): T {
  if (outcome.result !== 'done') throw new Error(`this must not be refused: ${JSON.stringify(outcome)}`)
  return outcome.body
}
