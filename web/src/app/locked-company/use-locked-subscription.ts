import type { Subscription } from '@recado/contract/money/subscription'
import { useEffect } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useSubscription } from '../../parts/checkout/use-subscription.ts'

/** The server tells at once that it is paid; this often it is asked too, since a word can get lost. */
const pollMs = 30_000

/** How a locked company stands. As soon as it is paid, everybody comes in; `stays` keeps them until they have seen why. */
export function useLockedSubscription(stays = false): Subscription | undefined {
  const { reload } = useSession()
  const { data } = useSubscription(pollMs)
  const isPaid = data?.expired === false
  useEffect(() => {
    if (isPaid && !stays) void reload()
  }, [isPaid, stays, reload])
  // Renewed elsewhere, perhaps: whoever comes back to this tab need not ask.
  useEffect(() => {
    const look = () => void reload()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [reload])
  return data
}
