export type ComposerMode = 'reply' | 'note'

/** Where what is being written in a ticket is kept, and the files that wait for it. */
export const draftKey = (ticketId: number, mode: ComposerMode): string => `${ticketId}.${mode}`
export const trayKey = (ticketId: number): string => String(ticketId)
