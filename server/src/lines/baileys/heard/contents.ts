import type { proto, WAMessageKey } from 'baileys'
import type { Content, InboundMessage } from '../../line.ts'
import { fileOf } from './files.ts'
import { structured } from './structured.ts'

type Said = proto.IMessage
type Kind = keyof Said

/** Belong to a message without being one. */
const attachments: Kind[] = [
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
]
/** Machines and screens talking; what stands in the conversation comes by itself. */
export const silentKinds: Kind[] = [
  // The pictures of an album follow, each as a message.
  'albumMessage',
  // Calls are heard as calls.
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

const kindsOf = (said: Said): Kind[] =>
  (Object.keys(said) as Kind[]).filter((kind) => said[kind] != null && !attachments.includes(kind))

export const isSilent = (said: Said): boolean => kindsOf(said).every((kind) => silentKinds.includes(kind))

/** Out of its wrappers: disappearing, to be seen once, with a caption, edited, and those that are still to be invented. */
export function innermost(said: Said): Said {
  let inner = said
  for (let depth = 0; depth < 8; depth++) {
    const wrapped = kindsOf(inner)
      .map((kind) => (inner[kind] as { message?: unknown } | null)?.message)
      .find((message): message is Said => typeof message === 'object' && message !== null)
    if (!wrapped) return inner
    inner = wrapped
  }
  return inner
}

type Context = Pick<InboundMessage, 'quotedId' | 'referral'>

/** Which message it answers, and which advertisement brought its writer. */
export function contextOf(said: Said): Context {
  const contexts = kindsOf(said).map((kind) => (said[kind] as { contextInfo?: proto.IContextInfo } | null)?.contextInfo)
  const context = contexts.find((one) => one != null)
  const ad = context?.externalAdReply
  const isAd = ad?.sourceUrl && (ad.ctwaClid || ad.sourceType === 'ad')
  return {
    ...(context?.stanzaId && { quotedId: context.stanzaId }),
    ...(isAd && { referral: { title: ad.title ?? '', url: ad.sourceUrl ?? '' } }),
  }
}

const text = (body: string | null | undefined): Content | null => (body == null ? null : { kind: 'text', body })
/** Screens draw these by their first line; what follows it belongs to it. */
const drawn = (what: string, ...lines: (string | null | undefined)[]): Content => ({
  kind: 'unknown',
  what: [what, ...lines.filter(Boolean)].join('\n'),
})

type Readers = { [K in Kind]?: (part: NonNullable<Said[K]>, said: Said) => Content | null }

const poll = ({ name, options }: proto.Message.IPollCreationMessage) =>
  drawn('poll', name, ...(options ?? []).map(({ optionName }) => optionName))

const readers: Readers = {
  conversation: text,
  extendedTextMessage: (part) => text(part.text),
  locationMessage: (part) => place(part, [part.name, part.address, part.comment]),
  liveLocationMessage: (part) => place(part, [part.caption]),
  contactMessage: (part) => cards([part]),
  contactsArrayMessage: (part) => cards(part.contacts ?? []),
  buttonsResponseMessage: (part) => text(part.selectedDisplayText || part.selectedButtonId),
  listResponseMessage: (part) => text(part.title || part.singleSelectReply?.selectedRowId),
  templateButtonReplyMessage: (part) => text(part.selectedDisplayText || part.selectedId),
  interactiveResponseMessage: (part) => text(part.body?.text || part.nativeFlowResponseMessage?.name),
  pollCreationMessage: poll,
  pollCreationMessageV2: poll,
  pollCreationMessageV3: poll,
  pollCreationMessageV5: poll,
  pollResultSnapshotMessage: (part) =>
    drawn('poll', part.name, ...(part.pollVotes ?? []).map((v) => `${v.optionName}: ${v.optionVoteCount ?? 0}`)),
  pollUpdateMessage: () => drawn('poll-vote'),
  groupInviteMessage: (part) => drawn('group-invite', part.groupName, part.caption),
  eventMessage: (part) => drawn('event', part.name, part.description, part.location?.name, part.joinLink),
  productMessage: (part) => drawn('product', part.product?.title, part.product?.description, part.body),
  orderMessage: (part) => drawn('order', part.orderTitle, part.message),
  stickerPackMessage: (part) => drawn('sticker-pack', part.name),
  newsletterAdminInviteMessage: (part) => drawn('channel-invite', part.newsletterName, part.caption),
  scheduledCallCreationMessage: (part) => drawn('scheduled-call', part.title),
  sendPaymentMessage: () => drawn('payment'),
  requestPaymentMessage: () => drawn('payment-request'),
}

/** What a message is made of. What nobody here knows is shown by its name, never left out. */
export function contentOf(said: Said, key: WAMessageKey): Content {
  const file = fileOf(said, key)
  if (file) return file
  const menu = structured(said, key)
  if (menu) return menu
  const kinds = kindsOf(said)
  for (const kind of kinds) {
    const read = readers[kind] as ((part: unknown, said: Said) => Content | null) | undefined
    const content = read?.(said[kind], said)
    if (content) return content
  }
  return drawn(kinds[0] ? nameOf(kinds[0]) : 'empty')
}

/** `requestPhoneNumberMessage` is called request-phone-number. */
const nameOf = (kind: string): string =>
  kind
    .replace(/Mess+age(V\d)?$/, '')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, '')

type Spot = { degreesLatitude?: number | null; degreesLongitude?: number | null; jpegThumbnail?: Uint8Array | null }

function place(spot: Spot, names: (string | null | undefined)[]): Content {
  const thumbnail = spot.jpegThumbnail?.length && Buffer.from(spot.jpegThumbnail).toString('base64')
  return {
    kind: 'location',
    latitude: spot.degreesLatitude ?? 0,
    longitude: spot.degreesLongitude ?? 0,
    name: names.filter(Boolean).join(', '),
    ...(thumbnail && { thumbnail: `data:image/jpeg;base64,${thumbnail}` }),
  }
}

function cards(contacts: proto.Message.IContactMessage[]): Content {
  return {
    kind: 'contact',
    cards: contacts.map(({ displayName, vcard }) => ({ name: displayName ?? '', vcard: vcard ?? '' })),
  }
}
