import type { Connection } from '@recado/contract/connections'
import type { ReactNode } from 'react'
import { providerIcons } from '../../parts/line/line-icons.ts'
import { LineStatusChip, useLineNextStep, useLineStatusReason } from '../../parts/line/line-status-chip.tsx'
import { formatPhoneNumber } from '../../parts/phone-number.ts'
import { RowMenu } from '../../records/row-actions.tsx'
import type { RowCommands } from '../../records/table-column.ts'
import classes from './connections.module.css'
import { formatShortDayTime } from './format-short-day-time.ts'
import { LineHealthMark } from './health/line-health-mark.tsx'
import { HistoryImportMeter } from './history-import-meter.tsx'
import { DefaultChip } from './line-columns.tsx'
import { PaceMeter } from './pace-meter.tsx'
import { UnreadableMark } from './unreadable-mark.tsx'

type Props = {
  lines: Connection[]
  label: string
  commandsFor: (line: Connection) => RowCommands
  session: (line: Connection) => ReactNode
  onShowHealth: (line: Connection) => void
  onShowPace: (line: Connection) => void
}

/** The list of lines on a small screen, as cards: problems and their actions stay visible. */
export function LineCards({ lines, label, commandsFor: offer, session, onShowHealth, onShowPace }: Props) {
  return (
    <ul className={classes.cards} aria-label={label}>
      {lines.map((line) => (
        <LineCard
          key={line.id}
          line={line}
          commands={offer(line)}
          session={session(line)}
          onShowHealth={onShowHealth}
          onShowPace={onShowPace}
        />
      ))}
    </ul>
  )
}

type CardProps = Pick<Props, 'onShowHealth' | 'onShowPace'> & {
  line: Connection
  commands: RowCommands
  session: ReactNode
}
function LineCard({ line, commands: offer, session, onShowHealth, onShowPace }: CardProps) {
  const reason = useLineStatusReason()(line)
  const next = useLineNextStep()(line)
  const Icon = providerIcons[line.provider]
  return (
    <li className={classes.card} data-row={line.id}>
      <div className={classes.cardHead}>
        <Icon size={20} stroke={1.75} aria-hidden="true" />
        <div className={classes.cardWords}>
          <span className={classes.cardName}>{line.name}</span>
          <span className={classes.cardLine}>
            {line.number && <span>{formatPhoneNumber(line.number)} · </span>}
            <span>{formatShortDayTime(line.updatedAt)}</span>
          </span>
        </div>
        {line.isDefault && <DefaultChip />}
        <RowMenu commands={offer} />
      </div>
      <div className={classes.cardFoot}>
        <LineStatusChip status={line.status} />
        {session}
      </div>
      {!reason && <LineHealthMark line={line} onOpen={onShowHealth} />}
      {!reason && <UnreadableMark line={line} />}
      {!reason && <PaceMeter line={line} onOpen={onShowPace} />}
      {!reason && <HistoryImportMeter line={line} hasRoom />}
      {reason && (
        <p className={classes.cardReason}>
          {reason} {next}
        </p>
      )}
    </li>
  )
}
