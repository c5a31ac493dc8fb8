import type { proto, WAMessageKey } from 'baileys'
import type { InboundMessage, MessageContent } from '../../line.ts'
import { makeReferral } from '../../referral.ts'
import { readMediaContent } from './media-content.ts'
import { readMenuContent } from './menu-content.ts'

type ProtoMessage = proto.IMessage
type Kind = keyof ProtoMessage

/** Parts of a message that are not a message by themselves. */
const attachments: Kind[] = [
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
]
/** Protocol messages between devices; anything visible arrives as a separate message. */
export const ignoredKinds: Kind[] = [
  // The images of an album follow, each as its own message.
  'albumMessage',
  // Calls arrive as call events.
  'call',
  'callLogMesssage',
  'bcallMessage',
  'pinInChatMessage',
  'keepInChatMessage',
  'encReactionMessage',
  'stickerSyncRmrMessage',
  'messageHistoryBundle',
  'messageHistoryNotice',
  'statusNotificationMessage',
  'deviceSentMessage',
]

const listKinds = (message: ProtoMessage): Kind[] =>
  (Object.keys(message) as Kind[]).filter((kind) => message[kind] != null && !attachments.includes(kind))

export const isIgnoredMessage = (message: ProtoMessage): boolean =>
  listKinds(message).every((kind) => ignoredKinds.includes(kind))

/** Removes wrappers: disappearing, view once, with a caption, edited, and wrappers of future versions. */
export function unwrapMessage(said: ProtoMessage): ProtoMessage {
  let inner = said
  for (let depth = 0; depth < 8; depth++) {
    const wrapped = listKinds(inner)
      .map((kind) => (inner[kind] as { message?: unknown } | null)?.message)
      .find((message): message is ProtoMessage => typeof message === 'object' && message !== null)
    if (!wrapped) return inner
    inner = wrapped
  }
  return inner
}

type Context = Pick<InboundMessage, 'quotedId' | 'referral'>

/** The message to which this one replies, and the ad that brought its author. */
export function readMessageContext(message: ProtoMessage): Context {
  const contexts = listKinds(message).map(
    (kind) => (message[kind] as { contextInfo?: proto.IContextInfo } | null)?.contextInfo,
  )
  const context = contexts.find((one) => one != null)
  const ad = context?.externalAdReply
  const isAd = ad && (ad.ctwaClid || ad.sourceType === 'ad')
  const referral = isAd
    ? makeReferral({
        sourceType: ad.sourceType,
        sourceId: ad.sourceId,
        title: ad.title,
        body: ad.body,
        url: ad.sourceUrl,
        picture: ad.originalImageUrl || ad.thumbnailUrl || ad.mediaUrl,
        clickId: ad.ctwaClid,
      })
    : undefined
  return {
    ...(context?.stanzaId && { quotedId: context.stanzaId }),
    ...(referral && { referral }),
  }
}

const textContent = (body: string | null | undefined): MessageContent | null =>
  body == null ? null : { kind: 'text', body }
/**
 * Content that is shown as text. Screens choose the display by the first row of the text; the following rows are its
 * details.
 */
const unknownContent = (what: string, ...lines: (string | null | undefined)[]): MessageContent => ({
  kind: 'unknown',
  what: [what, ...lines.filter(Boolean)].join('\n'),
})

type Readers = { [K in Kind]?: (part: NonNullable<ProtoMessage[K]>, message: ProtoMessage) => MessageContent | null }

const pollContent = ({ name, options }: proto.Message.IPollCreationMessage) =>
  unknownContent('poll', name, ...(options ?? []).map(({ optionName }) => optionName))

const readers: Readers = {
  conversation: textContent,
  extendedTextMessage: (part) => textContent(part.text),
  locationMessage: (part) => locationContent(part, [part.name, part.address, part.comment]),
  liveLocationMessage: (part) => locationContent(part, [part.caption]),
  contactMessage: (part) => contactContent([part]),
  contactsArrayMessage: (part) => contactContent(part.contacts ?? []),
  buttonsResponseMessage: (part) => textContent(part.selectedDisplayText || part.selectedButtonId),
  listResponseMessage: (part) => textContent(part.title || part.singleSelectReply?.selectedRowId),
  templateButtonReplyMessage: (part) => textContent(part.selectedDisplayText || part.selectedId),
  interactiveResponseMessage: (part) => textContent(part.body?.text || part.nativeFlowResponseMessage?.name),
  pollCreationMessage: pollContent,
  pollCreationMessageV2: pollContent,
  pollCreationMessageV3: pollContent,
  pollCreationMessageV5: pollContent,
  pollResultSnapshotMessage: (part) =>
    unknownContent(
      'poll',
      part.name,
      ...(part.pollVotes ?? []).map((v) => `${v.optionName}: ${v.optionVoteCount ?? 0}`),
    ),
  pollUpdateMessage: () => unknownContent('poll-vote'),
  groupInviteMessage: (part) => unknownContent('group-invite', part.groupName, part.caption),
  eventMessage: (part) => unknownContent('event', part.name, part.description, part.location?.name, part.joinLink),
  productMessage: (part) => unknownContent('product', part.product?.title, part.product?.description, part.body),
  orderMessage: (part) => unknownContent('order', part.orderTitle, part.message),
  stickerPackMessage: (part) => unknownContent('sticker-pack', part.name),
  newsletterAdminInviteMessage: (part) => unknownContent('channel-invite', part.newsletterName, part.caption),
  scheduledCallCreationMessage: (part) => unknownContent('scheduled-call', part.title),
  sendPaymentMessage: () => unknownContent('payment'),
  requestPaymentMessage: () => unknownContent('payment-request'),
}

/** The content of a message. Unknown kinds are shown by name, never left out. */
export function readMessageContent(message: ProtoMessage, key: WAMessageKey): MessageContent {
  const file = readMediaContent(message, key)
  if (file) return file
  const menu = readMenuContent(message, key)
  if (menu) return menu
  const kinds = listKinds(message)
  for (const kind of kinds) {
    const read = readers[kind] as ((part: unknown, message: ProtoMessage) => MessageContent | null) | undefined
    const content = read?.(message[kind], message)
    if (content) return content
  }
  return unknownContent(kinds[0] ? kindName(kinds[0]) : 'empty')
}

/** `requestPhoneNumberMessage` becomes request-phone-number. */
const kindName = (kind: string): string =>
  kind
    .replace(/Mess+age(V\d)?$/, '')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, '')

type ProtoLocation = {
  degreesLatitude?: number | null
  degreesLongitude?: number | null
  jpegThumbnail?: Uint8Array | null
}

function locationContent(location: ProtoLocation, names: (string | null | undefined)[]): MessageContent {
  const thumbnail = location.jpegThumbnail?.length && Buffer.from(location.jpegThumbnail).toString('base64')
  return {
    kind: 'location',
    latitude: location.degreesLatitude ?? 0,
    longitude: location.degreesLongitude ?? 0,
    name: names.filter(Boolean).join(', '),
    ...(thumbnail && { thumbnail: `data:image/jpeg;base64,${thumbnail}` }),
  }
}

function contactContent(contacts: proto.Message.IContactMessage[]): MessageContent {
  return {
    kind: 'contact',
    cards: contacts.map(({ displayName, vcard }) => ({ name: displayName ?? '', vcard: vcard ?? '' })),
  }
}
