import { type Message, messageEditWindowMs } from '@recado/contract/messages'

/** A text that a person wrote here, and that is on its way or there. */
export const isAgentText = ({ fromMe, mediaType, bot, isDeleted, ack }: Message): boolean =>
  fromMe && mediaType === 'conversation' && bot === null && !isDeleted && ack > 0

export const isRecentEnoughToEdit = ({ createdAt }: Message, now: number = Date.now()): boolean =>
  now - Date.parse(createdAt) < messageEditWindowMs

/** What the arrow up in an empty box means: the last thing that this person said, while it can be said differently. */
export function findLastEditable(messages: Message[], userId: number, now?: number): Message | undefined {
  const last = messages.findLast((one) => one.fromMe && one.bot === null)
  return last && last.user?.id === userId && isAgentText(last) && isRecentEnoughToEdit(last, now) ? last : undefined
}
