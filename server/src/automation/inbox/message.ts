import type { MessageKind } from '@recado/contract/messages'
import type { Step } from '@recado/contract/tickets'
import { writtenPlace } from '@recado/contract/written'
import { addErrand } from '../../desk/messages/errands.ts'
import { announce, lastMessageOf } from '../../desk/messages/store.ts'
import { ring } from '../../desk/ringing.ts'
import { noBots } from '../../desk/tickets/lifecycle.ts'
import { tellRead } from '../../desk/tickets/tell.ts'
import { step } from '../../desk/tickets/track.ts'
import { presentTicket } from '../../desk/tickets/view.ts'
import { keysOf } from '../../directory/contacts/identity.ts'
import type { Resolved } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Content, InboundMessage, LineRow } from '../../lines/line.ts'
import { takeTurn } from '../bots/turn.ts'
import { rulebookOf } from '../rulebook.ts'
import { type Place, personOf, personStep, placeFor, placeStep, questionFor, tellPlace } from './place.ts'
import { type Outcome, told } from './steps.ts'

/**
 * Any message that is not plain: first contact, new ticket, media, groups, bots, what was typed on the phone itself.
 * `waits`: it cannot be read yet, so no bot can answer it.
 */
export async function message(scope: Scope, row: LineRow, event: InboundMessage, waits = false): Promise<Outcome> {
  const book = await rulebookOf(scope)
  if (event.group && book.setting('CheckMsgIsGroup') === 'enabled')
    return { ticketId: null, steps: [step('ignored', 'groups-are-off')] }
  const known = await findKnown(scope, row, event)
  if (known) return { ticketId: known.ticketId, steps: [step('duplicate', event.fromMe ? 'our-own-echo' : 'same-id')] }
  const isGroup = event.group && { id: event.group.id, name: event.group.name }
  const name = event.fromMe ? '' : event.pushName
  const person = await personOf(scope, row, { identity: event.person, name, isGroup })
  const author = await authorOf(scope, row, event)
  const text = event.content.kind === 'text' ? (event.content.choice ?? event.content.body) : null
  const talks = !event.fromMe && !isGroup
  const asked = talks ? await questionFor(scope, row, person.contact.id, text) : null
  const opened: Place = asked
    ? { id: asked.ticketId, how: 'answers', status: 'closed' }
    : await placeFor(scope, book, row, person.contact.id, Boolean(isGroup))
  const place = { ticketId: opened.id, contactId: person.contact.id, senderId: author?.contact.id ?? null }
  const { id, answered } = await store(scope, row, event, place, asked !== null)
  const ticket = await presentTicket(scope, opened.id)
  tellPlace(scope, opened, ticket)
  await announce(scope, opened.id, [id])
  if (answered) tellRead(scope, ticket, ticket.id)
  if (talks && !asked) await ring(scope, [opened.id])
  const cameBack = opened.how === 'reused'
  const said =
    talks && !waits ? await takeTurn(scope, book, ticket, { text, at: new Date(event.at), cameBack, asked }) : []
  const heard = said.length ? await presentTicket(scope, opened.id) : ticket
  const steps = [
    personStep(person),
    placeStep(opened),
    ...mediaStep(event.content),
    ...referralStep(event),
    ...said,
    told(heard),
  ]
  return { ticketId: opened.id, steps }
}

/** Ours that came back, or one that was stored before its line had another number in the journal. */
const findKnown = (scope: Scope, row: LineRow, event: InboundMessage) =>
  scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId'])
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', event.id)
    .executeTakeFirst()

/** Who of a group wrote; a vendor that does not say leaves it to the group. */
async function authorOf(scope: Scope, row: LineRow, { group, fromMe }: InboundMessage): Promise<Resolved | null> {
  if (!group || fromMe || !keysOf(group.author).length) return null
  return personOf(scope, row, { identity: group.author, name: group.authorName })
}

const mediaStep = (content: Content): Step[] =>
  content.kind === 'media'
    ? [step('media', 'file-follows', { name: content.name })]
    : content.kind === 'unknown'
      ? [step('unknown', 'kind-not-known', { what: content.what })]
      : []

const referralStep = ({ referral }: InboundMessage): Step[] =>
  referral ? [step('referral', 'came-from-an-ad', { title: referral.title, url: referral.url })] : []

/** `answered`: it was typed on the phone itself by somebody who has read what was there. */
type Stored = { id: number; answered: boolean }
type Home = { ticketId: number; contactId: number; senderId: number | null }

/** `settled`: nobody has to read it, it answers a question of the house. */
async function store(
  scope: Scope,
  row: LineRow,
  event: InboundMessage,
  place: Home,
  settled: boolean,
): Promise<Stored> {
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
    read: event.fromMe || settled,
    createdAt: event.at,
    storedAt: scope.now(),
  }
  const { id } = await scope.db.insertInto('messages').values(values).returning('id').executeTakeFirstOrThrow()
  await scope.db
    .updateTable('tickets')
    .set((eb) => ({
      lastMessage: last,
      fromMe: event.fromMe,
      unreadMessages: event.fromMe ? 0 : eb('unreadMessages', '+', settled ? 0 : 1),
      updatedAt: scope.now(),
      // Somebody answers from the phone itself: the bots leave it to them.
      ...(event.fromMe && { ...noBots, saidMark: null }),
    }))
    .where('companyId', '=', companyId)
    .where('id', '=', place.ticketId)
    .execute()
  if (media) await addErrand(scope, row.id, { kind: 'fetch', messageId: String(id) })
  return { id, answered: event.fromMe && (await readAll(scope, place.ticketId)) }
}

/** Who answers from the phone has read what was there. */
async function readAll(scope: Scope, ticketId: number): Promise<boolean> {
  const read = await scope.db
    .updateTable('messages')
    .set({ read: true })
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('read', '=', false)
    .where('fromMe', '=', false)
    .returning('id')
    .execute()
  return read.length > 0
}

/** How each kind is written down: the keys and the three-part location are what clients of this family read. */
export function written(content: Content): { body: string; mediaType: MessageKind; last: string } {
  switch (content.kind) {
    case 'text':
      return { body: content.body, mediaType: 'conversation', last: lastMessageOf(content.body, null) }
    case 'media':
      return { body: content.body, mediaType: content.mediaType, last: lastMessageOf(content.body, content.name) }
    case 'location': {
      const { body, line } = writtenPlace(content)
      return { body, mediaType: 'locationMessage', last: lastMessageOf(line, null) }
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
