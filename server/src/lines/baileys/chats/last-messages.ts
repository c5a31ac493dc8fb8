import { type Chat, jidDecode, proto, toNumber, type WAMessage } from 'baileys'
import type { Log } from '../../../kernel/log.ts'
import type { ChatId, PastChat } from '../../line.ts'
import type { KeyRows } from '../keys/key-rows.ts'

const keyType = 'head'
/** The last message is stored for this many conversations, the newest first. */
const maxKeptChats = 200

/** The last message of each conversation that the phone sent when it was linked; older history is requested before it. */
export function makeLastMessages(rows: KeyRows, log: Log) {
  const decodeMessage = (value: string): WAMessage =>
    proto.WebMessageInfo.decode(Buffer.from(value, 'base64')) as WAMessage

  return {
    store(chats: Chat[]): void {
      const heads = chats
        .flatMap(({ id, pnJid, messages }) => {
          const message = messages?.[0]?.message
          return message?.key?.id && message.message && isPersonOrGroup(id)
            ? [{ chat: toChatId(id, pnJid), message }]
            : []
        })
        .sort((a, b) => toNumber(b.message.messageTimestamp) - toNumber(a.message.messageTimestamp))
        .slice(0, maxKeptChats)
      if (!heads.length) return
      const encodeMessage = (message: proto.IWebMessageInfo) =>
        Buffer.from(proto.WebMessageInfo.encode(message).finish()).toString('base64')
      rows
        .write(heads.map(({ chat, message }) => ({ type: keyType, id: chat, value: encodeMessage(message) })))
        .catch((err) => log.warn({ err }, 'could not store the conversations of the phone'))
    },
    find: async (chat: ChatId): Promise<WAMessage | undefined> => {
      const [row] = await rows.read(keyType, [chat])
      return row?.value ? decodeMessage(row.value) : undefined
    },
    listChats: async (): Promise<PastChat[]> =>
      (await rows.readAll(keyType)).flatMap(({ id, value }) => {
        const at = value ? toNumber(decodeMessage(value).messageTimestamp) : 0
        return at ? [{ chat: id, at: new Date(at * 1000).toISOString() }] : []
      }),
  }
}
export type LastMessages = ReturnType<typeof makeLastMessages>

const isPersonOrGroup = (id: string | null | undefined): id is string =>
  ['s.whatsapp.net', 'lid', 'g.us'].includes(jidDecode(id ?? '')?.server ?? '')

/** The id of a chat: its number if known, as everywhere. */
const toChatId = (id: string, pnJid: string | null | undefined): ChatId =>
  id.endsWith('@lid') && pnJid?.endsWith('@s.whatsapp.net') ? pnJid : id
