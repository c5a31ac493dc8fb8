import { type Chat, type ChatMessage, chatsApi } from '@recado/contract/chats'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi, uploadFiles } from '../../lib/api.ts'
import { newClientId } from '../../lib/client-id.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { toast } from '../../lib/toast.ts'
import { putChatMessage } from '../../parts/chats/use-chats.ts'
import type { OutgoingChatMessage } from './chat-message-to-message.ts'
import { runInOrder } from './run-in-order.ts'

const noMessages: OutgoingChatMessage[] = []

/**
 * Messages of a chat are sent one after another, in order. Failed messages stay in the query cache for a retry.
 * The cache outlives the screen and is cleared with the session.
 */
export function useSendChatMessages({ id }: Chat) {
  const client = useQueryClient()
  const key = ['chat-outs', id]
  const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }
  const { data: outs = noMessages } = useQuery<OutgoingChatMessage[]>({ queryKey: key, enabled: false, ...forever })
  const getOutgoing = () => client.getQueryData<OutgoingChatMessage[]>(key) ?? noMessages
  const change = (clientId: string, to: Partial<OutgoingChatMessage> | null) =>
    setCachedQuery(
      client,
      key,
      getOutgoing().flatMap((one) => (one.clientId !== clientId ? [one] : to === null ? [] : [{ ...one, ...to }])),
    )
  const deliver = async ({ clientId, text, file, quoted }: OutgoingChatMessage) => {
    try {
      const quotedId = quoted?.id
      const message = file
        ? await uploadFiles(chatsApi.send, {
            params: { id },
            fields: { message: text, clientId, ...(quotedId && { quotedId: String(quotedId) }) },
            files: [file],
          })
        : await callApi(chatsApi.send, { params: { id }, body: { message: text, clientId, quotedId } })
      putChatMessage(client, message)
      change(clientId, null)
    } catch (error) {
      change(clientId, { hasFailed: true })
      toast.error(error)
    }
  }
  const send = (text: string, files: File[], quoted: ChatMessage | null) => {
    const at = new Date().toISOString()
    const parts = files.length > 0 ? files : [null]
    const all = parts.map(
      (file, i): OutgoingChatMessage => ({
        ...{ clientId: newClientId(), file, hasFailed: false, createdAt: at },
        ...(i === 0 ? { text, quoted } : { text: '', quoted: null }),
      }),
    )
    setCachedQuery(client, key, [...getOutgoing(), ...all])
    for (const one of all) void runInOrder(id, () => deliver(one))
  }
  const retry = (clientId: string) => {
    const one = outs.find((out) => out.clientId === clientId)
    if (!one) return
    change(clientId, { hasFailed: false })
    void runInOrder(id, () => deliver(one))
  }
  return { outgoing: outs, send, retry }
}
