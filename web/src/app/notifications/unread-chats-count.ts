import { createCounter } from './unread-count.ts'

/** How many messages of the team wait for this person: known to the menu, the bar and the phone's bar. */
export const { set: setUnreadChatsCount, use: useUnreadChatsCount } = createCounter()
