// A separate module: every screen loads the schemas of queues, which need these words but not the menu's code.
export const menuLeafActions = ['person', 'queue', 'end'] as const
/**
 * What an option without sub-options does after its message: wait for a person, pass to another queue, or end the
 * conversation.
 */
export type MenuLeafAction = (typeof menuLeafActions)[number]
