export type ComposerMode = 'reply' | 'note'

/** Storage keys of a ticket's draft and its attachments. */
export const draftKey = (ticketId: number, mode: ComposerMode): string => `${ticketId}.${mode}`
export const trayKey = (ticketId: number): string => String(ticketId)
