import { createCounter } from './unread-count.ts'

/** Unread team messages of this user, for the menu, the top bar and the bottom bar. */
export const { set: setUnreadChatsCount, use: useUnreadChatsCount } = createCounter()
