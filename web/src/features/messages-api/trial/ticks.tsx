import { IconAlertCircle, IconCheck, IconChecks, IconClock, IconEye } from '@tabler/icons-react'
import { number, time } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Why } from '../../../parts/message/bubble/why.tsx'
import { isPast, type Progress, steps } from './progress.ts'
import classes from './trial.module.css'
import { trialTexts } from './trial-texts.ts'

const icons = { queued: IconClock, sent: IconCheck, delivered: IconChecks, read: IconEye }

/** 16:24:08,1 */
const clock = (at: number) => {
  const seconds = new Date(at).getSeconds() + Math.floor(new Date(at).getMilliseconds() / 100) / 10
  return `${time(at)}:${seconds < 10 ? '0' : ''}${number(seconds, 1)}`
}
const tenths = (ms: number) => number(Math.round(ms / 100) / 10, 1)

/** The four ticks, live, with the seconds since the first. */
export function Ticks({ progress }: { progress: Progress }) {
  const words = useTexts(trialTexts)
  const { state, at, since } = progress
  const failed = state === 'failed'
  const next = failed ? undefined : steps.find((step) => !isPast(progress, step))
  return (
    <>
      <ol className={classes.ticks} aria-label={words.progress}>
        {steps.map((step) => {
          const Icon = icons[step]
          const past = isPast(progress, step)
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
                      ? clock(when)
                      : words.after(tenths(when - since))}
              </small>
            </li>
          )
        })}
      </ol>
      {failed && (
        <p className={classes.wrong} role="alert">
          <IconAlertCircle size={16} stroke={2} aria-hidden="true" />
          <span>
            {words.failed}: <Why error={progress.error} />
          </span>
        </p>
      )}
    </>
  )
}
