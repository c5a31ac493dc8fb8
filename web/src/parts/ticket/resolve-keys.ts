/** Resolves the open ticket, or the ticket of the focused row. No letter resolves: it may belong to a sentence. */
export const resolveKeys = 'mod+Enter'
