/**
 * The keys that resolve the open ticket, or the ticket of the focused row. No single letter resolves, because it may
 * belong to a sentence.
 */
export const resolveKeys = 'mod+Enter'
