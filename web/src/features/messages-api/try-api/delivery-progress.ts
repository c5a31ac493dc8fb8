import type { ApiMessageState } from '@recado/contract/api-access/api-messages'

export type DeliveryStep = Exclude<ApiMessageState, 'failed'>
export const deliverySteps: readonly DeliveryStep[] = ['queued', 'sent', 'delivered', 'read']

/** The delivery state of a message, with the times of the observed steps. */
export type DeliveryProgress = {
  startedAt: number
  state: ApiMessageState
  error: string
  reachedAt: Partial<Record<ApiMessageState, number>>
}
export type DeliveryUpdate = { state: ApiMessageState; error: string; at: number }

export const startProgress = (since: number): DeliveryProgress => ({
  startedAt: since,
  state: 'queued',
  error: '',
  reachedAt: { queued: since },
})

/** Maps a message's ack to a state: 0 failed, 1 waiting, 2 sent, 3 received, 4 read, 5 played. */
export const ackToState = (ack: number): ApiMessageState =>
  ack <= 0 ? 'failed' : (deliverySteps[Math.min(ack, 4) - 1] ?? 'queued')

const stepRank = (state: ApiMessageState) => deliverySteps.indexOf(state as DeliveryStep)

/** Events may arrive late or twice: the state never goes back, and a delivered message cannot fail. */
export function advanceProgress(progress: DeliveryProgress, { state, error, at }: DeliveryUpdate): DeliveryProgress {
  const isNews =
    state === 'failed' ? stepRank(progress.state) < stepRank('delivered') : stepRank(state) > stepRank(progress.state)
  if (!isNews || progress.state === state) return progress
  return { ...progress, state, error, reachedAt: { ...progress.reachedAt, [state]: Math.max(at, progress.startedAt) } }
}

/** Whether this delivery step is done; skipped steps count as done. */
export const isStepDone = ({ state }: DeliveryProgress, step: DeliveryStep): boolean =>
  stepRank(step) <= Math.max(0, stepRank(state))
