import { lazy, type ReactNode, Suspense } from 'react'
import classes from './first-steps.module.css'
import { useFirstSteps } from './use-first-steps.ts'

// Most companies have had their first minutes.
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then((module) => ({ default: module.FirstStepsCard })),
)

/** What to do first, where nothing is open yet; whoever has done it, or need not, sees what stands there otherwise. */
export function FirstSteps({ otherwise }: { otherwise: ReactNode }) {
  const { steps, hide } = useFirstSteps()
  if (steps === null) return otherwise
  // Not known yet: nothing, rather than one thing and then another.
  return (
    <div className={classes.room}>
      <Suspense fallback={null}>{steps && <FirstStepsCard steps={steps} onHide={hide} />}</Suspense>
    </div>
  )
}
