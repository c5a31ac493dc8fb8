import { Button } from '@mantine/core'
import { wallOf } from '@recado/contract/schedules/repetition'
import type { Schedule } from '@recado/contract/schedules/schedules'
import { Link } from '@tanstack/react-router'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { asRead } from './as-read.ts'
import classes from './calendar.module.css'
import { longDay } from './calendar.ts'
import type { Deeds } from './shown.ts'
import { canGoNow, isOpen } from './state.ts'
import { StateChip, useReason } from './state-chip.tsx'
import { texts } from './texts.ts'

type Props = { row: Schedule; zone: string; deeds: Deeds; onClose: () => void }

/** The whole of one message, and what can be done with it. */
export function Details({ row, zone, deeds, onClose }: Props) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const reason = useReason()(row)
  const wall = wallOf(new Date(row.sendAt), zone)
  const then = (deed: () => void) => () => {
    onClose()
    deed()
  }
  return (
    <div className={classes.details}>
      <div className={classes.detailsHead}>
        <b>{row.contact.name}</b>
        <StateChip row={row} />
      </div>
      <p className={classes.detailsWhen}>
        {longDay(wall.slice(0, 10), language)}, {wall.slice(11)} · {row.whatsapp?.name ?? words.noLine}
      </p>
      {reason && <p className={classes.detailsReason}>{reason}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard. */}
      <p className={classes.detailsBody} tabIndex={0}>
        {asRead(row, zone)}
      </p>
      <p className={classes.detailsWhen}>{words.by(row.user?.name ?? words.nobody)}</p>
      <div className={classes.detailsDeeds}>
        {isOpen(row) && (
          <Button size="xs" variant="default" data-autofocus onClick={then(() => deeds.edit(row))}>
            {words.edit}
          </Button>
        )}
        {canGoNow(row) && (
          <Button size="xs" onClick={then(() => deeds.sendNow(row))}>
            {row.status === 'ERRO' ? words.tryAgain : words.sendNow}
          </Button>
        )}
        {row.ticketUuid && (
          <Button size="xs" variant="default" component={Link} to={`/tickets/${row.ticketUuid}`}>
            {words.openTicket}
          </Button>
        )}
        {row.repeat && isOpen(row) && (
          <Button size="xs" variant="subtle" color="red" onClick={then(() => deeds.remove(row, true))}>
            {words.removeOnly}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="red" onClick={then(() => deeds.remove(row, false))}>
          {row.repeat && isOpen(row) ? words.removeSeries : words.removeIt}
        </Button>
      </div>
    </div>
  )
}
