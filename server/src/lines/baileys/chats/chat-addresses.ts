import { isLidUser, isPnUser, jidDecode, jidNormalizedUser, type WASocket } from 'baileys'
import { type ChatId, LineRefusedError } from '../../line.ts'

/** More than so many chats are not remembered: the oldest are looked up again. */
const maxRememberedChats = 2000

/** Whose number this is; null: nobody's. The library answers a question that ran out of time with nothing at all. */
export async function lookUpNumber(sock: WASocket, number: string): Promise<string | null> {
  const answer = await sock.onWhatsApp(number)
  if (!answer) throw new Error('WhatsApp did not answer')
  return answer.find(({ exists }) => exists)?.jid ?? null
}

/** Where a chat is, in the words in which WhatsApp last spoke of it. */
export function makeChatAddresses() {
  const known = new Map<ChatId, string>()
  function remember(chat: ChatId, address: string): void {
    known.delete(chat)
    known.set(chat, address)
    if (known.size > maxRememberedChats) known.delete(known.keys().next().value as string)
  }
  /** Its hidden id was learned once: then it is somebody, and nobody needs to be asked. */
  async function isKnown(sock: WASocket, chat: ChatId): Promise<boolean> {
    const user = jidDecode(chat)?.user ?? ''
    return Boolean((await sock.authState.keys.get('lid-mapping', [user]))[user])
  }

  return {
    /** A customer wrote from here: answers, ticks and typing go the same way. */
    heardFrom(remoteJid: string, alt: string | null | undefined): void {
      const address = jidNormalizedUser(remoteJid)
      if (isLidUser(address) && alt) remember(jidNormalizedUser(alt), address)
    },
    /** For ticks and typing: the hidden id where it is known. */
    near: (chat: ChatId): string => known.get(chat) ?? chat,
    /** For a message. A number that nobody wrote from must be somebody's, and may be written differently there. */
    async mustReach(sock: WASocket, chat: ChatId): Promise<string> {
      const address = known.get(chat)
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
