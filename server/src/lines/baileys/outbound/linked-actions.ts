import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { lineTraits } from '@recado/contract/line-traits'
import {
  type AnyMessageContent,
  type GroupParticipant,
  generateMessageIDV2,
  type MiscMessageGenerationOptions,
  type WAMessage,
  type WAMessageKey,
  type WASocket,
} from 'baileys'
import type { ChatId, Line, LineGroupMember } from '../../line.ts'
import { type ChatAddresses, lookUpNumber } from '../chats/chat-addresses.ts'
import type { GroupCache } from '../chats/group-cache.ts'
import type { PhoneBook } from '../chats/phone-book.ts'
import { downloadMedia } from '../inbound/download-media.ts'
import { jidUser } from '../inbound/message-interpreter.ts'
import type { Acknowledgements } from './acknowledgement.ts'
import { buildWhatsAppMessage } from './build-message.ts'
import type { DeskPresence } from './desk-presence.ts'
import type { GroupReads } from './group-reads.ts'
import type { ResendStore } from './resend-store.ts'

type LinkedActionsDeps = {
  requireSocket(): WASocket
  acknowledgements: Acknowledgements
  addresses: ChatAddresses
  deskPresence: DeskPresence
  phoneBook: PhoneBook
  resendStore: ResendStore
  groups: GroupCache
  groupReads: GroupReads
  /** The number of a hidden id, if it is known. */
  phoneOf(lid: string): Promise<string | undefined>
  /** Why a message was refused. */
  explainRefusal(error: unknown, sock: WASocket): Promise<Error>
  /** The author of a recent group message. */
  authorOf(messageId: string): string | undefined
}

/** Pictures and numbers are looked up in the background; a slower answer is given up. */
const lookupTimeoutMs = 10_000

/** The actions of the desk on a linked phone. */
export function makeLinkedActions({
  requireSocket,
  acknowledgements,
  addresses,
  deskPresence,
  phoneBook,
  resendStore,
  groups,
  groupReads,
  phoneOf,
  explainRefusal,
  authorOf,
}: LinkedActionsDeps): Omit<Line, 'start' | 'stop' | 'pastChats' | 'fetchPast'> {
  async function relay(
    chat: ChatId,
    content: AnyMessageContent,
    options: MiscMessageGenerationOptions & { messageId?: string } = {},
  ): Promise<void> {
    const sock = requireSocket()
    const address = await addresses.resolveRecipient(sock, chat)
    const messageId = options.messageId ?? generateMessageIDV2(sock.user?.id)
    // No link previews: otherwise the author of a URL could choose which host this server calls.
    const noLinkPreview = { getUrlInfo: async () => undefined }
    await acknowledgements
      .waitFor(messageId, async () => {
        const sent = await sock.sendMessage(address, content, { ...noLinkPreview, ...options, messageId })
        await resendStore.store(messageId, sent?.message)
      })
      .catch(async (error) => {
        throw await explainRefusal(error, sock)
      })
    deskPresence.markActive(sock, addresses.addressOf(chat)).catch(() => {})
  }
  const ownKey = (chat: ChatId, id: string): WAMessageKey => ({ remoteJid: chat, id, fromMe: true })

  return {
    unsupported: lineTraits.beta.cannot,
    async send(message) {
      const sock = requireSocket()
      const { content, options } = await buildWhatsAppMessage(message, { me: readOwnIdentity(sock) })
      if (message.chat.endsWith('@g.us') && !message.reaction)
        await groupReads.recordSend(message.id, await groups.countRecipients(sock, message.chat))
      await relay(message.chat, content, { ...options, messageId: message.id })
    },
    edit: (chat, id, body) => relay(chat, { text: body, edit: ownKey(chat, id) }),
    revoke: (chat, id) => relay(chat, { delete: ownKey(chat, id) }),
    async markRead(chat, ids) {
      const sock = requireSocket()
      const remoteJid = addresses.addressOf(chat)
      const inGroup = remoteJid.endsWith('@g.us')
      const keys = ids.flatMap((id): WAMessageKey[] => {
        const participant = inGroup ? authorOf(id) : undefined
        return inGroup && !participant ? [] : [{ remoteJid, id, fromMe: false, ...(participant && { participant }) }]
      })
      if (keys.length) await sock.readMessages(keys)
    },
    async setTyping(chat, on) {
      const sock = requireSocket()
      const address = addresses.addressOf(chat)
      await deskPresence.markActive(sock, address)
      await sock.sendPresenceUpdate(on ? 'composing' : 'paused', address)
    },
    async checkNumber(number) {
      const found = await lookUpNumber(requireSocket(), number)
      return found && jidUser(found)
    },
    async profilePicture(chat) {
      // A refusal usually means that this person hides the picture from us.
      const url = await requireSocket()
        .profilePictureUrl(addresses.addressOf(chat), 'preview', lookupTimeoutMs)
        .catch(() => undefined)
      const picture = url ? await fetch(url, { signal: AbortSignal.timeout(lookupTimeoutMs) }) : null
      return picture?.ok && picture.body ? Readable.fromWeb(picture.body as ReadableStream) : null
    },
    async members(group) {
      const sock = requireSocket()
      const me = readOwnIdentity(sock)
      const people = await groups.participants(sock, group)
      return Promise.all(
        people.map(async (one): Promise<LineGroupMember> => {
          const [phone, lid] = [await findPhone(one, phoneOf), jidUser(one.lid ?? (isLidJid(one.id) ? one.id : ''))]
          return {
            who: { ...(phone && { phone }), ...(lid && { lid }) },
            name: one.name ?? one.notify ?? one.verifiedName ?? '',
            isAdmin: Boolean(one.admin),
            isMe: Boolean((phone && phone === me.phone) || (lid && lid === me.lid)),
          }
        }),
      )
    },
    rejectCall: (chat, callId) => requireSocket().rejectCall(callId, addresses.addressOf(chat)),
    fetchMedia: (key) => downloadMedia(key, (message: WAMessage) => requireSocket().updateMediaMessage(message)),
    contacts: () => phoneBook.listAll(),
  }
}

const isLidJid = (jid: string) => jid.endsWith('@lid')

/** Groups list members by hidden id, usually with the number; if it is missing, we may have stored it. */
async function findPhone(one: GroupParticipant, phoneOf: LinkedActionsDeps['phoneOf']): Promise<string> {
  if (one.phoneNumber) return jidUser(one.phoneNumber)
  return jidUser(isLidJid(one.id) ? await phoneOf(one.id) : one.id)
}

export const readOwnIdentity = (sock: WASocket): { phone: string; lid?: string } => {
  const lid = jidUser(sock.user?.lid)
  return { phone: jidUser(sock.user?.id), ...(lid && { lid }) }
}
