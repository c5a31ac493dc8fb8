import type { Readable } from 'node:stream'
import type { Ability, LineStatus } from '@recado/contract/connections'
import type { MessageKind } from '@recado/contract/messages'
import type { PriceCategory } from '@recado/contract/money/message-prices'
import type { PreparedStatement } from '../kernel/data/prepared-statement.ts'

/**
 * One interface for every phone provider. A line handles chats and messages, not tickets. It passes events to its
 * callbacks, and may drop an event only when they have resolved, which is after it was journalled.
 */
export type Line = {
  start(): Promise<void>
  stop(): Promise<void>
  /** Sends a stored message under its id: sending it again under the same id does not create a second message. */
  send(message: OutboundMessage): Promise<void>
  edit(chat: ChatId, messageId: string, body: string): Promise<void>
  revoke(chat: ChatId, messageId: string): Promise<void>
  markRead(chat: ChatId, messageIds: string[]): Promise<void>
  setTyping(chat: ChatId, on: boolean): Promise<void>
  /** The number as the provider writes it, or null if it does not exist. */
  checkNumber(number: string): Promise<string | null>
  /** The picture of a contact or group; null if it is not visible to us. */
  profilePicture(chat: ChatId): Promise<Readable | null>
  /** The members of a group, including our own account. */
  members(group: ChatId): Promise<LineGroupMember[]>
  /** Rejects the call, which the caller's phone shows. */
  rejectCall(chat: ChatId, callId: string): Promise<void>
  fetchMedia(key: Record<string, unknown>): Promise<{ stream: Readable; name: string }>
  /** The address book of the phone, for import. */
  contacts(): Promise<{ number: string; name: string }[]>
  /** Conversations from before the phone was linked, as far as the phone reported them. */
  pastChats(): Promise<PastChat[]>
  /**
   * Requests the history of a chat before this message; null: before the last message that the phone reported. The result
   * arrives as a `past` event and is journalled by the time this returns true; false: no answer. Pauses between two requests.
   */
  fetchPast(chat: ChatId, before: PastCursor | null, ended: AbortSignal): Promise<boolean>
  /**
   * Only lines that push their history (see `lineTraits`): requests all of it at once. It arrives as `past` and
   * `pastProgress` events. False: the vendor refuses.
   */
  requestHistory?(ended: AbortSignal): Promise<boolean>
  /** The features that this provider does not support, for the screens. */
  unsupported: readonly Ability[]
}
/** A chat in the provider's format: the address of a person or a group. */
export type ChatId = string
export type PastChat = { chat: ChatId; at: string }
export type PastCursor = { id: string; fromMe: boolean; at: string }

/** Every identity of a person in an event. At least one is set. */
export type PersonIdentity = {
  phone?: string
  lid?: string
  cloud?: string
  username?: string
  /** What the person had before, when the event reports that it was replaced. */
  former?: { phone?: string; cloud?: string }
}

/** `name`: the name that the member chose, if the provider sends it. */
export type LineGroupMember = { who: PersonIdentity; name: string; isAdmin: boolean; isMe: boolean }

export type MessageContent =
  /** `choice`: the key of the chosen menu option; the body is the text of its button. */
  | { kind: 'text'; body: string; choice?: string }
  | {
      kind: 'media'
      mediaType: Extract<MessageKind, 'image' | 'audio' | 'video' | 'application' | 'sticker'>
      body: string
      name: string
      key: Record<string, unknown>
    }
  | { kind: 'location'; latitude: number; longitude: number; name: string; thumbnail?: string }
  | { kind: 'contact'; cards: { name: string; vcard: string }[] }
  | { kind: 'unknown'; what: string }

/** What the vendor says about the price of a message. An empty category has no price in any list. */
export type StatusPricing = { category: PriceCategory | ''; isCharged: boolean }

/** The ad or post of a message, bounded by the line (`makeReferral`). `clickId` identifies the click (ctwa_clid). */
export type AdReferral = {
  sourceType: string
  sourceId: string
  title: string
  body: string
  url: string
  picture: string
  clickId: string
}

type EventBase = {
  /** Unique per line: the vendor's message id if there is one. */
  id: string
  chat: ChatId
  /** The time by the sender's clock, ISO. */
  at: string
}
export type InboundMessage = EventBase & {
  kind: 'message'
  fromMe: boolean
  /** The person of a direct chat; for a group, `group` is the group itself. */
  person: PersonIdentity
  pushName: string
  group?: { id: string; name: string; author: PersonIdentity; authorName: string }
  content: MessageContent
  quotedId?: string
  /** The ad or post that made the customer write. */
  referral?: AdReferral
}
/** `ack`: the acknowledgement level of our own message. */
export type PastMessage = InboundMessage & {
  ack?: 2 | 3 | 4 | 5
  reactions?: { emoji: string; fromMe: boolean; from: string; name: string }[]
}
export type InboundEvent =
  | InboundMessage
  /** Requested history of a chat; its messages are not new. */
  | (EventBase & { kind: 'past'; name: string; messages: PastMessage[] })
  /** How much of the requested history has arrived; null: the owner of the phone did not share it. */
  | (EventBase & { kind: 'pastProgress'; percent: number | null })
  /** The message arrived but cannot be decrypted yet; it was requested again. */
  | (Omit<InboundMessage, 'kind' | 'content' | 'quotedId'> & { kind: 'pending' })
  /** The content of a pending message; null: it turned out not to belong to a conversation. */
  | (Omit<InboundMessage, 'kind' | 'content'> & { kind: 'fill'; content: MessageContent | null })
  /** `tally`: the text is the same, and only the votes of a poll changed. */
  | (EventBase & { kind: 'edit'; targetId: string; body: string; tally?: true })
  | (EventBase & { kind: 'revoke'; targetId: string })
  | (EventBase & { kind: 'reaction'; targetId: string; emoji: string; fromMe: boolean; from: string; name: string })
  | (EventBase & { kind: 'ack'; targetId: string; ack: 2 | 3 | 4 | 5; pricing?: StatusPricing })
  /** One of our messages was not delivered. `reason`: a key that screens translate, then a colon and the code. */
  | (EventBase & { kind: 'failed'; targetId: string; reason: string; detail: string })
  | (EventBase & { kind: 'call'; person: PersonIdentity; pushName: string; missed: boolean; video: boolean })
  /**
   * `looksNew`: the picture changed, to be requested in the background. `group`: a group, with its current name.
   * `isSaved`: the person is in the phone's address book, so that an unknown one becomes a contact.
   */
  | (EventBase & {
      kind: 'contact'
      person: PersonIdentity
      name?: string
      picture?: string | null
      looksNew?: true
      isSaved?: true
      group?: { id: string; name: string }
    })

export type OutboundMessage = {
  id: string
  chat: ChatId
  body: string
  media?: {
    type: Extract<MessageKind, 'image' | 'audio' | 'video' | 'application' | 'sticker'>
    name: string
    open: () => Promise<Readable>
    mime: string
    voice: boolean
    /** Duration and waveform of a voice note, measured while it was recorded. */
    seconds?: number
    waveform?: Uint8Array
  }
  location?: { latitude: number; longitude: number; name: string }
  contact?: { name: string; vcard: string }
  /** Whether the message was forwarded from another conversation. */
  forwarded?: true
  /** `author`: the group member whose message gets the reaction. */
  reaction?: { targetId: string; emoji: string; fromMe?: boolean; author?: string }
  quoted?: { id: string; fromMe: boolean; body: string; author?: string }
  /** The body is a menu. A provider with buttons may show these options instead, with `text` above them. */
  choices?: { text: string; button: string; options: { key: string; title: string; description?: string }[] }
  /** The vendor's approved template; the body is a copy of its text for our screens. */
  template?: { name: string; language: string; components: Record<string, unknown>[] }
}

/** A permanent refusal. After any other error the message is retried later. */
export class LineRefusedError extends Error {
  /** A key that screens translate. */
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** The vendor requests a pause of the whole line or of one chat. Waiting messages are sent after it. */
export class LineBusyError extends Error {
  readonly retryAfterMs: number
  readonly isChatOnly: boolean
  constructor(why: string, afterMs: number, chatOnly = false) {
    super(why)
    this.retryAfterMs = afterMs
    this.isChatOnly = chatOnly
  }
}

/** The vendor does not let the line write to strangers for now. Messages to them wait; answers are sent. */
export class LineLockedError extends Error {}

/** The state that a line reports. */
export type LineState = {
  status: LineStatus
  qrcode?: string
  /** The eight characters to type on the phone instead of scanning the QR code. */
  pairingCode?: string
  reason?: string
  number?: string
  /** When the number was registered at the vendor, if the vendor says so. */
  registeredAt?: Date
  retries?: number
  /**
   * Whether the line does not retry any more: no one scanned the code, or the phone unlinked it. It waits until a user
   * starts it.
   */
  gaveUp?: true
}
/** A line's own rows, stored with the events; `statement` makes one statement of all collected rows. */
export type RowsWithEvents = { rows: readonly unknown[]; statement(rows: readonly unknown[]): PreparedStatement }
export type LineListener = {
  /**
   * Resolves once the events are journalled: only then may the vendor get the acknowledgement. `rows` are written in the
   * same transaction, in the order of the calls.
   */
  receive(events: InboundEvent[], rows?: RowsWithEvents): Promise<void>
  reportState(state: LineState): Promise<void>
  /** The customer started or stopped typing in this chat. */
  reportTyping(chat: ChatId, on: boolean): void
  /** The vendor does not let the line write to strangers until this moment; null: it does. Resolves when it is stored. */
  reportReachOutLock(until: Date | null): Promise<void>
  /** Since when many messages cannot be decrypted; null: no more. Resolves when it is stored. */
  reportUnreadable(since: Date | null): Promise<void>
}
export type LineRow = {
  id: number
  companyId: number
  provider: 'beta' | 'cloud' | 'sandbox'
  wantedRound: number
  fence: number
  /** Set if the line was connected in another process until now: its reconnect here is not published. */
  wasConnectedElsewhere?: true
}
export type MakeLine = (row: LineRow, listener: LineListener) => Line
