import type { ApiState } from '@recado/contract/doors/sending'

export type Step = Exclude<ApiState, 'failed'>
export const steps: readonly Step[] = ['queued', 'sent', 'delivered', 'read']

/** How far a message has come, with the moments that were witnessed. */
export type Progress = { since: number; state: ApiState; error: string; at: Partial<Record<ApiState, number>> }
export type Told = { state: ApiState; error: string; at: number }

export const begun = (since: number): Progress => ({ since, state: 'queued', error: '', at: { queued: since } })

/** The state behind a message's tick: 0 failed, 1 waiting, 2 sent, 3 received, 4 read, 5 played. */
export const stateOfAck = (ack: number): ApiState => (ack <= 0 ? 'failed' : (steps[Math.min(ack, 4) - 1] ?? 'queued'))

const rank = (state: ApiState) => steps.indexOf(state as Step)

/** News may come late or twice: nothing goes back, and what was delivered has not failed. */
export function advanced(progress: Progress, { state, error, at }: Told): Progress {
  const isNews = state === 'failed' ? rank(progress.state) < rank('delivered') : rank(state) > rank(progress.state)
  if (!isNews || progress.state === state) return progress
  return { ...progress, state, error, at: { ...progress.at, [state]: Math.max(at, progress.since) } }
}

/** Whether this step lies behind: one that was skipped does, too. */
export const isPast = ({ state }: Progress, step: Step): boolean => rank(step) <= Math.max(0, rank(state))
