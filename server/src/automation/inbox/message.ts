import type { Step, Ticket } from '@recado/contract/tickets'
import { writtenPlace } from '@recado/contract/words/written'
import { sql } from 'kysely'
import { type HeardCampaign, hearCampaign } from '../../desk/campaigns/answers.ts'
import { type Incoming, receive } from '../../desk/messages/receive.ts'
import { announce, lastMessageOf, storeOutgoing } from '../../desk/messages/store.ts'
import { leaveUnrated } from '../../desk/rating.ts'
import { ring } from '../../desk/ringing.ts'
import { placesForOurs } from '../../desk/tickets/open.ts'
import { tellRead } from '../../desk/tickets/tell.ts'
import { step } from '../../desk/tickets/track.ts'
import { presentTicket } from '../../desk/tickets/view.ts'
import { keysOf } from '../../directory/contacts/identity.ts'
import type { Resolved } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Content, InboundMessage, LineRow } from '../../lines/line.ts'
import type { Bot } from '../bots/bot.ts'
import { takeTurn } from '../bots/turn.ts'
import { rulebookOf } from '../rulebook.ts'
import { byOurClock } from './clocks.ts'
import { type Place, personOf, personStep, placeFor, placeStep, questionFor, tellPlace, unansweredBy } from './place.ts'
import { type Outcome, told } from './steps.ts'

/**
 * Any message that is not plain: first contact, new ticket, media, groups, bots, what was typed on the phone itself.
 * `waits`: it cannot be read yet, so no bot can answer it.
 */
export async function message(
  scope: Scope,
  row: LineRow,
  event: InboundMessage,
  bots?: readonly Bot[],
  waits = false,
): Promise<Outcome> {
  const book = await rulebookOf(scope)
  if (event.group && book.setting('CheckMsgIsGroup') === 'enabled')
    return { ticketId: null, steps: [step('ignored', 'groups-are-off')] }
  const known = await scope.ask(findKnown, { line: row.id, wid: event.id })
  if (known) return { ticketId: known.ticketId, steps: [step('duplicate', event.fromMe ? 'our-own-echo' : 'same-id')] }
  const { fromMe } = event
  const isGroup = event.group && { id: event.group.id, name: event.group.name }
  const name = event.fromMe ? '' : event.pushName
  const person = await personOf(scope, row, { identity: event.person, name, isGroup })
  const author = await authorOf(scope, row, event)
  const text = wordsIn(event.content)
  const talks = !event.fromMe && !isGroup
  const asked = talks ? await questionFor(scope, row, person.contact.id, text) : null
  const unanswered = talks && !asked ? await unansweredBy(scope, book, row, person.contact.id) : null
  const from = { contactId: person.contact.id, whatsappId: row.id, text }
  const campaign = talks && !asked ? await hearCampaign(scope, book.campaigns, from) : null
  const { last, ...words } = written(event.content)
  const opened: Place = asked
    ? { id: asked.ticketId, how: 'answers', status: 'closed' }
    : campaign?.steers
      ? await placeForWord(scope, from)
      : await placeFor(scope, book, row, person.contact.id, Boolean(isGroup), {
          wanted: campaign?.queueId,
          says: fromMe ? undefined : last,
        })
  const place = { ticketId: opened.id, contactId: person.contact.id, senderId: author?.contact.id ?? null }
  const { id: wid, at, quotedId } = event
  const campaignId = campaign?.campaignId ?? null
  const incoming = { ...place, ...words, whatsappId: row.id, wid, at, fromMe, quotedWid: quotedId ?? null, campaignId }
  // What answers a question of the house nobody has to read; nor a word to campaigns, where nobody attends.
  const settled = asked !== null || (campaign?.steers === true && opened.status === 'closed')
  const { id, answered } = await receive(scope, incoming, { last, settled, begins: opened.how === 'opened' && !fromMe })
  const ticket = await presentTicket(scope, opened.id)
  await tellPlace(scope, opened, ticket)
  await announce(scope, [ticket], [id])
  if (answered) tellRead(scope, ticket, ticket.id)
  if (talks && !settled) await ring(scope, [opened.id])
  if (campaign?.reply) await storeOutgoing(scope, ticket, [{ body: campaign.reply, bot: 'campaign' }])
  const cameBack = opened.how === 'reused'
  // Who goes on with the same ticket is not told goodbye.
  if (unanswered && !cameBack) await leaveUnrated(scope, unanswered)
  const spokenAt = ticket.chatbot ? await byOurClock(scope, row, event) : new Date(at)
  const turn = { text, at: spokenAt, cameBack, asked }
  const isForBots = talks && !waits && !campaign?.steers
  const said = isForBots ? await takeTurn(scope, book, ticket, turn, bots) : { steps: [], ticket }
  const steps = [
    personStep(person),
    placeStep(opened, ticket),
    ...mediaStep(event.content),
    ...referralStep(event),
    ...campaignStep(campaign),
    ...said.steps,
    told(said.ticket),
  ]
  return { ticketId: opened.id, steps }
}

/** What a bot reads: what was typed, also under a picture, or the key of what was picked. Null: nothing of that. */
export function wordsIn(content: Content): string | null {
  if (content.kind === 'text') return content.choice ?? content.body
  return content.kind === 'media' && content.body.trim() ? content.body : null
}

/** Ours that came back, or one that was stored before its line had another number in the journal. */
async function findKnown(scope: Scope, all: { line: number; wid: string }[]) {
  const { rows } = await sql<{ ticketId: number | null; n: number }>`
    select x.n::int, m."ticketId" from unnest(${all.map((one) => one.line)}::int[], ${all.map((one) => one.wid)}::text[])
      with ordinality x (line, wid, n)
    cross join lateral (
      select m."ticketId" from messages m
      where m."companyId" = ${scope.companyId} and m."whatsappId" = x.line and m.wid = x.wid limit 1
    ) m`.execute(scope.db)
  const known = new Map(rows.map((row) => [row.n, row]))
  return all.map((_, n) => known.get(n + 1))
}

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

const campaignStep = (campaign: HeardCampaign | null): Step[] =>
  campaign ? [step('campaign', campaign.why, { campaign: campaign.campaignId })] : []

/** The living ticket, where there is one; a word to the house alone opens none for people. */
async function placeForWord(scope: Scope, at: { contactId: number; whatsappId: number }): Promise<Place> {
  const [ticket] = await placesForOurs(scope, [{ ...at, userId: null }])
  const { id, status } = ticket as Ticket
  return { id, how: 'steers', status }
}

const referralStep = ({ referral }: InboundMessage): Step[] =>
  referral ? [step('referral', 'came-from-an-ad', { title: referral.title, url: referral.url })] : []

type Written = Pick<Incoming, 'body' | 'mediaType' | 'media'> & { last: string }

/** How each kind is written down: the keys and the three-part location are what clients of this family read. */
export function written(content: Content): Written {
  switch (content.kind) {
    case 'text':
      return { body: content.body, mediaType: 'conversation', last: lastMessageOf(content.body, null) }
    case 'media':
      return {
        body: content.body,
        mediaType: content.mediaType,
        media: { name: content.name, key: content.key },
        last: lastMessageOf(content.body, content.name),
      }
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
