import { lineTraits } from '@recado/contract/line-traits'
import type { Scope } from '../../kernel/data/scope.ts'
import { type ChatId, type Line, LineRefusedError, type LineRow } from '../line.ts'
import type { CloudLink, CloudTimings } from './cloud-link.ts'
import { fetchFile } from './files.ts'
import { GraphRefusedError } from './graph-client.ts'
import { makeCloudSend } from './send.ts'

/** The actions of the desk, as calls to Meta. */
export function makeCloudActions(
  scope: Scope,
  row: LineRow,
  link: CloudLink,
  pace: CloudTimings,
): Omit<Line, 'start' | 'stop'> {
  const unsupported = async (): Promise<never> => {
    throw new LineRefusedError('unsupported')
  }
  async function postRead(message_id: string, typing: boolean): Promise<void> {
    const { graph, account } = link.requireSession()
    await graph.post(`${account.phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id,
      ...(typing && { typing_indicator: { type: 'text' } }),
    })
  }
  return {
    unsupported: lineTraits.cloud.cannot,
    send: makeCloudSend(scope, row, link, pace),
    edit: unsupported,
    revoke: unsupported,
    async markRead(_chat, ids) {
      // Marking the newest message as read also marks the earlier ones.
      const last = ids.filter((id) => id.startsWith('wamid.')).at(-1)
      if (last) await postRead(last, false)
    },
    /** Meta's typing indicator refers to a customer's message, ends with our reply or after 25 s, and cannot be stopped. */
    async setTyping(chat, on) {
      const last = on ? await findLastInboundId(scope, row, chat) : null
      if (last) await postRead(last, true)
    },
    // Meta has no lookup: a plausible number is accepted, and an error appears only when a message fails.
    checkNumber: async (number) => (/^\d{8,15}$/.test(number) ? number : null),
    profilePicture: async () => null,
    members: unsupported,
    async rejectCall(_chat, call_id) {
      const { graph, account } = link.requireSession()
      await graph.post(`${account.phoneNumberId}/calls`, { messaging_product: 'whatsapp', call_id, action: 'reject' })
    },
    fetchMedia: (key) => fetchFile(link.requireSession(), key, link.ended),
    contacts: unsupported,
    pastChats: unsupported,
    fetchPast: unsupported,
    async requestHistory(ended) {
      const { graph, account } = link.requireSession()
      const request = (sync_type: string) =>
        graph.post(`${account.phoneNumberId}/smb_app_data`, { messaging_product: 'whatsapp', sync_type }, ended)
      // Contacts may have been requested before; the history is requested all the same.
      await request('smb_app_state_sync').catch(ignoreRefusal)
      return request('history').then(() => true, ignoreRefusal)
    },
  }
}

/** Meta hands the history over once, within a day after the number was connected, and refuses every other number. */
function ignoreRefusal(error: unknown): false {
  if (error instanceof GraphRefusedError && error.status < 500 && error.status !== 429) return false
  throw error
}

/** Brazilian mobile numbers have two forms, and Meta may use the other one than the contact shows. */
const listChatForms = (chat: ChatId): ChatId[] => [chat, chat.replace(/^(55\d\d)9([6-9]\d{7}@)/, '$1$2')]

/** The id of the customer's last message in this chat. Meta does not keep messages for more than a month. */
async function findLastInboundId(scope: Scope, row: LineRow, chat: ChatId): Promise<string | null> {
  const last = await scope.db
    .selectFrom('journal')
    .select('eventId')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('chat', 'in', listChatForms(chat))
    .where('kind', '=', 'message')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.eventId.replace(/^message:/, '') ?? null
}
