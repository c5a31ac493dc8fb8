import { Button } from '@mantine/core'
import { toWallTime } from '@recado/contract/schedules/occurrences'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { Link } from '@tanstack/react-router'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { formatCalendarDay } from '../../parts/schedule/calendar.ts'
import { renderScheduleText } from '../../parts/schedule/render-schedule-text.ts'
import { texts } from '../../parts/schedule/texts.ts'
import classes from './calendar.module.css'
import type { ScheduleActions } from './calendar-context.ts'
import { canEditSchedule, canSendNow } from './schedule-state.ts'
import { ScheduleStateChip, useScheduleReason } from './schedule-state-chip.tsx'

type Props = { row: Schedule; zone: string; actions: ScheduleActions; onClose: () => void }

/** The details of a message, with its actions. */
export function ScheduleDetails({ row, zone, actions, onClose }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const reason = useScheduleReason()(row)
  const wall = toWallTime(new Date(row.sendAt), zone)
  const then = (action: () => void) => () => {
    onClose()
    action()
  }
  return (
    <div className={classes.details}>
      <div className={classes.detailsHead}>
        <b>{row.contact.name}</b>
        <ScheduleStateChip row={row} />
      </div>
      <p className={classes.detailsWhen}>
        {formatCalendarDay(wall.slice(0, 10), language)}, {wall.slice(11)} · {row.whatsapp?.name ?? words.noLine}
      </p>
      {reason && <p className={classes.detailsReason}>{reason}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard. */}
      <p className={classes.detailsBody} tabIndex={0}>
        {renderScheduleText(row, zone)}
      </p>
      <p className={classes.detailsWhen}>{words.by(row.user?.name ?? words.nobody)}</p>
      <div className={classes.detailsDeeds}>
        {canEditSchedule(row) && (
          <Button size="xs" variant="default" data-autofocus onClick={then(() => actions.edit(row))}>
            {words.edit}
          </Button>
        )}
        {canSendNow(row) && (
          <Button size="xs" onClick={then(() => actions.sendNow(row))}>
            {row.status === 'ERRO' ? words.tryAgain : words.sendNow}
          </Button>
        )}
        {row.ticketUuid && (
          <Button size="xs" variant="default" component={Link} to={`/tickets/${row.ticketUuid}`}>
            {words.openTicket}
          </Button>
        )}
        {row.repeat && canEditSchedule(row) && (
          <Button size="xs" variant="subtle" color="red" onClick={then(() => actions.remove(row, true))}>
            {words.removeOnly}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="red" onClick={then(() => actions.remove(row, false))}>
          {row.repeat && canEditSchedule(row) ? words.removeSeries : words.removeIt}
        </Button>
      </div>
    </div>
  )
}
