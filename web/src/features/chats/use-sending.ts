import { type Chat, type ChatMessage, chatsApi } from '@recado/contract/chats'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, upload } from '../../lib/api.ts'
import { newClientId } from '../../lib/client-id.ts'
import { toast } from '../../lib/toast.ts'
import { put } from '../../lib/told.ts'
import { putMessage } from '../../parts/chats/use-chats.ts'
import type { Out } from './as-message.ts'
import { inTurn } from './in-turn.ts'

const none: Out[] = []

/**
 * What leaves a chat goes one after the other, in its order. What did not get there stays, to be tried again: in the
 * cache, which outlives the screen and goes with the session.
 */
export function useSending({ id }: Chat) {
  const client = useQueryClient()
  const key = ['chat-outs', id]
  const forever = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }
  const { data: outs = none } = useQuery<Out[]>({ queryKey: key, enabled: false, ...forever })
  const known = () => client.getQueryData<Out[]>(key) ?? none
  const change = (clientId: string, to: Partial<Out> | null) =>
    put(
      client,
      key,
      known().flatMap((one) => (one.clientId !== clientId ? [one] : to === null ? [] : [{ ...one, ...to }])),
    )
  const deliver = async ({ clientId, text, file, quoted }: Out) => {
    try {
      const quotedId = quoted?.id
      const message = file
        ? await upload(chatsApi.send, {
            params: { id },
            fields: { message: text, clientId, ...(quotedId && { quotedId: String(quotedId) }) },
            files: [file],
          })
        : await call(chatsApi.send, { params: { id }, body: { message: text, clientId, quotedId } })
      putMessage(client, message)
      change(clientId, null)
    } catch (error) {
      change(clientId, { failed: true })
      toast.error(error)
    }
  }
  const send = (text: string, files: File[], quoted: ChatMessage | null) => {
    const at = new Date().toISOString()
    const parts = files.length > 0 ? files : [null]
    const all = parts.map(
      (file, i): Out => ({
        ...{ clientId: newClientId(), file, failed: false, at },
        ...(i === 0 ? { text, quoted } : { text: '', quoted: null }),
      }),
    )
    put(client, key, [...known(), ...all])
    for (const one of all) void inTurn(id, () => deliver(one))
  }
  const retry = (clientId: string) => {
    const one = outs.find((out) => out.clientId === clientId)
    if (!one) return
    change(clientId, { failed: false })
    void inTurn(id, () => deliver(one))
  }
  return { outs, send, retry }
}
