import { jidDecode, proto, toNumber, type WAMessage, type WAMessageKey } from 'baileys'
import type { InboundEvent, InboundMessage, PersonIdentity } from '../../line.ts'
import { vendorTimestampToDate } from '../../vendor-timestamp.ts'
import { isIgnoredMessage, readMessageContent, readMessageContext, unwrapMessage } from './message-content.ts'

export type InboundContext = {
  /** Our own addresses: digits only. */
  me: { phone: string; lid?: string }
  /** A group's name if known, else ''. */
  groupName: string
}
type MessageEnvelope = Omit<InboundMessage, 'kind' | 'content' | 'quotedId' | 'referral'>

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type

/** The events of a decrypted message; none for protocol messages. */
export function parseWhatsAppMessage(message: WAMessage, context: InboundContext): InboundEvent[] {
  const envelope = readEnvelope(message, context)
  if (!envelope || !message.message) return []
  const said = unwrapMessage(message.message)
  const { protocolMessage, reactionMessage } = said
  if (reactionMessage) return parseReaction(reactionMessage, envelope, context)
  if (protocolMessage) return parseCorrection(protocolMessage, envelope, message.key)
  if (isIgnoredMessage(said)) return []
  const { quotedId, referral } = readMessageContext(said)
  const content = readMessageContent(said, message.key)
  return [{ ...envelope, kind: 'message', content, ...(quotedId && { quotedId }), ...(referral && { referral }) }]
}

/** The identity behind an address and its other form, in digits: the number, the hidden id, or both. */
export function jidToIdentity(jid?: string | null, alt?: string | null): PersonIdentity {
  const identity: PersonIdentity = {}
  for (const address of [jid, alt]) {
    const { user, server } = jidDecode(address ?? '') ?? {}
    if (!user) continue
    if (server === 'lid' || server === 'hosted.lid') identity.lid = user
    if (server === 's.whatsapp.net' || server === 'c.us' || server === 'hosted') identity.phone = user
  }
  return identity
}

/** One id for a chat, whichever address it currently has: the number if known. */
const toChatId = ({ phone, lid }: PersonIdentity): string => (phone ? `${phone}@s.whatsapp.net` : `${lid}@lid`)

/** Chat and author; null for status posts and channels. */
function readEnvelope({ key, messageTimestamp, pushName }: WAMessage, context: InboundContext): MessageEnvelope | null {
  const { server, user } = jidDecode(key.remoteJid ?? '') ?? {}
  if (!user || !key.id || server === 'newsletter' || (server === 'broadcast' && user === 'status')) return null
  const fromMe = Boolean(key.fromMe)
  const writer = jidToIdentity(key.participant, key.participantAlt)
  const name = fromMe ? '' : (pushName ?? '')
  const at = vendorTimestampToDate(toNumber(messageTimestamp)).toISOString()
  if (server === 'g.us') {
    const author = fromMe ? context.me : writer
    const group = { id: user, name: context.groupName, author, authorName: name }
    return { id: key.id, chat: `${user}@g.us`, at, fromMe, person: author, pushName: name, group }
  }
  // A message to a broadcast list counts as a message to each of its members.
  const person = server === 'broadcast' ? writer : jidToIdentity(key.remoteJid, key.remoteJidAlt)
  if (!person.phone && !person.lid) return null
  return { id: key.id, chat: toChatId(person), at, fromMe, person, pushName: name }
}

function parseReaction(
  { key, text }: proto.Message.IReactionMessage,
  envelope: MessageEnvelope,
  { me }: InboundContext,
): InboundEvent[] {
  const { id, chat, at, fromMe, person, group, pushName } = envelope
  if (!key?.id) return []
  const { phone, lid } = fromMe ? me : (group?.author ?? person)
  const from = phone ?? lid ?? ''
  return [{ kind: 'reaction', id, chat, at, targetId: key.id, emoji: text ?? '', fromMe, from, name: pushName }]
}

/** Only the protocol messages that change a message are parsed: an edit or a revocation. */
function parseCorrection(
  { type, key, editedMessage }: proto.Message.IProtocolMessage,
  { id, chat, at }: MessageEnvelope,
  own: WAMessageKey,
): InboundEvent[] {
  const base = { id, chat, at, targetId: key?.id ?? '' }
  if (!base.targetId) return []
  if (type === REVOKE) return [{ ...base, kind: 'revoke' }]
  if (type !== MESSAGE_EDIT || !editedMessage) return []
  const content = readMessageContent(unwrapMessage(editedMessage), own)
  const body = 'body' in content ? content.body : content.kind === 'unknown' ? content.what : ''
  return [{ ...base, kind: 'edit', body }]
}
