/** An event of a ticket's history, in the order in which they were stored. */
export type RoutedEvent = { ticketId: number; kind: string; userId: number | null }
/** A ticket whose acceptance was confirmed to this user. */
export type ConfirmedAcceptance = { ticketId: number; userId: number }

const endsOfPossession = ['resolve', 'return', 'transfer']

/** Nobody gets a ticket that somebody has, and a confirmed acceptance is in the history. */
export function findHistoryFaults(events: RoutedEvent[], confirmed: ConfirmedAcceptance[]): string[] {
  const held = new Set<number>()
  const twice: string[] = []
  for (const { ticketId, kind } of events) {
    if (kind === 'accept' && held.has(ticketId)) twice.push(`ticket ${ticketId} was given to somebody twice`)
    if (kind === 'accept') held.add(ticketId)
    if (endsOfPossession.includes(kind)) held.delete(ticketId)
  }
  const isStored = ({ ticketId, userId }: ConfirmedAcceptance) =>
    events.some((event) => event.kind === 'accept' && event.ticketId === ticketId && event.userId === userId)
  const lost = confirmed
    .filter((one) => !isStored(one))
    .map(({ ticketId, userId }) => `user ${userId} accepted ticket ${ticketId}, and its history does not say so`)
  return [...twice, ...lost]
}
