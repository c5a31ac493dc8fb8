import type { Schedule } from '@recado/contract/schedules/schedules'

/** The states shown to users: `held` is a pending message that needs a decision. */
export const scheduleDisplayStates = ['PENDENTE', 'AGENDADA', 'held', 'ERRO', 'ENVIADA'] as const
export type ScheduleDisplayState = (typeof scheduleDisplayStates)[number]
export const getScheduleDisplayState = ({
  status,
  heldAt,
}: Pick<Schedule, 'status' | 'heldAt'>): ScheduleDisplayState => (heldAt ? 'held' : status)

/** A message that was sent or is being sent cannot be changed. */
export const canEditSchedule = ({ status, ticketUuid }: Schedule) =>
  status === 'PENDENTE' || status === 'ERRO' || (status === 'AGENDADA' && ticketUuid === null)
export const canSendNow = ({ status, heldAt }: Schedule) => status === 'ERRO' || heldAt !== null
/** Only future messages can be dragged, so that the move can be undone. */
export const canMoveSchedule = (row: Schedule, now: Date) =>
  getScheduleDisplayState(row) === 'PENDENTE' && Date.parse(row.sendAt) > now.getTime()
