import { jidDecode, proto, toNumber, type WAMessage, type WAMessageKey } from 'baileys'
import type { Identity, InboundEvent, InboundMessage } from '../../line.ts'
import { momentOf } from '../../moment.ts'
import { contentOf, contextOf, innermost, isSilent } from './contents.ts'

export type Around = {
  /** Our own addresses: digits alone. */
  me: { phone: string; lid?: string }
  /** A group's name as far as it is known, '' otherwise. */
  groupName: string
}
type Place = Omit<InboundMessage, 'kind' | 'content' | 'quotedId' | 'referral'>

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type

/** What a decrypted message means to the desk; nothing where machines talk among themselves. */
export function heard(message: WAMessage, around: Around): InboundEvent[] {
  const place = placeOf(message, around)
  if (!place || !message.message) return []
  const said = innermost(message.message)
  const { protocolMessage, reactionMessage } = said
  if (reactionMessage) return reaction(reactionMessage, place, around)
  if (protocolMessage) return correction(protocolMessage, place, message.key)
  if (isSilent(said)) return []
  const { quotedId, referral } = contextOf(said)
  const content = contentOf(said, message.key)
  return [{ ...place, kind: 'message', content, ...(quotedId && { quotedId }), ...(referral && { referral }) }]
}

/** Whom an address and its other form mean, in digits: the number, the hidden id, or both. */
export function identityOf(jid?: string | null, alt?: string | null): Identity {
  const identity: Identity = {}
  for (const address of [jid, alt]) {
    const { user, server } = jidDecode(address ?? '') ?? {}
    if (!user) continue
    if (server === 'lid' || server === 'hosted.lid') identity.lid = user
    if (server === 's.whatsapp.net' || server === 'c.us' || server === 'hosted') identity.phone = user
  }
  return identity
}

/** One name for a chat, however it is called this time: the number wherever it is known. */
const chatOf = ({ phone, lid }: Identity): string => (phone ? `${phone}@s.whatsapp.net` : `${lid}@lid`)

/** Where and by whom; null for posts to everybody and channels. */
function placeOf({ key, messageTimestamp, pushName }: WAMessage, around: Around): Place | null {
  const { server, user } = jidDecode(key.remoteJid ?? '') ?? {}
  if (!user || !key.id || server === 'newsletter' || (server === 'broadcast' && user === 'status')) return null
  const fromMe = Boolean(key.fromMe)
  const writer = identityOf(key.participant, key.participantAlt)
  const name = fromMe ? '' : (pushName ?? '')
  const at = momentOf(toNumber(messageTimestamp)).toISOString()
  if (server === 'g.us') {
    const author = fromMe ? around.me : writer
    const group = { id: user, name: around.groupName, author, authorName: name }
    return { id: key.id, chat: `${user}@g.us`, at, fromMe, person: author, pushName: name, group }
  }
  // A message to a list of people is one to each of them.
  const person = server === 'broadcast' ? writer : identityOf(key.remoteJid, key.remoteJidAlt)
  if (!person.phone && !person.lid) return null
  return { id: key.id, chat: chatOf(person), at, fromMe, person, pushName: name }
}

function reaction({ key, text }: proto.Message.IReactionMessage, place: Place, { me }: Around): InboundEvent[] {
  const { id, chat, at, fromMe, person, group, pushName } = place
  if (!key?.id) return []
  const { phone, lid } = fromMe ? me : (group?.author ?? person)
  const from = phone ?? lid ?? ''
  return [{ kind: 'reaction', id, chat, at, targetId: key.id, emoji: text ?? '', fromMe, from, name: pushName }]
}

/** Of all that programs tell each other, only what changes a message: an edit, or taking it back. */
function correction(
  { type, key, editedMessage }: proto.Message.IProtocolMessage,
  { id, chat, at }: Place,
  own: WAMessageKey,
): InboundEvent[] {
  const base = { id, chat, at, targetId: key?.id ?? '' }
  if (!base.targetId) return []
  if (type === REVOKE) return [{ ...base, kind: 'revoke' }]
  if (type !== MESSAGE_EDIT || !editedMessage) return []
  const content = contentOf(innermost(editedMessage), own)
  const body = 'body' in content ? content.body : content.kind === 'unknown' ? content.what : ''
  return [{ ...base, kind: 'edit', body }]
}
