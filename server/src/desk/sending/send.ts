import type { Template } from '@recado/contract/cloud'
import type { ApiSend, ApiSent } from '@recado/contract/doors/sending'
import type { TicketDetail } from '@recado/contract/tickets'
import { traits } from '@recado/contract/traits'
import type { ConnectionRow } from '../../directory/connections/view.ts'
import { findContact } from '../../directory/contacts/people.ts'
import type { Phones } from '../../directory/contacts/phones.ts'
import type { Who } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { putAhead } from '../../kernel/files/media.ts'
import type { Limit } from '../../kernel/http/limits.ts'
import type { AskTemplates } from '../../lines/cloud/templates.ts'
import { sayGoodbye } from '../farewell.ts'
import { compose, quotedWid } from '../messages/compose.ts'
import { type Outgoing, storeOutgoing } from '../messages/store.ts'
import { chosen, composeTemplate } from '../messages/template.ts'
import { mustWorkHere, resolve } from '../tickets/lifecycle.ts'
import { joinOrBegin, placesForOurs } from '../tickets/open.ts'
import { presentTicket } from '../tickets/view.ts'
import { mustBeInWindow } from '../window.ts'
import { answeredBefore, beginCall, type Call, keepCall } from './calls.ts'
import type { Gathered } from './gathered.ts'
import { lineOf } from './lines.ts'
import { contactOf, digitsOf, knownTo, whoIs } from './numbers.ts'

export type Outside = { phones: Phones; asking: Limit; ask: AskTemplates; gathered: Gathered }
type Wanted = {
  body: ApiSend
  uploads: Upload[]
  line: ConnectionRow
  who: Who
  template: Template | null
}

/**
 * What a program says to somebody. WhatsApp and Meta are asked before, in no transaction; then contact, ticket, message
 * and the call's own row are one.
 */
export async function sendFor(
  scope: Scope,
  body: ApiSend,
  uploads: Upload[],
  call: Call | null,
  outside: Outside,
): Promise<ApiSent> {
  const quick = isPlain(body, uploads) && (await sendPlain(scope, body, call, outside))
  if (quick) return quick
  const before = call && (await answeredBefore(scope, call))
  if (before) return before
  const line = await lineOf(scope, body.whatsappId ?? null)
  await mustBeOurs(scope, body)
  mustSaySomething(body, uploads)
  const template = await templateOf(scope, line, body, uploads, outside.ask)
  const who = await whoIs(scope, line, body.number, outside)
  const work = async (tx: Scope): Promise<ApiSent> => {
    const sent = call && (await beginCall(tx, call))
    if (sent) return sent
    const reply = await speak(tx, { body, uploads, line, who, template })
    if (call) await keepCall(tx, call, reply)
    return reply
  }
  // A template's gets its ending from what it is: where it lies is not known before.
  return putAhead(scope, template ? [] : uploads, () => scope.transaction(work))
}

const isPlain = ({ body, number, template, location, contactCard, closeTicket }: ApiSend, uploads: Upload[]): boolean =>
  !uploads.length &&
  !template &&
  !location &&
  !contactCard &&
  !closeTicket &&
  Boolean(body) &&
  digitsOf(number) !== null

/**
 * Words to somebody whom the house knows, which is nearly all that programs say: nobody is asked, so it is written
 * together with others of the company. Null: whom it means is not known here.
 */
function sendPlain(scope: Scope, body: ApiSend, call: Call | null, { gathered }: Outside): Promise<ApiSent | null> {
  const about = [`number ${digitsOf(body.number)}`, ...(call ? [`call ${scope.actor.key?.id ?? ''} ${call.key}`] : [])]
  const work = async (tx: Scope): Promise<ApiSent | null> => {
    const sent = call && (await beginCall(tx, call))
    if (sent) return sent
    const line = await lineOf(tx, body.whatsappId ?? null)
    await mustBeOurs(tx, body)
    const who = await knownTo(tx, line, body.number)
    if (!who) return null
    const reply = await speak(tx, { body, uploads: [], line, who, template: null })
    if (call) await keepCall(tx, call, reply)
    return reply
  }
  return gathered({ scope, about, work })
}

function mustSaySomething({ body, location, contactCard, template }: ApiSend, uploads: Upload[]): void {
  const ways = [uploads.length > 0 && !template, location, contactCard, template].filter(Boolean).length
  if (ways > 1) throw new AppError('ERR_VALIDATION', { body: 'Invalid' })
  if (!ways && !body) throw new AppError('ERR_VALIDATION', { body: 'Required' })
}

/** Also where a ticket lives already and they mean nothing: a program learns of its mistake at once. */
async function mustBeOurs(scope: Scope, { queueId, userId, contactCard }: ApiSend): Promise<void> {
  if (userId) await mustWorkHere(scope, userId)
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

async function templateOf(
  scope: Scope,
  line: ConnectionRow,
  { template }: ApiSend,
  uploads: Upload[],
  ask: AskTemplates,
): Promise<Template | null> {
  if (!template) return null
  if (!traits[line.provider].window) throw new AppError('ERR_WAPP_CANNOT')
  return chosen(scope, ask, line.id, template, uploads)
}

async function speak(scope: Scope, wanted: Wanted): Promise<ApiSent> {
  const { body, line, who } = wanted
  const contact = await contactOf(scope, who)
  const ticket = await ticketFor(scope, wanted, contact)
  const quoted = await quotedWid(scope, ticket, body.quotedId)
  if (body.quotedId && !quoted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  const { key } = scope.actor
  const as = { bot: 'api', apiKeyId: key?.id ?? null, userId: key ? null : scope.actor.id, quotedWid: quoted }
  const said = (await contentOf(scope, ticket, wanted)).map((one) => ({ ...one, ...as }))
  const messages = await storeOutgoing(scope, ticket, said)
  if (body.closeTicket && ticket.status !== 'closed') await end(scope, ticket)
  const ids = messages.map((message) => message.id)
  return {
    ...{ id: ids[0] as string, ids, state: 'queued', ticketId: ticket.id, whatsappId: line.id },
    ...{ number: contact.number, mensagem: 'Mensagem enviada' },
  }
}

/** Where it stands. What is to be closed at once, and where nothing lives, is never anybody's work. */
async function ticketFor(
  scope: Scope,
  { body, line }: Wanted,
  { id: contactId, isGroup }: { id: number; isGroup: boolean },
): Promise<TicketDetail> {
  const place = { contactId, whatsappId: line.id, userId: body.userId ?? null }
  if (!body.closeTicket) return joinOrBegin(scope, { ...place, isGroup, queueId: body.queueId ?? null })
  const [ticket] = await placesForOurs(scope, [place])
  return presentTicket(scope, ticket?.id as number)
}

async function contentOf(scope: Scope, ticket: TicketDetail, { body, uploads, template }: Wanted): Promise<Outgoing[]> {
  if (template && body.template) return [await composeTemplate(scope, template, body.template, uploads)]
  mustBeInWindow(scope, ticket)
  const { location, contactCard } = body
  return compose(
    scope,
    ticket,
    { body: [body.body], location, contactCard: contactCard ?? undefined },
    { uploads, voice: undefined },
  )
}

/** As a person closes it. */
async function end(scope: Scope, before: TicketDetail): Promise<void> {
  const closed = await resolve(scope, await presentTicket(scope, before.id), 'by-program')
  await sayGoodbye(scope, before, closed)
}
