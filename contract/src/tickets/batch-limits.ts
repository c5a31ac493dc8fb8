/** How many tickets a call may name, and how many a list may have. */
export const maxBatchIds = 200
export const maxBatchTickets = 10_000
