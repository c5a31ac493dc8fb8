import type { Readable } from 'node:stream'
import type { LineStatus } from '@recado/contract/connections'
import type { MessageKind } from '@recado/contract/messages'

/**
 * One interface for every provider of phones. A line knows chats and messages; it knows no ticket. What it hears it
 * hands to the ears it was given, and it may forget it only when they have answered: they answer after the journal.
 */
export type Line = {
  start(): Promise<void>
  stop(): Promise<void>
  /** Sends what is stored already, under the id that was chosen for it: sending it again is the same message. */
  send(message: OutboundMessage): Promise<void>
  edit(chat: ChatId, messageId: string, body: string): Promise<void>
  revoke(chat: ChatId, messageId: string): Promise<void>
  markRead(chat: ChatId, messageIds: string[]): Promise<void>
  typing(chat: ChatId, on: boolean): Promise<void>
  /** The number as the provider writes it, or null when nobody is there. */
  checkNumber(number: string): Promise<string | null>
  profilePicture(chat: ChatId): Promise<string | null>
  fetchMedia(key: Record<string, unknown>): Promise<{ stream: Readable; name: string }>
  /** The address book of the phone, for import. */
  contacts(): Promise<{ number: string; name: string }[]>
  /** What this provider cannot do, so that screens can say so. */
  cannot: readonly Ability[]
}
export type Ability =
  | 'edit'
  | 'revoke'
  | 'reaction'
  | 'typing'
  | 'location'
  | 'contact'
  | 'groups'
  | 'profilePicture'
  | 'contacts'

/** Where a conversation takes place, in the provider's own words: a person's or a group's address. */
export type ChatId = string

/** Every way a person is named by an event. At least one is known. */
export type Identity = { phone?: string; lid?: string; cloud?: string; username?: string }

export type Content =
  | { kind: 'text'; body: string }
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

type Base = {
  /** Unique per line: the vendor's message id where there is one. */
  id: string
  chat: ChatId
  /** The sender's clock, ISO. */
  at: string
}
export type InboundMessage = Base & {
  kind: 'message'
  fromMe: boolean
  /** The person of a direct chat; of a group, the group itself is `group`. */
  person: Identity
  pushName: string
  group?: { id: string; name: string; author: Identity; authorName: string }
  content: Content
  quotedId?: string
}
export type InboundEvent =
  | InboundMessage
  | (Base & { kind: 'edit'; targetId: string; body: string })
  | (Base & { kind: 'revoke'; targetId: string })
  | (Base & { kind: 'reaction'; targetId: string; emoji: string; fromMe: boolean; from: string; name: string })
  | (Base & { kind: 'ack'; targetId: string; ack: 2 | 3 | 4 | 5 })
  | (Base & { kind: 'call'; person: Identity; pushName: string; missed: boolean; video: boolean })
  | (Base & { kind: 'contact'; person: Identity; name?: string; picture?: string | null })

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
  }
  location?: { latitude: number; longitude: number; name: string }
  contact?: { name: string; vcard: string }
  reaction?: { targetId: string; emoji: string }
  quoted?: { id: string; fromMe: boolean; body: string; author?: string }
}

/** A refusal that trying again will not change; anything else that is thrown will be tried again later. */
export class LineRefusal extends Error {
  /** A word the screen translates. */
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** What a line is given: who it is, and where to take what it hears. */
export type LineState = {
  status: LineStatus
  qrcode?: string
  reason?: string
  number?: string
  retries?: number
  /** It will not try again by itself: nobody scanned, or the phone unlinked it. It rests until a person asks. */
  gaveUp?: true
}
export type Ears = {
  /** Resolves once the events are journalled: only then may the vendor be told "got it". */
  hear(events: InboundEvent[]): Promise<void>
  state(state: LineState): Promise<void>
  /** Somebody types in this chat, or stopped. */
  typing(chat: ChatId, on: boolean): void
}
export type LineRow = {
  id: number
  companyId: number
  provider: 'beta' | 'cloud' | 'sandbox'
  wantedRound: number
  fence: number
}
export type MakeLine = (row: LineRow, ears: Ears) => Line
