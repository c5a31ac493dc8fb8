export type Mode = 'reply' | 'note'

/** Where what is being written in a ticket is kept, and the files that wait for it. */
export const draftOf = (ticketId: number, mode: Mode): string => `${ticketId}.${mode}`
export const trayAt = (ticketId: number): string => String(ticketId)
