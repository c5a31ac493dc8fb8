import { lazy, type ReactNode, Suspense } from 'react'
import classes from './first-steps.module.css'
import { useFirstSteps } from './use-first-steps.ts'

// Loaded on demand: most companies have finished onboarding.
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then((module) => ({ default: module.FirstStepsCard })),
)

/** The onboarding steps while no ticket is open; otherwise the usual empty state. */
export function FirstSteps({ fallback }: { fallback: ReactNode }) {
  const { steps, hide } = useFirstSteps()
  if (steps === null) return fallback
  // While the steps are unknown, show nothing to avoid flickering.
  return (
    <div className={classes.room}>
      <Suspense fallback={null}>{steps && <FirstStepsCard steps={steps} onHide={hide} />}</Suspense>
    </div>
  )
}
