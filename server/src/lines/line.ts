import type { Readable } from 'node:stream'
import type { Ability, LineStatus } from '@recado/contract/connections'
import type { MessageKind } from '@recado/contract/messages'
import type { PreparedStatement } from '../kernel/data/prepared-statement.ts'

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
  /** How this person or group looks; null where it is not shown to us. */
  profilePicture(chat: ChatId): Promise<Readable | null>
  /** Who is in a group, ourselves among them. */
  members(group: ChatId): Promise<LineGroupMember[]>
  /** Lets a caller hear that nobody takes the call. */
  rejectCall(chat: ChatId, callId: string): Promise<void>
  fetchMedia(key: Record<string, unknown>): Promise<{ stream: Readable; name: string }>
  /** The address book of the phone, for import. */
  contacts(): Promise<{ number: string; name: string }[]>
  /** Conversations that the phone had before it was linked, as far as it told of them. */
  pastChats(): Promise<PastChat[]>
  /**
   * Asks for what was said in a chat before this message; null: before the last thing the phone told of it. What comes
   * is heard as `past` and journalled by the time this is true; false: nobody answered. Takes its time between two.
   */
  fetchPast(chat: ChatId, before: PastCursor | null, ended: AbortSignal): Promise<boolean>
  /** What this provider cannot do, so that screens can say so. */
  cannot: readonly Ability[]
}
/** Where a conversation takes place, in the provider's own words: a person's or a group's address. */
export type ChatId = string
export type PastChat = { chat: ChatId; at: string }
export type PastCursor = { id: string; fromMe: boolean; at: string }

/** Every way a person is named by an event. At least one is known. */
export type PersonIdentity = { phone?: string; lid?: string; cloud?: string; username?: string }

/** `name`: what they call themselves, where the provider says so. */
export type LineGroupMember = { who: PersonIdentity; name: string; isAdmin: boolean; isMe: boolean }

export type MessageContent =
  /** `choice`: the key of what was picked from a menu; the body is what its button said. */
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

type EventBase = {
  /** Unique per line: the vendor's message id where there is one. */
  id: string
  chat: ChatId
  /** The sender's clock, ISO. */
  at: string
}
export type InboundMessage = EventBase & {
  kind: 'message'
  fromMe: boolean
  /** The person of a direct chat; of a group, the group itself is `group`. */
  person: PersonIdentity
  pushName: string
  group?: { id: string; name: string; author: PersonIdentity; authorName: string }
  content: MessageContent
  quotedId?: string
  /** The advertisement or post that made them write. */
  referral?: { title: string; url: string }
}
/** `ack`: how far one of ours had come. */
export type PastMessage = InboundMessage & {
  ack?: 2 | 3 | 4 | 5
  reactions?: { emoji: string; fromMe: boolean; from: string; name: string }[]
}
export type InboundEvent =
  | InboundMessage
  /** What was said in a chat before, of which somebody wanted to know: it is no news. */
  | (EventBase & { kind: 'past'; name: string; messages: PastMessage[] })
  /** It came and cannot be read yet; the vendor was asked for it again. */
  | (Omit<InboundMessage, 'kind' | 'content' | 'quotedId'> & { kind: 'pending' })
  /** What a pending message turned out to be; null: nothing that stands in a conversation. */
  | (Omit<InboundMessage, 'kind' | 'content'> & { kind: 'fill'; content: MessageContent | null })
  /** `tally`: its words are the same, what became of it is not: the votes of a poll. */
  | (EventBase & { kind: 'edit'; targetId: string; body: string; tally?: true })
  | (EventBase & { kind: 'revoke'; targetId: string })
  | (EventBase & { kind: 'reaction'; targetId: string; emoji: string; fromMe: boolean; from: string; name: string })
  | (EventBase & { kind: 'ack'; targetId: string; ack: 2 | 3 | 4 | 5 })
  /** One of ours did not arrive. `reason` is a word the screen translates, the vendor's number behind a colon. */
  | (EventBase & { kind: 'failed'; targetId: string; reason: string; detail: string })
  | (EventBase & { kind: 'call'; person: PersonIdentity; pushName: string; missed: boolean; video: boolean })
  /** `looksNew`: there is another picture, to be asked for in the background. `group`: it is one, and is called so now. */
  | (EventBase & {
      kind: 'contact'
      person: PersonIdentity
      name?: string
      picture?: string | null
      looksNew?: true
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
    /** Of a voice note that was measured while it was recorded. */
    seconds?: number
    waveform?: Uint8Array
  }
  location?: { latitude: number; longitude: number; name: string }
  contact?: { name: string; vcard: string }
  /** It comes from another conversation. */
  forwarded?: true
  /** `author`: who of a group wrote what is reacted to. */
  reaction?: { targetId: string; emoji: string; fromMe?: boolean; author?: string }
  quoted?: { id: string; fromMe: boolean; body: string; author?: string }
  /** The body is a menu: a line that has buttons may show these instead, with `text` above them. */
  choices?: { text: string; button: string; options: { key: string; title: string }[] }
  /** The vendor's own approved text, of which the body is a copy for our eyes. */
  template?: { name: string; language: string; components: Record<string, unknown>[] }
}

/** A refusal that trying again will not change; anything else that is thrown will be tried again later. */
export class LineRefusedError extends Error {
  /** A word the screen translates. */
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

/** The vendor asks for a pause, of the whole line or of one chat. Nobody's fault: what waits is sent after it. */
export class LineBusyError extends Error {
  readonly afterMs: number
  readonly chatOnly: boolean
  constructor(why: string, afterMs: number, chatOnly = false) {
    super(why)
    this.afterMs = afterMs
    this.chatOnly = chatOnly
  }
}

/** What a line is given: who it is, and where to take what it hears. */
export type LineState = {
  status: LineStatus
  qrcode?: string
  /** The eight characters to type on the phone instead. */
  pairingCode?: string
  reason?: string
  number?: string
  retries?: number
  /** It will not try again by itself: nobody scanned, or the phone unlinked it. It rests until a person asks. */
  gaveUp?: true
}
/** Rows of a line's own, to be kept together with what it heard; `statement` makes one of all that gathered. */
export type RowsWithEvents = { rows: readonly unknown[]; statement(rows: readonly unknown[]): PreparedStatement }
export type LineListener = {
  /**
   * Resolves once the events are journalled: only then may the vendor be told "got it". What is given along is written
   * in the same transaction, in the order in which it was told.
   */
  hear(events: InboundEvent[], along?: RowsWithEvents): Promise<void>
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
  /** It was connected elsewhere until now: that it opens anew here is no news to anybody. */
  stood?: true
}
export type MakeLine = (row: LineRow, ears: LineListener) => Line
