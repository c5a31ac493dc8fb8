import type { Connection } from '@recado/contract/connections'
import type { Queue } from '@recado/contract/queues'
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
): Pick<QueueFormValues, 'lineIds' | 'userIds' | 'seenBy'> {
  const isMember = ({ queues }: { queues: { id: number }[] }) => !row || queues.some((queue) => queue.id === row.id)
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => String(id))
  return {
    lineIds: idsOf(lines.filter((line) => isMember(line))),
    userIds: idsOf(listQueueCandidates(users).filter((user) => isMember(user))),
    seenBy: null,
  }
}

/** The chosen lines whose customers would choose between queues without having read a greeting. */
export const listLinesWithoutGreeting = (lines: Connection[], lineIds: string[], queueId: number): Connection[] =>
  lines.filter(
    (line) =>
      lineIds.includes(String(line.id)) &&
      line.greetingMessage === '' &&
      line.queues.some((queue) => queue.id !== queueId),
  )
