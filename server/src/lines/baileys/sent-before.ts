import type { SocketConfig } from 'baileys'
import type { Means } from '../../kernel/scope.ts'
import type { LineRow } from '../line.ts'

const sent = `
  select body from messages
  where "companyId" = $1 and "whatsappId" = $2 and wid = $3 and "fromMe" and "mediaType" = 'conversation'`

/**
 * A customer's phone could not read what we sent and asks for it again. The library remembers what this process sent;
 * texts of an earlier one are read from where they are stored.
 */
export const makeSentBefore =
  ({ database }: Means, row: LineRow): SocketConfig['getMessage'] =>
  async ({ id }) => {
    const values = [row.companyId, row.id, id ?? '']
    const [message] = await database.named<{ body: string }>(row.companyId, 'linked_sent_before', sent, values)
    return message ? { conversation: message.body } : undefined
  }
