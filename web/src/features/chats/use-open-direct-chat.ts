import { chatsApi } from '@recado/contract/chats'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { toast } from '../../lib/toast.ts'
import { putChat } from '../../parts/chats/use-chats.ts'

/** Opens the direct chat with a user. */
export function useOpenDirectChat(): (userId: number) => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  return async (userId) => {
    try {
      const chat = await callApi(chatsApi.direct, { params: { userId } })
      putChat(client, chat, me)
      await navigate({ href: `/chats/${chat.uuid}` })
    } catch (error) {
      toast.error(error)
    }
  }
}
