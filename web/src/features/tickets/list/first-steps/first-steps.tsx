import { lazy, type ReactNode, Suspense } from 'react'
import classes from './first-steps.module.css'
import { useFirstSteps, usePlatformSteps } from './use-first-steps.ts'

// Loaded on demand: most companies have finished onboarding.
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then((module) => ({ default: module.FirstStepsCard })),
)
const PlatformStepsCard = lazy(() =>
  import('./platform-steps-card.tsx').then((module) => ({ default: module.PlatformStepsCard })),
)
const Chip = lazy(() => import('./first-steps-chip.tsx').then((module) => ({ default: module.FirstStepsChip })))

/** The onboarding steps while no ticket is open; otherwise the usual empty state. */
export function FirstSteps({ fallback }: { fallback: ReactNode }) {
  const { card, collapse, hideForGood } = useFirstSteps()
  const platform = usePlatformSteps()
  if (card === null && platform === null) return fallback
  // While the steps are unknown, show nothing to avoid flickering.
  return (
    <div className={classes.room}>
      <Suspense fallback={null}>
        {platform && <PlatformStepsCard steps={platform} onHide={hideForGood} />}
        {card && platform !== undefined && <FirstStepsCard steps={card} onCollapse={collapse} onHide={hideForGood} />}
      </Suspense>
    </div>
  )
}

/** The remaining onboarding steps, below the list: also while the card has no room. */
export function FirstStepsChip({ isCardVisible }: { isCardVisible: boolean }) {
  const { card, chip, hideForGood } = useFirstSteps()
  const steps = chip ?? (isCardVisible ? null : card)
  return <Suspense fallback={null}>{steps && <Chip steps={steps} onHide={hideForGood} />}</Suspense>
}
