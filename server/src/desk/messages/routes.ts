import type { Parsed } from '@recado/contract/kit'
import { type Message, messagesApi } from '@recado/contract/messages'
import { findLine } from '../../directory/connections/connections.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { putAhead } from '../../kernel/files/media.ts'
import { route } from '../../kernel/http/http.ts'
import { dropUnsent } from '../notices.ts'
import { holdTicket, ticketById } from '../tickets/view.ts'
import { mustBeInWindow } from '../window.ts'
import { edit, react } from './change.ts'
import { alreadyGreeted, alreadySent, clientIdOf, compose, quotedWid } from './compose.ts'
import { addErrand } from './errands.ts'
import { fetchFile } from './fetch.ts'
import { forward } from './forward.ts'
import { findInThread, markRead, thread } from './read.ts'
import { isAble, mayWrite, mustBeOpen, ownMessage, sayingAgainIn } from './speaking.ts'
import { changeMessage, storeOutgoing } from './store.ts'
import { rewrapVoice, type Voice } from './voice.ts'

type Write = Parsed<typeof messagesApi.send>['body']

async function send(
  scope: Scope,
  ticketId: number,
  body: Write,
  files: { uploads: Upload[]; voice: Voice | undefined },
) {
  await holdTicket(scope, ticketId)
  const ticket = await ticketById(scope, ticketId)
  // Before anything is asked of the ticket: it was sent, whatever has become of the ticket since.
  const sent = await alreadySent(scope, ticket, body.clientId, files.uploads.length)
  if (sent[0]) return { ...sent[0], messages: sent }
  mustBeOpen(ticket)
  mayWrite(scope, ticket)
  const older = !files.uploads.length && !body.clientId && !body.location && !body.contactCard
  const greeted = older ? await alreadyGreeted(scope, ticket, body.body[0] ?? '') : null
  if (greeted) return { ...greeted, messages: [greeted] }
  mustBeInWindow(scope, ticket)
  const outgoing = await compose(scope, ticket, body, files)
  const quoted = await quotedWid(scope, ticket, body.quotedMsg?.id)
  const all = outgoing.map((one, place) => ({
    ...one,
    quotedWid: quoted,
    clientId: clientIdOf(body.clientId, outgoing.length, place),
  }))
  const messages = await storeOutgoing(scope, ticket, all)
  return { ...messages[0], messages }
}

async function retry(scope: Scope, id: string): Promise<Message> {
  const { row } = await ownMessage(scope, id)
  if (row.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const ticket = await sayingAgainIn(scope, row)
  if (row.state !== 'failed') return changeMessage(scope, row.id, { state: row.state })
  // It may be gone; then nobody would ever send it.
  await findLine(scope, row.whatsappId)
  if (!row.sendAs?.template) mustBeInWindow(scope, ticket)
  await scope.signal('outbox', row.whatsappId)
  if (row.ticketId !== null) await dropUnsent(scope, row.ticketId)
  return changeMessage(scope, row.id, { state: 'queued', ack: 1, error: null })
}

async function remove(scope: Scope, id: string): Promise<Message> {
  const { row, ticket } = await ownMessage(scope, id)
  if (row.userId !== scope.actor.id) mayWrite(scope, ticket)
  // Nobody should believe it gone while the customer reads it.
  if (row.state === 'sent' && !(await isAble(scope, row.whatsappId, 'revoke')))
    throw new AppError('ERR_DELETE_WAPP_MSG')
  // What has not left yet never leaves; what is leaving is taken back by who sends it.
  const kept = row.state === 'queued' || row.state === 'failed'
  if (row.state === 'failed' && row.ticketId !== null) await dropUnsent(scope, row.ticketId)
  if (row.state === 'sent' && !row.isDeleted)
    await addErrand(scope, row.whatsappId, { kind: 'revoke', contactId: row.contactId, wid: row.wid })
  return changeMessage(scope, row.id, { isDeleted: true, ...(kept && { state: 'failed', error: 'deleted' }) })
}

export const messageRoutes = [
  route(messagesApi.list, async (scope, { params, query }) => {
    const { ticket, ...page } = await thread(scope, params.ticketId, query.pageNumber)
    // A program that reads along has read nothing in anybody's name, and who is locked out answers nobody.
    const isOwn = ticket.userId === scope.actor.id && !scope.actor.key && !scope.actor.locked
    if (query.markAsRead && query.pageNumber === 1 && ticket.unreadMessages > 0 && isOwn)
      await scope.transaction((tx) => markRead(tx, ticket))
    return page
  }),
  route(messagesApi.search, (scope, { params, query }) => findInThread(scope, params.ticketId, query)),

  route(
    messagesApi.send,
    async (scope, { params, body }, { uploads, beside }) => {
      const voice = beside && (await rewrapVoice(scope, params.ticketId, uploads, beside))
      try {
        const files = voice ? [...uploads, voice.upload] : uploads
        return await putAhead(scope, files, () =>
          scope.transaction((tx) => send(tx, params.ticketId, body, { uploads, voice })),
        )
      } finally {
        if (voice) await scope.means.files.discard(voice.upload)
      }
    },
    { transaction: false },
  ),
  route(messagesApi.retry, (scope, { params }) => retry(scope, params.id)),
  route(messagesApi.fetch, (scope, { params }) => fetchFile(scope, params.id)),
  route(messagesApi.forward, (scope, { params, body }) => forward(scope, params.id, body)),
  route(messagesApi.edit, (scope, { params, body }) => edit(scope, params.id, body.body)),
  route(messagesApi.react, (scope, { params, body }) => react(scope, params.id, body.emoji)),
  route(messagesApi.remove, (scope, { params }) => remove(scope, params.id)),
]
