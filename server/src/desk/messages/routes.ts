import type { Message, MessageKind } from '@recado/contract/messages'
import { messagesApi } from '@recado/contract/messages'
import { can } from '@recado/contract/rules'
import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files.ts'
import { route } from '../../kernel/http.ts'
import { keepUpload } from '../../kernel/media.ts'
import type { Scope } from '../../kernel/scope.ts'
import { momentOf } from '../moment.ts'
import { ticketById } from '../tickets/view.ts'
import { render } from '../variables.ts'
import { addErrand } from './errands.ts'
import { markRead, thread } from './read.ts'
import { announceChange, type Outgoing, storeOutgoing } from './store.ts'
import { findMessages } from './view.ts'

/** Recorded in the browser: goes out as a voice note whatever its container. */
const kindOf = (upload: Upload): MessageKind => {
  const [family] = upload.type.split('/')
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'application'
}

async function quotedWid(scope: Scope, ticket: Ticket, id: string | undefined): Promise<string | null> {
  if (!id || !/^\d{1,18}$/.test(id)) return null
  const row = await scope.db
    .selectFrom('messages')
    .select('wid')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', Number(id))
    .where('contactId', '=', ticket.contactId)
    .executeTakeFirst()
  return row?.wid ?? null
}

/** Writing is for who attends the ticket, and for those who lead. */
function mayWrite(scope: Scope, ticket: Ticket): void {
  if (ticket.status !== 'open') throw new AppError('ERR_TICKET_NOT_OPEN')
  const leads = can(scope.actor, 'tickets-manager:showall') || scope.actor.profile === 'supervisor'
  if (ticket.userId !== scope.actor.id && !leads) throw new AppError('ERR_NO_PERMISSION')
}

async function compose(scope: Scope, ticket: Ticket, bodies: string[], uploads: Upload[]): Promise<Outgoing[]> {
  const moment = await momentOf(scope)
  const words = { ...ticket.contact, user: scope.actor.name, queue: ticket.queue?.name ?? null, ticketId: ticket.id }
  const rendered = (text: string) => render(text, words, moment)
  if (!uploads.length) {
    const body = rendered(bodies[0] ?? '').trim()
    if (!body) throw new AppError('ERR_VALIDATION', { body: 'Required' })
    return [{ body }]
  }
  return Promise.all(
    uploads.map(async (upload, i) => {
      const file = await keepUpload(scope, upload)
      const caption = bodies.length === uploads.length || i === 0 ? (bodies[i] ?? '') : ''
      // Forms of this family send the file's own name as its caption: that is no caption.
      const body = caption === upload.name || caption.replace(/\s+/g, '_') === upload.name ? '' : rendered(caption)
      return { body, file: { ...file, kind: kindOf(upload) } }
    }),
  )
}

/** Older clients greet by themselves after an accept; where the house has just done it, theirs is the same greeting. */
async function alreadyGreeted(scope: Scope, ticket: Ticket, body: string): Promise<Message | null> {
  if (!body.includes('{{ms}}') || !body.includes('{{name}}')) return null
  const since = new Date(scope.now().getTime() - 30_000)
  const [greeting] = await findMessages(
    scope,
    sql`m."ticketId" = ${ticket.id} and m.bot = 'greeting' and m."createdAt" > ${since}`,
    sql`order by m.id desc limit 1`,
  )
  return greeting ?? null
}

async function ownMessage(scope: Scope, id: string) {
  const row = await scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId', 'contactId', 'whatsappId', 'wid', 'fromMe', 'state'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', Number(id))
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const ticket = await ticketById(scope, row.ticketId)
  if (!row.fromMe) throw new AppError('ERR_NO_PERMISSION')
  return { row, ticket }
}

const changed = async (scope: Scope, id: number): Promise<Message> => (await announceChange(scope, [id]))[0] as Message

export const messageRoutes = [
  route(messagesApi.list, async (scope, { params, query }) => {
    const ticket = await ticketById(scope, params.ticketId)
    const page = await thread(scope, ticket, query.pageNumber)
    if (query.markAsRead && query.pageNumber === 1 && ticket.userId === scope.actor.id)
      await scope.transaction((tx) => markRead(tx, ticket))
    return page
  }),

  route(messagesApi.send, async (scope, { params, body }, { uploads }) => {
    const ticket = await ticketById(scope, params.ticketId)
    mayWrite(scope, ticket)
    const greeted = uploads.length ? null : await alreadyGreeted(scope, ticket, body.body[0] ?? '')
    if (greeted) return { ...greeted, messages: [greeted] }
    const outgoing = await compose(scope, ticket, body.body, uploads)
    const quoted = await quotedWid(scope, ticket, body.quotedMsg?.id)
    const messages = await storeOutgoing(
      scope,
      ticket,
      outgoing.map((one) => ({ ...one, quotedWid: quoted })),
    )
    return { ...messages[0], messages }
  }),

  route(messagesApi.retry, async (scope, { params }) => {
    const { row } = await ownMessage(scope, params.id)
    await scope.db
      .updateTable('messages')
      .set({ state: 'queued', ack: 1, error: null })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', row.id)
      .where('state', '=', 'failed')
      .execute()
    await scope.signal('outbox', row.whatsappId)
    return changed(scope, row.id)
  }),

  route(messagesApi.remove, async (scope, { params }) => {
    const { row } = await ownMessage(scope, params.id)
    // What has not left yet never leaves.
    const state = row.state === 'queued' || row.state === 'failed' ? { state: 'failed' as const, error: 'deleted' } : {}
    await scope.db
      .updateTable('messages')
      .set({ isDeleted: true, ...state })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', row.id)
      .execute()
    if (row.state === 'sent')
      await addErrand(scope, row.whatsappId, { kind: 'revoke', contactId: row.contactId, wid: row.wid })
    return changed(scope, row.id)
  }),
]
