import type { Schedule } from '@recado/contract/schedules/schedules'

/** As people tell them apart: held is a pending one for which somebody has to decide. */
export const states = ['PENDENTE', 'AGENDADA', 'held', 'ERRO', 'ENVIADA'] as const
export type State = (typeof states)[number]
export const stateOf = ({ status, heldAt }: Pick<Schedule, 'status' | 'heldAt'>): State => (heldAt ? 'held' : status)

/** Once it has left, or is leaving, nothing of it can be changed. */
export const isOpen = ({ status, ticketUuid }: Schedule) =>
  status === 'PENDENTE' || status === 'ERRO' || (status === 'AGENDADA' && ticketUuid === null)
export const canGoNow = ({ status, heldAt }: Schedule) => status === 'ERRO' || heldAt !== null
/** One whose time has come cannot be put back to it: only what still waits is dragged, so that it can be undone. */
export const canMove = (row: Schedule, now: Date) =>
  stateOf(row) === 'PENDENTE' && Date.parse(row.sendAt) > now.getTime()
