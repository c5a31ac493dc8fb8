import type { ApiMessageWrite, ApiSendReply } from '@recado/contract/api-access/api-messages'
import type { Template } from '@recado/contract/cloud'
import { lineTraits } from '@recado/contract/line-traits'
import type { TicketDetail } from '@recado/contract/tickets'
import type { ConnectionRow } from '../../directory/connections/view.ts'
import { findContact } from '../../directory/contacts/contact-store.ts'
import type { PhoneQueries } from '../../directory/contacts/phone-queries.ts'
import type { ContactEvidence } from '../../directory/contacts/resolve-contact.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { withStoredUploads } from '../../kernel/files/media.ts'
import type { AttemptLimiter } from '../../kernel/http/rate-limits.ts'
import type { LoadTemplates } from '../../lines/cloud/templates.ts'
import { sendFarewell } from '../farewell.ts'
import { composeMessages, findQuotedWid } from '../messages/compose.ts'
import { type OutgoingContent, storeOutgoing } from '../messages/store.ts'
import { composeTemplate, findValidTemplate } from '../messages/template.ts'
import { findReachOutHold } from '../reach-out-hold.ts'
import { assertReplyWindowOpen } from '../reply-window.ts'
import { presentTicket } from '../tickets/base/ticket-view.ts'
import { assertUserActive, resolveTicket } from '../tickets/lifecycle.ts'
import { joinOrStartTicket, prepareOwnMessageTickets } from '../tickets/open.ts'
import { beginIdempotentCall, findPreviousReply, type IdempotentCall, storeIdempotentReply } from './idempotency.ts'
import { resolveLine } from './lines.ts'
import { findKnownRecipient, lockRecipientContact, normalizeNumber, resolveRecipient } from './numbers.ts'
import type { WriteBatcher } from './write-batcher.ts'

export type SendDeps = {
  phones: PhoneQueries
  numberCheckLimit: AttemptLimiter
  loadTemplates: LoadTemplates
  writeBatcher: WriteBatcher
}
type SendRequest = {
  body: ApiMessageWrite
  uploads: Upload[]
  line: ConnectionRow
  who: ContactEvidence
  template: Template | null
}

/**
 * Sends a message for an API client. WhatsApp and Meta are called first, outside a transaction; then contact, ticket,
 * message and the idempotency row are written in one transaction.
 */
export async function sendFromApi(
  scope: Scope,
  body: ApiMessageWrite,
  uploads: Upload[],
  call: IdempotentCall | null,
  deps: SendDeps,
): Promise<ApiSendReply> {
  const isBatchable = isTextOnly(body, uploads)
  const quick = isBatchable && (await sendTextInBatch(scope, body, call, deps, findKnownRecipient))
  if (quick) return quick
  const before = call && (await findPreviousReply(scope, call))
  if (before) return before
  const line = await resolveLine(scope, body.whatsappId ?? null)
  await assertReferencesExist(scope, body)
  assertHasOneContent(body, uploads)
  const template = await resolveTemplate(scope, line, body, uploads, deps.loadTemplates)
  const who = await resolveRecipient(scope, line, body.number, deps)
  const sentInBatch = isBatchable && (await sendTextInBatch(scope, body, call, deps, async () => who))
  if (sentInBatch) return sentInBatch
  const work = async (tx: Scope): Promise<ApiSendReply> => {
    const sent = call && (await beginIdempotentCall(tx, call))
    if (sent) return sent
    const reply = await sendInTicket(tx, { body, uploads, line, who, template })
    if (call) await storeIdempotentReply(tx, call, reply)
    return reply
  }
  // The extension of a template's file depends on its type, so its path is not known yet.
  return withStoredUploads(scope, template ? [] : uploads, () => scope.transaction(work))
}

const isTextOnly = (
  { body, number, template, location, contactCard, closeTicket }: ApiMessageWrite,
  uploads: Upload[],
): boolean =>
  !uploads.length &&
  !template &&
  !location &&
  !contactCard &&
  !closeTicket &&
  Boolean(body) &&
  normalizeNumber(number) !== null

/**
 * Sends a text in a batch with other messages of the company, because it needs no call to WhatsApp or Meta meanwhile.
 * Null: `findRecipient` does not know the recipient, who must be looked up first.
 */
function sendTextInBatch(
  scope: Scope,
  body: ApiMessageWrite,
  call: IdempotentCall | null,
  { writeBatcher }: SendDeps,
  findRecipient: typeof findKnownRecipient,
): Promise<ApiSendReply | null> {
  const about = [
    `number ${normalizeNumber(body.number)}`,
    ...(call ? [`call ${scope.actor.key?.id ?? ''} ${call.key}`] : []),
  ]
  const work = async (tx: Scope): Promise<ApiSendReply | null> => {
    const sent = call && (await beginIdempotentCall(tx, call))
    if (sent) return sent
    const line = await resolveLine(tx, body.whatsappId ?? null)
    await assertReferencesExist(tx, body)
    const who = await findRecipient(tx, line, body.number)
    if (!who) return null
    const reply = await sendInTicket(tx, { body, uploads: [], line, who, template: null })
    if (call) await storeIdempotentReply(tx, call, reply)
    return reply
  }
  return writeBatcher({ scope, lockKeys: about, work })
}

function assertHasOneContent({ body, location, contactCard, template }: ApiMessageWrite, uploads: Upload[]): void {
  const indexPaths = [uploads.length > 0 && !template, location, contactCard, template].filter(Boolean).length
  if (indexPaths > 1) throw new AppError('ERR_VALIDATION', { body: 'Invalid' })
  if (!indexPaths && !body) throw new AppError('ERR_VALIDATION', { body: 'Required' })
}

/** Checks the ids even if an open ticket makes them irrelevant, so that the client gets the error at once. */
async function assertReferencesExist(scope: Scope, { queueId, userId, contactCard }: ApiMessageWrite): Promise<void> {
  if (userId) await assertUserActive(scope, userId)
  if (contactCard) await findContact(scope, contactCard, false)
  if (!queueId) return
  const queue = await scope.db
    .selectFrom('queues')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', queueId)
    .executeTakeFirst()
  if (!queue) throw new AppError('ERR_QUEUE_NOT_FOUND')
}

async function resolveTemplate(
  scope: Scope,
  line: ConnectionRow,
  { template }: ApiMessageWrite,
  uploads: Upload[],
  ask: LoadTemplates,
): Promise<Template | null> {
  if (!template) return null
  if (!lineTraits[line.provider].window) throw new AppError('ERR_WAPP_CANNOT')
  return findValidTemplate(scope, ask, line.id, template, uploads)
}

async function sendInTicket(scope: Scope, wanted: SendRequest): Promise<ApiSendReply> {
  const { body, line, who } = wanted
  const contact = await lockRecipientContact(scope, who)
  const ticket = await findOrCreateTicket(scope, wanted, contact)
  const quoted = await findQuotedWid(scope, ticket, body.quotedId)
  if (body.quotedId && !quoted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const { key } = scope.actor
  const as = { bot: 'api', apiKeyId: key?.id ?? null, userId: key ? null : scope.actor.id, quotedWid: quoted }
  const said = (await composeContent(scope, ticket, wanted)).map((one) => ({ ...one, ...as }))
  const messages = await storeOutgoing(scope, ticket, said)
  if (body.closeTicket && ticket.status !== 'closed') await closeTicketAfterSend(scope, ticket)
  const ids = messages.map((message) => message.id)
  return {
    ...{ id: ids[0] as string, ids, state: 'queued', ticketId: ticket.id, whatsappId: line.id },
    ...{ number: contact.number, mensagem: 'Mensagem enviada' },
    waitsUntil: await findReachOutHold(scope, line, contact.id),
  }
}

/** The ticket of the message. If it is to be closed at once and no ticket is open, the new ticket never becomes pending. */
async function findOrCreateTicket(
  scope: Scope,
  { body, line }: SendRequest,
  { id: contactId, isGroup }: { id: number; isGroup: boolean },
): Promise<TicketDetail> {
  const place = { contactId, whatsappId: line.id, userId: body.userId ?? null }
  if (!body.closeTicket) return joinOrStartTicket(scope, { ...place, isGroup, queueId: body.queueId ?? null })
  const [ticket] = await prepareOwnMessageTickets(scope, [place])
  return presentTicket(scope, ticket?.id as number)
}

async function composeContent(
  scope: Scope,
  ticket: TicketDetail,
  { body, uploads, template }: SendRequest,
): Promise<OutgoingContent[]> {
  if (template && body.template) return [await composeTemplate(scope, template, body.template, uploads)]
  assertReplyWindowOpen(scope, ticket)
  const { location, contactCard } = body
  return composeMessages(
    scope,
    ticket,
    { body: [body.body], location, contactCard: contactCard ?? undefined },
    { uploads, voice: undefined },
  )
}

/** Closes the ticket as an agent would. */
async function closeTicketAfterSend(scope: Scope, before: TicketDetail): Promise<void> {
  const closed = await resolveTicket(scope, await presentTicket(scope, before.id), 'by-program')
  await sendFarewell(scope, before, closed)
}
