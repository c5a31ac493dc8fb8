import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from '../../parts/schedule/texts.ts'

export async function sendScheduleNow({ id }: Schedule, told: string): Promise<Schedule | null> {
  try {
    const row = await callApi(schedulesApi.retry, { params: { id } })
    toast.ok(told)
    return row
  } catch (error) {
    toast.error(error)
    return null
  }
}
/** Deletes a scheduled message. `only`: only this occurrence of a series. */
export const deleteSchedule = ({ id }: Schedule, only = false) =>
  callApi(schedulesApi.remove, { params: { id }, query: { only } })

/** The consequence of deleting the message, for the confirmation. */
export function useDeleteConsequence() {
  const words = useTexts(texts)
  return ({ repeat, sentAt }: Schedule, only = false) =>
    sentAt ? words.keeps : only ? words.onlyThis : repeat ? words.endsSeries : words.notSent
}
