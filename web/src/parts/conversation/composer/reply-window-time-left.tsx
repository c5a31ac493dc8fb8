import { Tooltip } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { formatDayTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../message/composer/composer.module.css'
import { toHoursAndMinutes } from '../messages/use-reply-window.ts'
import { texts } from './texts.ts'

/** Below this remaining time a warning is shown: after the window only templates can be sent. */
const warnBelowMs = 2 * 3600_000

/** The remaining time in which free text is allowed on the official API. */
export function ReplyWindowTimeLeft({ timeLeftMs }: { timeLeftMs: number }) {
  const words = useTexts(texts)
  const { hours, minutes } = toHoursAndMinutes(timeLeftMs)
  return (
    <Tooltip label={words.windowUntil(formatDayTime(Date.now() + timeLeftMs))}>
      <span className={classes.left} data-soon={timeLeftMs < warnBelowMs || undefined}>
        <IconHourglass size={14} stroke={1.75} aria-hidden="true" />
        <span className="rc-sr">{words.windowLeft}</span>
        {words.hoursLeft(hours, minutes)}
      </span>
    </Tooltip>
  )
}
