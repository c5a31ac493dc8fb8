import type { Message } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { useQueryClient } from '@tanstack/react-query'
import { useSession } from '../../../lib/session.tsx'
import { isTextField } from '../../../lib/shortcut-keys.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { updateMessage } from '../messages/merge-messages.ts'
import { updateThread } from '../messages/thread-cache.ts'
import { sendNow, undoDeadline, undoSend } from '../outgoing/undo-send.ts'
import { threadTexts } from './texts.ts'

export type UndoSend = {
  isHeld: (message: Message) => boolean
  deadline: (message: Message) => number | null
  undo: (message: Message) => void
  sendNow: (message: Message) => void
}

/** Taking back messages of this ticket that have not left yet, also with Ctrl Z while nothing is typed. */
export function useUndoSend(
  ticket: Ticket,
  messages: Message[],
  onReply: ((message: Message) => void) | undefined,
): UndoSend {
  const words = useTexts(threadTexts)
  const client = useQueryClient()
  const userId = useSession().user?.id ?? 0
  const deadline = (message: Message) => undoDeadline(message, userId)
  const isHeld = (message: Message) => (deadline(message) ?? 0) > Date.now()
  const held = messages.findLast((message) => deadline(message) !== null)

  const takeBack = async (message: Message) => {
    try {
      await undoSend(ticket.id, message)
      updateThread(client, ticket.id, (loaded) => ({
        ...loaded,
        messages: loaded.messages.filter(({ id }) => id !== message.id),
      }))
      const quoted = messages.find(({ id }) => id === message.quotedMsg?.id)
      if (quoted) onReply?.(quoted)
    } catch (error) {
      toast.error(error)
    }
  }
  const leaveNow = (message: Message) =>
    sendNow(message).then(
      (after) => updateThread(client, ticket.id, (loaded) => updateMessage(loaded, after)),
      (error: unknown) => toast.error(error),
    )
  useShortcut('mod+z', () => held && isHeld(held) && void takeBack(held), {
    label: words.undoSend,
    group: 'ticket',
    isActive: held !== undefined && onReply !== undefined,
    // In a field with text the browser undoes the typing.
    isAllowedAt: (target) => !isTextField(target) || (target instanceof HTMLTextAreaElement && target.value === ''),
  })
  return { isHeld, deadline, undo: (message) => void takeBack(message), sendNow: (message) => void leaveNow(message) }
}
