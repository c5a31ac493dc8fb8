import { type SandboxCustomer, sandboxApi } from '@recado/contract/sandbox'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useIsPhone } from '../../../ui/use-is-phone.ts'

/** Marks the company's messages as read while the chat is open and visible. */
export function useMarkPhoneChatRead(line: number, { number, unread }: SandboxCustomer, shown: boolean): void {
  const client = useQueryClient()
  const small = useIsPhone()
  const seen = shown || !small
  const read = useEffectEvent(() => {
    if (document.hidden || unread === 0) return
    callApi(sandboxApi.read, { params: { whatsappId: line }, body: { with: number } }).then(
      () => client.invalidateQueries({ queryKey: ['sandbox', line, 'customers'] }),
      // A failure is not critical: the next message or the next focus tries again.
      () => undefined,
    )
  })
  useEffect(() => {
    if (!seen || unread === 0) return
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [seen, unread])
}
