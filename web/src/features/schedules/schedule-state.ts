import type { Schedule } from '@recado/contract/schedules/schedules'

/** As people tell them apart: held is a pending one for which somebody has to decide. */
export const scheduleDisplayStates = ['PENDENTE', 'AGENDADA', 'held', 'ERRO', 'ENVIADA'] as const
export type ScheduleDisplayState = (typeof scheduleDisplayStates)[number]
export const getScheduleDisplayState = ({
  status,
  heldAt,
}: Pick<Schedule, 'status' | 'heldAt'>): ScheduleDisplayState => (heldAt ? 'held' : status)

/** Once it has left, or is leaving, nothing of it can be changed. */
export const canEditSchedule = ({ status, ticketUuid }: Schedule) =>
  status === 'PENDENTE' || status === 'ERRO' || (status === 'AGENDADA' && ticketUuid === null)
export const canSendNow = ({ status, heldAt }: Schedule) => status === 'ERRO' || heldAt !== null
/** One whose time has come cannot be put back to it: only what still waits is dragged, so that it can be undone. */
export const canMoveSchedule = (row: Schedule, now: Date) =>
  getScheduleDisplayState(row) === 'PENDENTE' && Date.parse(row.sendAt) > now.getTime()
