import type { Connection } from '@recado/contract/connections'
import type { Reply } from '@recado/contract/endpoint'
import type { Queue } from '@recado/contract/queues'
import type { ticketsApi } from '@recado/contract/tickets'
import type { User } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import type { QueueFormValues } from './queue-form-values.ts'

/** The users who can be put into a queue. Admins see every queue, so they are not asked about. */
export const listQueueCandidates = (users: User[]): User[] =>
  users.filter((user) => user.active && !canSeeAllTickets(user))

/** The lines and people of the queue. For a new queue all are chosen, so that customers reach it at once. */
export function toQueueMembers(
  row: Queue | null,
  lines: Connection[],
  users: User[],
): Pick<QueueFormValues, 'lineIds' | 'userIds' | 'agentCapacities' | 'seenBy' | 'takesWaiting'> {
  const isMember = ({ queues }: { queues: { id: number }[] }) => !row || queues.some((queue) => queue.id === row.id)
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => String(id))
  return {
    lineIds: idsOf(lines.filter((line) => isMember(line))),
    userIds: idsOf(listQueueCandidates(users).filter((user) => isMember(user))),
    agentCapacities: Object.fromEntries(listQueueCandidates(users).map(({ id, capacity }) => [id, capacity ?? ''])),
    seenBy: null,
    // Customers who already wait would otherwise stay without a queue, where agents do not see them.
    takesWaiting: !row,
  }
}

/** The capacities that the form has changed, of users who will work in the queue. */
export const listChangedCapacities = (
  { agentCapacities, userIds }: Pick<QueueFormValues, 'agentCapacities' | 'userIds'>,
  users: User[],
): { userId: number; capacity: number | '' }[] =>
  users
    .filter(({ id, capacity }) => userIds.includes(String(id)) && (agentCapacities[id] ?? '') !== (capacity ?? ''))
    .map(({ id }) => ({ userId: id, capacity: agentCapacities[id] ?? '' }))

/** How many tickets wait without a queue, by line. */
export type WaitingWithoutQueue = Reply<typeof ticketsApi.withoutQueue>

export const countWaitingOnLines = (waiting: WaitingWithoutQueue, lineIds: string[]): number =>
  waiting.reduce((sum, { whatsappId, count }) => sum + (lineIds.includes(String(whatsappId)) ? count : 0), 0)

/** The chosen lines whose customers would choose between queues without having read a greeting. */
export const listLinesWithoutGreeting = (lines: Connection[], lineIds: string[], queueId: number): Connection[] =>
  lines.filter(
    (line) =>
      lineIds.includes(String(line.id)) &&
      line.greetingMessage === '' &&
      line.queues.some((queue) => queue.id !== queueId),
  )
