import type { MessageKind } from '@recado/contract/messages'
import type { Step } from '@recado/contract/tickets'
import { addErrand } from '../../desk/messages/errands.ts'
import { announce, lastMessageOf } from '../../desk/messages/store.ts'
import { momentOf } from '../../desk/moment.ts'
import { joinOrOpen, type Opened } from '../../desk/tickets/open.ts'
import { tellChanged } from '../../desk/tickets/tell.ts'
import { step } from '../../desk/tickets/track.ts'
import { presentTicket } from '../../desk/tickets/view.ts'
import { resolveContact } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Content, InboundMessage, LineRow } from '../../lines/line.ts'
import { type Outcome, told } from './steps.ts'

/** Any message that is not plain: first contact, new ticket, media, groups, what was typed on the phone itself. */
export async function message(scope: Scope, row: LineRow, event: InboundMessage): Promise<Outcome> {
  const { setting } = await momentOf(scope)
  if (event.group && setting('CheckMsgIsGroup') === 'enabled')
    return { ticketId: null, steps: [step('ignored', 'groups-are-off')] }
  const who = {
    identity: event.person,
    name: event.fromMe ? '' : event.pushName,
    whatsappId: row.id,
    isGroup: event.group && { id: event.group.id, name: event.group.name },
  }
  const person = await resolveContact(scope, who)
  const author =
    event.group && !event.fromMe
      ? await resolveContact(scope, { identity: event.group.author, name: event.group.authorName, whatsappId: row.id })
      : null
  const contact = step('contact', person.how, { by: person.by, name: person.contact.name })
  const known = await scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId'])
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', event.id)
    .executeTakeFirst()
  if (known)
    return { ticketId: known.ticketId, steps: [contact, step('duplicate', event.fromMe ? 'our-own-echo' : 'same-id')] }
  const opened = await joinOrOpen(scope, {
    contactId: person.contact.id,
    whatsappId: row.id,
    isGroup: Boolean(event.group),
    ...(await firstQueue(scope, row)),
    reuseMinutes: Number(setting('autoReopenTimeout')),
  })
  const id = await store(scope, row, event, {
    ticketId: opened.id,
    contactId: person.contact.id,
    senderId: author?.contact.id ?? null,
  })
  const ticket = await presentTicket(scope, opened.id)
  if (opened.how !== 'joined') tellChanged(scope, null, ticket)
  await announce(scope, opened.id, [id])
  return { ticketId: opened.id, steps: [contact, ticketStep(opened), ...mediaStep(event.content), told(ticket)] }
}

/** A line with one queue has no choice to offer: its tickets wait there from the start. */
export async function firstQueue(scope: Scope, row: LineRow): Promise<{ queueId: number | null }> {
  const queues = await scope.db
    .selectFrom('whatsappQueues')
    .select('queueId')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .limit(2)
    .execute()
  return { queueId: queues.length === 1 ? (queues[0]?.queueId ?? null) : null }
}

export const ticketStep = (opened: Opened): Step =>
  step('ticket', { joined: 'joined', opened: 'no-living-ticket', reused: 'closed-a-moment-ago' }[opened.how], {
    ticket: opened.id,
    status: opened.status,
  })

const mediaStep = (content: Content): Step[] =>
  content.kind === 'media'
    ? [step('media', 'file-follows', { name: content.name })]
    : content.kind === 'unknown'
      ? [step('unknown', 'kind-not-known', { what: content.what })]
      : []

type Place = { ticketId: number; contactId: number; senderId: number | null }

async function store(scope: Scope, row: LineRow, event: InboundMessage, place: Place): Promise<number> {
  const { companyId } = scope
  const { body, mediaType, last } = written(event.content)
  const media = event.content.kind === 'media' ? event.content : null
  const values = {
    ...place,
    companyId,
    whatsappId: row.id,
    userId: null,
    wid: event.id,
    fromMe: event.fromMe,
    body,
    mediaType,
    mediaPath: null,
    mediaName: media?.name ?? null,
    mediaState: media ? ('pending' as const) : ('none' as const),
    mediaKey: media ? JSON.stringify(media.key) : null,
    quotedWid: event.quotedId ?? null,
    ack: event.fromMe ? 2 : 0,
    state: event.fromMe ? ('sent' as const) : ('received' as const),
    read: event.fromMe,
    createdAt: event.at,
    storedAt: scope.now(),
  }
  const { id } = await scope.db.insertInto('messages').values(values).returning('id').executeTakeFirstOrThrow()
  // Who answers from the phone has read what was there.
  await scope.db
    .updateTable('tickets')
    .set((eb) => ({
      lastMessage: last,
      fromMe: event.fromMe,
      unreadMessages: event.fromMe ? 0 : eb('unreadMessages', '+', 1),
      updatedAt: scope.now(),
    }))
    .where('companyId', '=', companyId)
    .where('id', '=', place.ticketId)
    .execute()
  if (event.fromMe)
    await scope.db
      .updateTable('messages')
      .set({ read: true })
      .where('companyId', '=', companyId)
      .where('ticketId', '=', place.ticketId)
      .where('read', '=', false)
      .execute()
  if (media) await addErrand(scope, row.id, { kind: 'fetch', messageId: String(id) })
  return id
}

/** How each kind is written down: the keys and the three-part location are what clients of this family read. */
function written(content: Content): { body: string; mediaType: MessageKind; last: string } {
  switch (content.kind) {
    case 'text':
      return { body: content.body, mediaType: 'conversation', last: lastMessageOf(content.body, null) }
    case 'media':
      return { body: content.body, mediaType: content.mediaType, last: lastMessageOf(content.body, content.name) }
    case 'location': {
      const place = `${content.latitude}, ${content.longitude}`
      const link = `https://maps.google.com/maps?q=${content.latitude}%2C${content.longitude}&z=17`
      const description = content.name || place
      return {
        body: `${content.thumbnail ?? ''}|${link}|${description}`,
        mediaType: 'locationMessage',
        last: lastMessageOf(description, null),
      }
    }
    case 'contact':
      return {
        body: content.cards.map((c) => c.vcard).join('\n'),
        mediaType: 'contactMessage',
        last: lastMessageOf(content.cards.map((c) => c.name).join(', '), null),
      }
    case 'unknown':
      return { body: content.what, mediaType: 'unknown', last: lastMessageOf(content.what, null) }
  }
}
