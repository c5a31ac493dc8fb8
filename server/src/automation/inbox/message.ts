import type { CustomerAnswer } from '@recado/contract/flows/answers'
import { askedFileKinds } from '@recado/contract/flows/flow-steps'
import { formatStoredLocation } from '@recado/contract/text/location-and-card'
import type { Ticket, TicketEventStep } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { type CampaignReply, interpretCampaignReply } from '../../desk/campaigns/replies.ts'
import { type IncomingMessage, receiveMessage } from '../../desk/messages/receive.ts'
import { lastMessageText, publishNewMessages, storeOutgoing } from '../../desk/messages/store.ts'
import { requestTicketPush } from '../../desk/push.ts'
import { completeWithoutRating } from '../../desk/rating.ts'
import { publishTicketRead } from '../../desk/tickets/base/publish-ticket.ts'
import { presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { prepareOwnMessageTickets } from '../../desk/tickets/open.ts'
import { setTicketAd } from '../../desk/tickets/set-ad.ts'
import { findOrAddAd } from '../../directory/ads.ts'
import { toIdentityKeys } from '../../directory/contacts/identity.ts'
import type { ResolvedContact } from '../../directory/contacts/resolve-contact.ts'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundMessage, LineRow, MessageContent } from '../../lines/line.ts'
import { makeReferral } from '../../lines/referral.ts'
import type { Bot } from '../bot-actions/bot.ts'
import { loadBotState } from '../bot-actions/bot-state.ts'
import { runBots } from '../bots/turn.ts'
import { endSequenceOfTicket } from '../flows/runs/customer-message.ts'
import { endSequencesOfOptedOut } from '../flows/runs/opted-out.ts'
import { loadRulebook } from '../rulebook.ts'
import { type EventOutcome, publishedStep } from './steps.ts'
import {
  contactStep,
  findAnsweredRating,
  findOrOpenTicket,
  findSkippedRating,
  publishOpenedTicket,
  resolveSender,
  type TargetTicket,
  ticketStep,
} from './target-ticket.ts'
import { correctVendorClock } from './vendor-clock.ts'

/**
 * Handles a message that cannot take the fast path: first contact, new ticket, media, groups, bots, messages typed on
 * the phone itself. `waits`: the message cannot be decrypted yet, so no bot can answer it.
 */
export async function handleMessage(
  scope: Scope,
  row: LineRow,
  event: InboundMessage,
  bots?: readonly Bot[],
  isUndecrypted = false,
): Promise<EventOutcome> {
  const rulebook = await loadRulebook(scope)
  if (event.group && rulebook.setting('CheckMsgIsGroup') === 'enabled')
    return { ticketId: null, steps: [makeStep('ignored', 'groups-are-off')] }
  const storedMessage = await scope.load(findKnownMessages, { line: row.id, wid: event.id })
  if (storedMessage)
    return {
      ticketId: storedMessage.ticketId,
      steps: [makeStep('duplicate', event.fromMe ? 'our-own-echo' : 'same-id')],
    }
  const { fromMe } = event
  const isGroup = event.group && { id: event.group.id, name: event.group.name }
  const name = event.fromMe ? '' : event.pushName
  const person = await resolveSender(scope, row, { identity: event.person, name, isGroup, isSender: !event.fromMe })
  const author = await resolveGroupAuthor(scope, row, event)
  const text = botTextOf(event.content)
  const isDirectMessage = !event.fromMe && !isGroup
  const answeredRating = isDirectMessage ? await findAnsweredRating(scope, row, person.contact.id, text) : null
  const skippedRating =
    isDirectMessage && !answeredRating ? await findSkippedRating(scope, rulebook, row, person.contact.id) : null
  const from = { contactId: person.contact.id, whatsappId: row.id, text }
  const campaign =
    isDirectMessage && !answeredRating ? await interpretCampaignReply(scope, rulebook.campaigns, from) : null
  const { last, ...words } = toMessageContent(event.content)
  const target: TargetTicket = answeredRating
    ? { id: answeredRating.ticketId, how: 'answers', status: 'closed' }
    : campaign?.isCommand
      ? await findTicketForKeyword(scope, from)
      : await findOrOpenTicket(scope, rulebook, row, person.contact.id, Boolean(isGroup), {
          preferredQueueId: campaign?.queueId,
          preview: fromMe ? undefined : last,
        })
  const location = { ticketId: target.id, contactId: person.contact.id, senderId: author?.contact.id ?? null }
  const { id: wid, at, quotedId } = event
  const campaignId = campaign?.campaignId ?? null
  // The journal may hold an event of the release before, or of an imported company.
  const referral = isDirectMessage && event.referral ? makeReferral(event.referral) : undefined
  const adId = referral ? await findOrAddAd(scope, referral) : null
  const incoming = {
    ...location,
    ...words,
    whatsappId: row.id,
    wid,
    at,
    fromMe,
    quotedWid: quotedId ?? null,
    campaignId,
    adId,
    adClickId: referral?.clickId || null,
  }
  // An answer to a rating question counts as read; so does an opt-out or opt-in without an open ticket.
  const isRead = answeredRating !== null || (campaign?.isCommand === true && target.status === 'closed')
  const { id, markedRead: answered } = await receiveMessage(scope, incoming, {
    preview: last,
    isRead: isRead,
    opensTicket: target.how === 'opened' && !fromMe,
  })
  if (adId !== null) await setTicketAd(scope, target.id, adId)
  const ticket = await presentTicket(scope, target.id)
  await publishOpenedTicket(scope, target, ticket)
  await publishNewMessages(scope, [ticket], [id])
  if (answered) publishTicketRead(scope, ticket, ticket.id)
  if (isDirectMessage && !isRead) await requestTicketPush(scope, [target.id])
  if (campaign?.reply) await storeOutgoing(scope, ticket, [{ body: campaign.reply, bot: 'campaign' }])
  const isReopened = target.how === 'reused'
  // No farewell if the customer continues with the same ticket.
  if (skippedRating && !isReopened) await completeWithoutRating(scope, skippedRating)
  const correctedTime = () => correctVendorClock(scope, row, event)
  const writtenAt = ticket.chatbot ? await correctedTime() : new Date(at)
  const heard = { answer: toCustomerAnswer(event.content, id), correctedTime }
  const turn = { ...heard, text, writtenAt, isReopened, pendingRating: answeredRating }
  if (campaign?.why === 'stop' || campaign?.why === 'no') await endSequencesOfOptedOut(scope, ticket.contactId)
  else if (campaign?.isCommand) await endSequenceOfTicket(scope, (await loadBotState(scope, ticket.id)).flowRunId)
  const isForBots = isDirectMessage && !isUndecrypted && !campaign?.isCommand
  const botResult = isForBots ? await runBots(scope, rulebook, ticket, turn, bots) : { steps: [], ticket }
  const steps = [
    contactStep(person),
    ticketStep(target, ticket),
    ...mediaStep(event.content),
    ...referralStep(event),
    ...campaignStep(campaign),
    ...botResult.steps,
    publishedStep(botResult.ticket),
  ]
  return { ticketId: target.id, steps }
}

/** The text that a bot reads: a typed text or caption, or the key of a choice. Null: the message has no text. */
export function botTextOf(content: MessageContent): string | null {
  if (content.kind === 'text') return content.choice ?? content.body
  return content.kind === 'media' && content.body.trim() ? content.body : null
}

/** The message as an answer to a question of a flow. A file is named by its message. */
export function toCustomerAnswer(content: MessageContent, messageId: number): CustomerAnswer {
  const text = content.kind === 'text' || content.kind === 'media' ? content.body : ''
  const fileKind = content.kind === 'media' && askedFileKinds.find((kind) => kind === content.mediaType)
  return {
    text,
    optionId: content.kind === 'text' ? (content.choice ?? null) : null,
    file: fileKind ? { id: String(messageId), kind: fileKind } : null,
    place: content.kind === 'location' ? { latitude: content.latitude, longitude: content.longitude } : null,
  }
}

/**
 * Finds messages that are already stored: echoes of our own messages, or messages stored before their line got another
 * id in the journal.
 */
async function findKnownMessages(scope: Scope, all: { line: number; wid: string }[]) {
  const { rows } = await sql<{ ticketId: number | null; n: number }>`${keepPrepared}
    select x.n::int, m."ticketId" from unnest(${all.map((one) => one.line)}::int[], ${all.map((one) => one.wid)}::text[])
      with ordinality x (line, wid, n)
    cross join lateral (
      select m."ticketId" from messages m
      where m."companyId" = ${scope.companyId} and m."whatsappId" = x.line and m.wid = x.wid limit 1
    ) m`.execute(scope.db)
  const storedMessage = new Map(rows.map((row) => [row.n, row]))
  return all.map((_, n) => storedMessage.get(n + 1))
}

/** The author of a group message; if the vendor names no author, the message counts as the group's. */
async function resolveGroupAuthor(
  scope: Scope,
  row: LineRow,
  { group, fromMe }: InboundMessage,
): Promise<ResolvedContact | null> {
  if (!group || fromMe || !toIdentityKeys(group.author).length) return null
  return resolveSender(scope, row, { identity: group.author, name: group.authorName })
}

const mediaStep = (content: MessageContent): TicketEventStep[] =>
  content.kind === 'media'
    ? [makeStep('media', 'file-follows', { name: content.name })]
    : content.kind === 'unknown'
      ? [makeStep('unknown', 'kind-not-known', { what: content.what })]
      : []

const campaignStep = (campaign: CampaignReply | null): TicketEventStep[] =>
  campaign ? [makeStep('campaign', campaign.why, { campaign: campaign.campaignId })] : []

/** The active ticket, if any; an opt-out or opt-in alone opens no ticket for agents. */
async function findTicketForKeyword(
  scope: Scope,
  at: { contactId: number; whatsappId: number },
): Promise<TargetTicket> {
  const [ticket] = await prepareOwnMessageTickets(scope, [{ ...at, userId: null }])
  const { id, status } = ticket as Ticket
  return { id, how: 'steers', status }
}

const referralStep = ({ referral }: InboundMessage): TicketEventStep[] =>
  referral ? [makeStep('referral', 'came-from-an-ad', { title: referral.title, url: referral.url })] : []

type ReceivedContent = Pick<IncomingMessage, 'body' | 'mediaType' | 'media'> & { last: string }

/**
 * Converts a message to the stored format: Whaticket-compatible clients read these keys and the three-part location.
 */
export function toMessageContent(content: MessageContent): ReceivedContent {
  switch (content.kind) {
    case 'text':
      return { body: content.body, mediaType: 'conversation', last: lastMessageText(content.body, null) }
    case 'media':
      return {
        body: content.body,
        mediaType: content.mediaType,
        media: { name: content.name, key: content.key },
        last: lastMessageText(content.body, content.name),
      }
    case 'location': {
      const { body, line } = formatStoredLocation(content)
      return { body, mediaType: 'locationMessage', last: lastMessageText(line, null) }
    }
    case 'contact':
      return {
        body: content.cards.map((c) => c.vcard).join('\n'),
        mediaType: 'contactMessage',
        last: lastMessageText(content.cards.map((c) => c.name).join(', '), null),
      }
    case 'unknown':
      return { body: content.what, mediaType: 'unknown', last: lastMessageText(content.what, null) }
  }
}
