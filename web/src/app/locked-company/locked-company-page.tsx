import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { connectSocket } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { Splash } from '../../ui/splash.tsx'
import { ExpiredPage } from './expired-page.tsx'

const ReadOnlyPage = lazy(() => import('./read-only-page.tsx').then((module) => ({ default: module.ReadOnlyPage })))

/** An expired company: users who can pay are led to the payment, all may read their open tickets. */
export function LockedCompanyPage() {
  const { since } = useSession()
  const mayPay = useCan()('financeiro-page:pay')
  const [reading, setReading] = useState(!mayPay)
  // This socket receives only the payment event.
  const open = useEffectEvent(() => connectSocket(since))
  useEffect(() => open(), [])
  if (!reading) return <ExpiredPage onOpenReadOnly={() => setReading(true)} />
  return (
    <Suspense fallback={<Splash />}>
      <ReadOnlyPage onPay={mayPay ? () => setReading(false) : undefined} />
    </Suspense>
  )
}
