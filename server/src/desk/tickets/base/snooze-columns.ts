/** The columns of a ticket that is neither snoozed nor marked as returned. */
export const endedSnooze = {
  snoozedAt: null,
  snoozedUntil: null,
  snoozeWakesOnMessage: true,
  snoozeNote: '',
  snoozedById: null,
  returnedAt: null,
} as const

/** The same for a ticket that comes back: if it waits for an agent, it waits as from now. */
export const endSnoozeAt = (now: Date) => ({ ...endedSnooze, routableSince: now })
