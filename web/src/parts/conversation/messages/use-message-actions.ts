import { type Message, messagesApi } from '@recado/contract/messages'
import { addSignature, parseSignature } from '@recado/contract/text/signature'
import type { Note, Ticket } from '@recado/contract/tickets'
import { notesApi } from '@recado/contract/tickets'
import { canLeadQueues } from '@recado/contract/visibility'
import { useQueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useCan } from '../../../lib/can.tsx'
import { updateCachedQuery } from '../../../lib/query-cache.ts'
import { useSession } from '../../../lib/session.tsx'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { replaceOwnReaction } from '../../message/reactions/reactions.ts'
import { updateMessage } from './merge-messages.ts'
import { messageActionTexts } from './texts.ts'
import {
  addOptimisticChange,
  updateThread as changeThread,
  messageFromNews,
  readAndCollectThreadNews,
  readWithThreadNews,
} from './thread-cache.ts'
import { notesKey } from './use-notes-and-system-lines.ts'

/** Actions on a message or note of the thread. */
export function useMessageActions(ticket: Ticket) {
  const client = useQueryClient()
  const { user } = useSession()
  const isAdmin = useCan()('tickets-manager:showall')
  const isLead = user !== null && canLeadQueues(user)
  const adopt = (message: Message) => changeThread(client, ticket.id, (loaded) => updateMessage(loaded, message))

  const retry = (message: Message): Promise<boolean> =>
    change(message, { ack: 1, error: null }, () => callApi(messagesApi.retry, { params: { id: message.id } }))

  async function remove(message: Message): Promise<void> {
    const words = currentTexts(messageActionTexts)
    const question = { title: words.removeAsk, consequence: words.removeLine, verb: words.removeVerb }
    if (!(await openConfirm(question))) return
    try {
      const ask = () => callApi(messagesApi.remove, { params: { id: message.id } })
      adopt(await readWithThreadNews(ask, (reply, news) => messageFromNews(news, reply.id) ?? reply))
    } catch (error) {
      toast.error(error)
    }
  }

  /** Changes a message optimistically. When the server refuses, it reverts the change and returns false. */
  async function change(before: Message, part: Partial<Message>, ask: () => Promise<Message>): Promise<boolean> {
    const end = addOptimisticChange(before.id, part)
    adopt({ ...before, ...part })
    const wasSubmitted = () =>
      ask().then(
        (message) => ({ message, done: true }),
        (error: unknown) => {
          toast.error(error)
          return { message: before, done: false }
        },
      )
    const { page, news } = await readAndCollectThreadNews(wasSubmitted)
    end()
    // A later event may arrive before the response; in that case the response is outdated.
    const heard = news.findLast((one) => messageFromNews(one, before.id))
    adopt((heard && messageFromNews(heard, before.id)) ?? page.message)
    return page.done
  }

  function edit(message: Message, text: string): Promise<boolean> {
    const { name } = parseSignature(message.body)
    const body = addSignature(text.trim(), name)
    return change(message, { body, isEdited: true, error: null }, () =>
      callApi(messagesApi.edit, { params: { id: message.id }, body: { body } }),
    )
  }

  function react(message: Message, emoji: string): Promise<boolean> {
    const reactions = replaceOwnReaction(message.reactions, emoji, user?.name ?? '')
    return change(message, { reactions }, () =>
      callApi(messagesApi.react, { params: { id: message.id }, body: { emoji } }),
    )
  }

  const fetch = (message: Message): Promise<boolean> =>
    change(message, { mediaState: 'pending', error: null }, () =>
      callApi(messagesApi.fetch, { params: { id: message.id } }),
    )

  async function removeNote(note: Note): Promise<void> {
    const words = currentTexts(messageActionTexts)
    const question = { title: words.removeNoteAsk, consequence: words.removeNoteLine, verb: words.removeNote }
    if (!(await openConfirm(question))) return
    try {
      await callApi(notesApi.remove, { params: { id: note.id } })
      updateCachedQuery<Note[]>(client, notesKey(ticket.id), (notes) => notes.filter((one) => one.id !== note.id))
      toast.ok(words.noteRemoved)
    } catch (error) {
      toast.error(error)
    }
  }

  return {
    retry,
    remove,
    edit,
    react,
    fetch,
    /** Whether the user may send here, by the same rule as for writing in the ticket. */
    canSend: ticket.status === 'open' && (ticket.userId === user?.id || isLead),
    removeNote,
    /** The server's rule: users may delete their own messages, or messages of a ticket in which they may write. */
    canRemove: ({ fromMe, isDeleted, user: author }: Message): boolean =>
      fromMe && !isDeleted && (author?.id === user?.id || ticket.userId === user?.id || isLead),
    canRemoveNote: (note: Note): boolean => isAdmin || note.user.id === user?.id,
  }
}
