import type { ParsedInput } from '@recado/contract/endpoint'
import { type Message, messagesApi } from '@recado/contract/messages'
import { findLine } from '../../directory/connections/find-line.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { withStoredUploads } from '../../kernel/files/media.ts'
import { route } from '../../kernel/http/routes.ts'
import { deleteWaitingRuns } from '../macros/run-steps.ts'
import { storeMessageSteps } from '../macros/runs.ts'
import { editMessage, reactToMessage } from '../messages/change.ts'
import { clientIdAt, composeMessages, findAlreadySent, findQuotedWid, findRecentGreeting } from '../messages/compose.ts'
import { fetchMessageFile } from '../messages/fetch-file.ts'
import { addLineTask } from '../messages/line-tasks.ts'
import { loadLinkPreview } from '../messages/link-preview.ts'
import { changeMessage, storeOutgoing } from '../messages/store.ts'
import { loadThread, markTicketRead, searchThread } from '../messages/thread.ts'
import { convertVoiceNote, type UploadedVoiceNote } from '../messages/voice-note.ts'
import {
  assertCanWrite,
  assertTicketOpen,
  findRetryTicket,
  isSupportedByLine,
  lockOwnMessage,
} from '../messages/write-permissions.ts'
import { assertReplyWindowOpen } from '../reply-window.ts'
import { deleteUnsentNotices } from '../tickets/base/notices.ts'
import { findVisibleTicket, lockTicket } from '../tickets/base/ticket-view.ts'
import { forwardMessages } from './forward-messages.ts'
import { holdForUndo, sendHeldNow, undoSend } from './undo-send.ts'

type MessageWrite = ParsedInput<typeof messagesApi.send>['body']

async function sendMessages(
  scope: Scope,
  ticketId: number,
  body: MessageWrite,
  files: { uploads: Upload[]; voice: UploadedVoiceNote | undefined },
) {
  await lockTicket(scope, ticketId)
  const ticket = await findVisibleTicket(scope, ticketId)
  // This is checked before the ticket, because the message was already sent, whatever happened to the ticket since.
  const sent = await findAlreadySent(scope, ticket, body.clientId, files.uploads.length)
  if (sent[0]) return { ...sent[0], messages: sent }
  assertTicketOpen(ticket)
  assertCanWrite(scope, ticket)
  const older = !files.uploads.length && !body.clientId && !body.location && !body.contactCard
  const greeted = older ? await findRecentGreeting(scope, ticket, body.body[0] ?? '') : null
  if (greeted) return { ...greeted, messages: [greeted] }
  assertReplyWindowOpen(scope, ticket)
  const outgoing = await composeMessages(scope, ticket, body, files)
  const quoted = await findQuotedWid(scope, ticket, body.quotedMsg?.id)
  const hold = await holdForUndo(scope, ticket.id, body.undoSeconds)
  const all = outgoing.map((one, place) => ({
    ...one,
    ...hold,
    // Only the first message changes that the customer waits.
    ...(place > 0 && { undo: undefined }),
    quotedWid: quoted,
    clientId: clientIdAt(body.clientId, outgoing.length, place),
  }))
  const messages = await storeOutgoing(scope, ticket, all)
  if (body.macro) await storeMessageSteps(scope, ticket.id, Number(messages.at(-1)?.id), body.macro)
  return { ...messages[0], messages }
}

async function retryFailedMessage(scope: Scope, id: string): Promise<Message> {
  const { row } = await lockOwnMessage(scope, id)
  if (row.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const ticket = await findRetryTicket(scope, row)
  if (row.state !== 'failed') return changeMessage(scope, row.id, { state: row.state })
  // If the line was deleted, the message would never be sent.
  await findLine(scope, row.whatsappId)
  if (!row.sendAs?.template) assertReplyWindowOpen(scope, ticket)
  await scope.signal('outbox', row.whatsappId)
  if (row.ticketId !== null) await deleteUnsentNotices(scope, row.ticketId)
  return changeMessage(scope, row.id, { state: 'queued', ack: 1, error: null })
}

async function removeMessage(scope: Scope, id: string): Promise<Message> {
  const { row, ticket } = await lockOwnMessage(scope, id)
  if (row.userId !== scope.actor.id) assertCanWrite(scope, ticket)
  // Agents must not believe that the message is deleted while the customer can still read it.
  if (row.state === 'sent' && !(await isSupportedByLine(scope, row.whatsappId, 'revoke')))
    throw new AppError('ERR_DELETE_WAPP_MSG')
  // An unsent message is cancelled; the outbox revokes a message that is being sent.
  if (row.state !== 'sent') await deleteWaitingRuns(scope, { messageId: row.id })
  const kept = row.state === 'queued' || row.state === 'failed'
  if (row.state === 'failed' && row.ticketId !== null) await deleteUnsentNotices(scope, row.ticketId)
  if (row.state === 'sent' && !row.isDeleted)
    await addLineTask(scope, row.whatsappId, { kind: 'revoke', contactId: row.contactId, wid: row.wid })
  return changeMessage(scope, row.id, { isDeleted: true, ...(kept && { state: 'failed', error: 'deleted' }) })
}

export const messageRoutes = [
  route(messagesApi.list, async (scope, { params, query }) => {
    const { ticket, ...page } = await loadThread(scope, params.ticketId, query.pageNumber)
    // Requests with an API key do not mark messages as read; nor do locked users, who cannot answer.
    const isOwn = ticket.userId === scope.actor.id && !scope.actor.key && !scope.actor.locked
    if (query.markAsRead && query.pageNumber === 1 && (ticket.unreadMessages > 0 || ticket.returned) && isOwn)
      await scope.transaction((tx) => markTicketRead(tx, ticket))
    return page
  }),
  route(messagesApi.search, (scope, { params, query }) => searchThread(scope, params.ticketId, query)),

  route(
    messagesApi.send,
    async (scope, { params, body }, { uploads, secondUpload: beside }) => {
      const voice = beside && (await convertVoiceNote(scope, params.ticketId, uploads, beside))
      try {
        const files = voice ? [...uploads, voice.upload] : uploads
        return await withStoredUploads(scope, files, () =>
          scope.transaction((tx) => sendMessages(tx, params.ticketId, body, { uploads, voice })),
        )
      } finally {
        if (voice) await scope.deps.files.discard(voice.upload)
      }
    },
    { transaction: false },
  ),
  route(messagesApi.retry, (scope, { params }) => retryFailedMessage(scope, params.id)),
  route(messagesApi.undo, (scope, { params }) => undoSend(scope, params.id)),
  route(messagesApi.sendNow, (scope, { params }) => sendHeldNow(scope, params.id)),
  route(messagesApi.fetch, (scope, { params }) => fetchMessageFile(scope, params.id)),
  route(messagesApi.preview, async (scope, { params }) => ({ preview: await loadLinkPreview(scope, params.id) }), {
    transaction: false,
  }),
  route(messagesApi.forward, (scope, { params, body }) => forwardMessages(scope, params.id, body)),
  route(messagesApi.edit, (scope, { params, body }) => editMessage(scope, params.id, body.body)),
  route(messagesApi.react, (scope, { params, body }) => reactToMessage(scope, params.id, body.emoji)),
  route(messagesApi.remove, (scope, { params }) => removeMessage(scope, params.id)),
]
