import { isLidUser, isPnUser, jidDecode, jidNormalizedUser, type WASocket } from 'baileys'
import { type ChatId, LineRefusedError } from '../../line.ts'

/** Maximum cached chats: the oldest are looked up again. */
const maxRememberedChats = 2000

/** The address of a number; null: not on WhatsApp. The library returns undefined after a timeout. */
export async function lookUpNumber(sock: WASocket, number: string): Promise<string | null> {
  const answer = await sock.onWhatsApp(number)
  if (!answer) throw new Error('WhatsApp did not answer')
  return answer.find(({ exists }) => exists)?.jid ?? null
}

/** Remembers the address of each chat, in the form that WhatsApp last used. */
export function makeChatAddresses() {
  const addressByChat = new Map<ChatId, string>()
  function remember(chat: ChatId, address: string): void {
    addressByChat.delete(chat)
    addressByChat.set(chat, address)
    if (addressByChat.size > maxRememberedChats) addressByChat.delete(addressByChat.keys().next().value as string)
  }
  /** Whether the chat's hidden id is stored: then the number exists, and no lookup is needed. */
  async function isKnown(sock: WASocket, chat: ChatId): Promise<boolean> {
    const user = jidDecode(chat)?.user ?? ''
    return Boolean((await sock.authState.keys.get('lid-mapping', [user]))[user])
  }

  return {
    /** Stores the address from which a customer wrote: replies, acknowledgements and typing go to the same address. */
    rememberSender(remoteJid: string, alt: string | null | undefined): void {
      const address = jidNormalizedUser(remoteJid)
      if (isLidUser(address) && alt) remember(jidNormalizedUser(alt), address)
    },
    /** The address for acknowledgements and typing: the hidden id if known. */
    addressOf: (chat: ChatId): string => addressByChat.get(chat) ?? chat,
    /** The address for a message. An unknown number must be looked up, because WhatsApp may write it differently. */
    async resolveRecipient(sock: WASocket, chat: ChatId): Promise<string> {
      const address = addressByChat.get(chat)
      if (address) return isPnUser(address) ? address : chat
      if (!isPnUser(chat) || (await isKnown(sock, chat))) return chat
      const found = await lookUpNumber(sock, chat)
      if (!found) throw new LineRefusedError('no-whatsapp')
      const canonical = isPnUser(found) ? found : chat
      remember(chat, canonical)
      return canonical
    },
  }
}
export type ChatAddresses = ReturnType<typeof makeChatAddresses>
