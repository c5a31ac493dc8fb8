import type { Selectable } from 'kysely'
import type { DB } from '../../kernel/data/tables.ts'
import type { InboundEvent, InboundMessage, MessageContent, PersonIdentity } from '../line.ts'

/** A row waiting for the line, with the names that WhatsApp would send along. */
export type UndeliveredRow = Selectable<DB['sandboxMessages']> & { name: string | null; chatName: string | null }

/** The content of a row beyond its columns. */
export type SandboxExtra = {
  targetId?: string
  latitude?: number
  longitude?: number
  cards?: { name: string; vcard: string }[]
  lid?: string
  onlyLid?: boolean
  group?: boolean
  /** For acknowledgements: the message ids, and the level of each. */
  ids?: string[]
  acks?: (2 | 3 | 4 | 5)[]
  /** For a message from the desk: it was sent as a voice note. */
  voice?: { seconds: number; waveform: number[] }
  /** For a message from the desk: it was forwarded from another conversation. */
  forwarded?: true
}

/** Actions on another message: the phone does not show them as messages. */
export const hiddenMessageKinds = ['reaction', 'edit', 'delete', 'ack', 'profile']

/** A chat's address in WhatsApp's format. */
export function toSandboxJid(chat: string, { lid, onlyLid, group }: SandboxExtra = {}): string {
  if (group) return `${chat}@g.us`
  return lid && onlyLid ? `${lid}@lid` : `${chat}@s.whatsapp.net`
}

/** The events of a row. */
export function toInboundEvents(row: UndeliveredRow, ownNumber: string): InboundEvent[] {
  const extra = row.content as SandboxExtra
  const person = extra.group && !row.fromCustomer ? { phone: ownNumber } : toIdentity(row, extra)
  const base = { id: row.id, chat: toSandboxJid(row.chat, extra), at: row.at }
  const targetId = extra.targetId ?? ''
  const name = row.name ?? ''
  const byCustomer = {
    fromMe: !row.fromCustomer,
    from: row.fromCustomer ? authorOf(row) : ownNumber,
    name: row.fromCustomer ? name : '',
  }
  switch (row.kind) {
    case 'ack':
      return (extra.ids ?? []).flatMap((id) =>
        (extra.acks ?? []).map((ack) => ({ ...base, id: `${id}:ack:${ack}`, kind: 'ack' as const, targetId: id, ack })),
      )
    case 'edit':
      return [{ ...base, kind: 'edit', targetId, body: row.body }]
    case 'delete':
      return [{ ...base, kind: 'revoke', targetId }]
    case 'reaction':
      return [{ ...base, kind: 'reaction', targetId, emoji: row.body, ...byCustomer }]
    case 'call':
      return [{ ...base, kind: 'call', person, pushName: name, missed: true, video: false }]
    case 'profile':
      return [{ ...base, kind: 'contact', person, name: row.body }]
    default:
      return [toInboundMessage(row, extra, person, base, ownNumber)]
  }
}

const authorOf = (row: UndeliveredRow) => row.author ?? row.chat

/** A number, WhatsApp's hidden id, or both, depending on the setting of the customer's phone. */
function toIdentity(row: UndeliveredRow, { lid, onlyLid }: SandboxExtra): PersonIdentity {
  if (lid && onlyLid) return { lid }
  return { phone: authorOf(row), ...(lid && { lid }) }
}

function toInboundMessage(
  row: UndeliveredRow,
  extra: SandboxExtra,
  person: PersonIdentity,
  base: { id: string; chat: string; at: string },
  ownNumber: string,
): InboundMessage {
  const fromMe = !row.fromCustomer
  const pushName = fromMe ? '' : (row.name ?? '')
  const author = fromMe ? { phone: ownNumber } : person
  return {
    ...base,
    kind: 'message',
    fromMe,
    person,
    pushName,
    ...(extra.group && { group: { id: row.chat, name: row.chatName ?? row.chat, author, authorName: pushName } }),
    content: toContent(row, extra),
    ...(row.quotedId && { quotedId: row.quotedId }),
  }
}

function toContent(row: UndeliveredRow, extra: SandboxExtra): MessageContent {
  switch (row.kind) {
    case 'text':
      return { kind: 'text', body: row.body }
    case 'image':
    case 'audio':
    case 'video':
    case 'application':
    case 'sticker':
      return {
        kind: 'media',
        mediaType: row.kind,
        body: row.body,
        name: row.mediaName ?? row.kind,
        key: { mediaPath: row.mediaPath, mediaName: row.mediaName },
      }
    case 'location':
      return { kind: 'location', latitude: extra.latitude ?? 0, longitude: extra.longitude ?? 0, name: row.body }
    case 'contact':
      return { kind: 'contact', cards: extra.cards ?? [] }
    default:
      return { kind: 'unknown', what: row.body || row.kind }
  }
}
