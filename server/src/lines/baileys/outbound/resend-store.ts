import { proto, type SocketConfig } from 'baileys'
import type { Deps } from '../../../kernel/data/scope.ts'
import type { Log } from '../../../kernel/log.ts'
import type { LineRow } from '../../line.ts'
import type { KeyRows } from '../keys/key-rows.ts'

const keyType = 'sent'
const sentTextSql = `
  select body from messages
  where "companyId" = $1 and "whatsappId" = $2 and wid = $3 and "fromMe" and "mediaType" = 'conversation'`

/**
 * A customer's phone could not decrypt a message and requests it again, under the same id. The library only remembers
 * messages sent over this connection. Plain texts of earlier connections are in the messages table; everything else, above
 * all a file's location and key, is stored as it was sent, encrypted among the line's keys.
 */
export function makeResendStore({ database }: Deps, row: LineRow, rows: KeyRows, log: Log) {
  async function findStored(id: string): Promise<proto.IMessage | undefined> {
    const [found] = await rows.read(keyType, [id])
    return found?.value ? proto.Message.decode(Buffer.from(found.value, 'base64')) : undefined
  }
  const getMessage: SocketConfig['getMessage'] = async ({ id }) => {
    const whole = await findStored(id ?? '')
    if (whole) return whole
    const values = [row.companyId, row.id, id ?? '']
    const [message] = await database.queryPrepared<{ body: string }>(
      row.companyId,
      'linked_sent_before',
      sentTextSql,
      values,
    )
    return message ? { conversation: message.body } : undefined
  }
  return {
    getMessage: getMessage,
    /** Stores a sent message. A failure is only logged: it is no reason to send the message again. */
    async store(id: string, message: proto.IMessage | null | undefined): Promise<void> {
      if (!message || isPlainText(message)) return
      const value = Buffer.from(proto.Message.encode(message).finish()).toString('base64')
      await rows
        .write([{ type: keyType, id, value }])
        .catch((err) => log.warn({ err, line: row.id }, 'could not store a sent message for retry requests'))
    },
  }
}
export type ResendStore = ReturnType<typeof makeResendStore>

/** Whether the message is only text: then the message row has the same content. */
const isPlainText = ({ conversation, extendedTextMessage }: proto.IMessage): boolean =>
  Boolean(conversation || (extendedTextMessage && !extendedTextMessage.contextInfo))
