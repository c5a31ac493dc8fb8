import type { ApiMessageState } from '@recado/contract/api-access/api-messages'

export type DeliveryStep = Exclude<ApiMessageState, 'failed'>
export const deliverySteps: readonly DeliveryStep[] = ['queued', 'sent', 'delivered', 'read']

/** How far a message has come, with the moments that were witnessed. */
export type DeliveryProgress = {
  since: number
  state: ApiMessageState
  error: string
  at: Partial<Record<ApiMessageState, number>>
}
export type DeliveryUpdate = { state: ApiMessageState; error: string; at: number }

export const startProgress = (since: number): DeliveryProgress => ({
  since,
  state: 'queued',
  error: '',
  at: { queued: since },
})

/** The state behind a message's tick: 0 failed, 1 waiting, 2 sent, 3 received, 4 read, 5 played. */
export const ackToState = (ack: number): ApiMessageState =>
  ack <= 0 ? 'failed' : (deliverySteps[Math.min(ack, 4) - 1] ?? 'queued')

const stepRank = (state: ApiMessageState) => deliverySteps.indexOf(state as DeliveryStep)

/** News may come late or twice: nothing goes back, and what was delivered has not failed. */
export function advanceProgress(progress: DeliveryProgress, { state, error, at }: DeliveryUpdate): DeliveryProgress {
  const isNews =
    state === 'failed' ? stepRank(progress.state) < stepRank('delivered') : stepRank(state) > stepRank(progress.state)
  if (!isNews || progress.state === state) return progress
  return { ...progress, state, error, at: { ...progress.at, [state]: Math.max(at, progress.since) } }
}

/** Whether this step lies behind: one that was skipped does, too. */
export const isStepDone = ({ state }: DeliveryProgress, step: DeliveryStep): boolean =>
  stepRank(step) <= Math.max(0, stepRank(state))
