import type { Subscription } from '@recado/contract/money/subscription'
import { useEffect } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useSubscription } from '../../parts/checkout/use-subscription.ts'

/** The server publishes a payment at once; polling covers events that get lost. */
const pollMs = 30_000

/**
 * The subscription of a locked company. After payment all users get access; `stays` delays that until they saw the
 * confirmation.
 */
export function useLockedSubscription(stays = false): Subscription | undefined {
  const { reload } = useSession()
  const { data } = useSubscription(pollMs)
  const isPaid = data?.expired === false
  useEffect(() => {
    if (isPaid && !stays) void reload()
  }, [isPaid, stays, reload])
  // The subscription may have been renewed elsewhere: check when the user returns to this tab.
  useEffect(() => {
    const look = () => void reload()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [reload])
  return data
}
