import { lazy, Suspense, useEffect, useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { connect } from '../../lib/live.ts'
import { Splash } from '../../ui/splash.tsx'
import { ExpiredPage } from './expired-page.tsx'

const ReadingPage = lazy(() => import('./reading-page.tsx').then((module) => ({ default: module.ReadingPage })))

/** A company that has not paid: who can pay is led there, everybody reads what is open. */
export function Locked() {
  const mayPay = useCan()('financeiro-page:pay')
  const [reading, setReading] = useState(!mayPay)
  // It hears of the payment, and of nothing else.
  useEffect(() => connect(), [])
  if (!reading) return <ExpiredPage onRead={() => setReading(true)} />
  return (
    <Suspense fallback={<Splash />}>
      <ReadingPage onPay={mayPay ? () => setReading(false) : undefined} />
    </Suspense>
  )
}
