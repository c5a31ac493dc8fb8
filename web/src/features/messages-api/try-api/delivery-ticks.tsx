import { IconAlertCircle, IconCheck, IconChecks, IconClock, IconEye } from '@tabler/icons-react'
import { formatNumber, formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { FailureReason } from '../../../parts/message/bubble/failure-reason.tsx'
import { type DeliveryProgress, deliverySteps, isStepDone } from './delivery-progress.ts'
import classes from './try-api-form.module.css'
import { tryApiTexts } from './try-api-texts.ts'

const icons = { queued: IconClock, sent: IconCheck, delivered: IconChecks, read: IconEye }

/** Formats a time with tenths of a second, for example 16:24:08,1. */
const formatTimeWithTenths = (at: number) => {
  const seconds = new Date(at).getSeconds() + Math.floor(new Date(at).getMilliseconds() / 100) / 10
  return `${formatTime(at)}:${seconds < 10 ? '0' : ''}${formatNumber(seconds, 1)}`
}
const formatTenths = (ms: number) => formatNumber(Math.round(ms / 100) / 10, 1)

/** The four delivery steps, live, with the seconds since the first. */
export function DeliveryTicks({ progress }: { progress: DeliveryProgress }) {
  const words = useTexts(tryApiTexts)
  const { state, reachedAt: at, startedAt } = progress
  const failed = state === 'failed'
  const next = failed ? undefined : deliverySteps.find((step) => !isStepDone(progress, step))
  return (
    <>
      <ol className={classes.ticks} aria-label={words.progress}>
        {deliverySteps.map((step) => {
          const Icon = icons[step]
          const past = isStepDone(progress, step)
          const when = at[step]
          return (
            <li key={step} data-past={past || undefined} data-step={step}>
              <span className={classes.dot}>
                <Icon size={13} stroke={2.2} aria-hidden="true" />
              </span>
              <b>{words.steps[step]}</b>
              <small>
                {step === next
                  ? words.waiting
                  : !past || when === undefined
                    ? words.notYet
                    : step === 'queued'
                      ? formatTimeWithTenths(when)
                      : words.after(formatTenths(when - startedAt))}
              </small>
            </li>
          )
        })}
      </ol>
      {failed && (
        <p className={classes.wrong} role="alert">
          <IconAlertCircle size={16} stroke={2} aria-hidden="true" />
          <span>
            {words.failed}: <FailureReason error={progress.error} />
          </span>
        </p>
      )}
    </>
  )
}
