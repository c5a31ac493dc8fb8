import { type Message, messageEditWindowMs } from '@recado/contract/messages'

/** Whether an agent wrote this text in the desk, and it is being sent or was sent. */
export const isAgentText = ({ fromMe, mediaType, bot, isDeleted, ack }: Message): boolean =>
  fromMe && mediaType === 'conversation' && bot === null && !isDeleted && ack > 0

export const isRecentEnoughToEdit = ({ createdAt }: Message, now: number = Date.now()): boolean =>
  now - Date.parse(createdAt) < messageEditWindowMs

/** The message that arrow up edits in an empty composer: the user's last message, while it can be edited. */
export function findLastEditable(messages: Message[], userId: number, now?: number): Message | undefined {
  const last = messages.findLast((one) => one.fromMe && one.bot === null)
  return last && last.user?.id === userId && isAgentText(last) && isRecentEnoughToEdit(last, now) ? last : undefined
}
