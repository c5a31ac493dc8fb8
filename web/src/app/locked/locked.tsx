import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { connect } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { Splash } from '../../ui/splash.tsx'
import { ExpiredPage } from './expired-page.tsx'

const ReadingPage = lazy(() => import('./reading-page.tsx').then((module) => ({ default: module.ReadingPage })))

/** A company that has not paid: who can pay is led there, everybody reads what is open. */
export function Locked() {
  const { since } = useSession()
  const mayPay = useCan()('financeiro-page:pay')
  const [reading, setReading] = useState(!mayPay)
  // It hears of the payment, and of nothing else.
  const open = useEffectEvent(() => connect(since))
  useEffect(() => open(), [])
  if (!reading) return <ExpiredPage onRead={() => setReading(true)} />
  return (
    <Suspense fallback={<Splash />}>
      <ReadingPage onPay={mayPay ? () => setReading(false) : undefined} />
    </Suspense>
  )
}
