import { useMediaQuery } from '@mantine/hooks'
import type { Connection } from '@recado/contract/connections'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { providerIcons } from '../../parts/line/line-icons.ts'
import { LineStatusChip, useLineStatusReason } from '../../parts/line/line-status-chip.tsx'
import { lineTexts } from '../../parts/line/line-texts.ts'
import { formatPhoneNumber } from '../../parts/phone-number.ts'
import { ClippedText, MutedText, TextWithIcon, TwoLineCell } from '../../records/cells.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { minColumnWidthPx } from '../../records/use-columns.ts'
import { Chip } from '../../ui/chip.tsx'
import classes from './connections.module.css'
import { formatShortDayTime } from './format-short-day-time.ts'
import { LineHealthMark } from './health/line-health-mark.tsx'
import { HistoryImportMeter } from './history-import-meter.tsx'
import { PaceMeter } from './pace-meter.tsx'
import { texts } from './texts.ts'
import { UnreadableMark } from './unreadable-mark.tsx'

/** The table of spec section 2. When space is short, kind and default move beside the name. */
export function useLineColumns(
  lines: Connection[],
  session: (line: Connection) => ReactNode,
  onExplain: OnExplain,
  onShowHealth: (line: Connection) => void,
  onShowPace: (line: Connection) => void,
): TableColumn<Connection>[] {
  const words = useTexts(texts)
  const common = useTexts(lineTexts)
  const reasonOf = useLineStatusReason()
  const roomy = useMediaQuery('(min-width: 68.75em)', undefined, { getInitialValueInEffect: false })
  const named = Math.max(minColumnWidthPx, estimateColumnWidth(lines.map(({ name }) => name)))
  // Long names need the width of the kind and default columns.
  const enough = fixedColumnsWidth.wide + named + minQueuesWidth
  const wide = useMediaQuery(`(min-width: ${enough}px)`, undefined, { getInitialValueInEffect: false })
  const free = innerWidth - (wide ? fixedColumnsWidth.wide : fixedColumnsWidth.narrow)
  const columns: (TableColumn<Connection> | false)[] = [
    { key: 'name', head: words.line, cell: (line) => <NameCell line={line} showMarks={!wide} /> },
    wide && {
      key: 'type',
      head: words.type,
      width: 104,
      cell: (line) => <TextWithIcon icon={providerIcons[line.provider]}>{common.provider[line.provider]}</TextWithIcon>,
    },
    {
      key: 'status',
      head: words.status,
      width: wide ? 214 : 184,
      cell: (line) => (
        <StatusCell
          line={line}
          reason={reasonOf(line)}
          onExplain={onExplain}
          onShowHealth={onShowHealth}
          onShowPace={onShowPace}
        />
      ),
    },
    roomy && {
      key: 'queues',
      head: words.queues,
      width: queuesColumnWidth(lines, free - named),
      cell: (line) => <QueuesCell line={line} />,
    },
    { key: 'session', head: words.session, width: 224, cell: session },
    {
      key: 'updated',
      head: words.updated,
      width: 120,
      isLowPriority: true,
      cell: (line) => <span className={classes.when}>{formatShortDayTime(line.updatedAt)}</span>,
    },
    wide && { key: 'default', head: words.isDefault, width: 78, cell: (line) => line.isDefault && <YesMark /> },
  ]
  return columns.filter((column) => column !== false)
}

function NameCell({ line, showMarks }: { line: Connection; showMarks: boolean }) {
  const words = useTexts(texts)
  const name = <ClippedText isStrong>{line.name}</ClippedText>
  const second = [formatPhoneNumber(line.number), showMarks && line.isDefault && words.isDefault]
    .filter(Boolean)
    .join(' · ')
  const Icon = providerIcons[line.provider]
  const both = second ? <TwoLineCell first={name} second={second} /> : name
  if (!showMarks) return both
  return (
    <span className={classes.named}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      {both}
    </span>
  )
}

type OnExplain = ((line: Connection) => void) | undefined

type StatusCellProps = {
  line: Connection
  reason: string
  onExplain: OnExplain
  onShowHealth: (line: Connection) => void
  onShowPace: (line: Connection) => void
}
function StatusCell({ line, reason, onExplain, onShowHealth, onShowPace }: StatusCellProps) {
  const words = useTexts(texts)
  return (
    <span className={classes.status}>
      <LineStatusChip status={line.status} />
      {!reason && <LineHealthMark line={line} onOpen={onShowHealth} />}
      {!reason && <UnreadableMark line={line} />}
      {!reason && !line.unreadableSince && line.lockedUntil && <PaceMeter line={line} onOpen={onShowPace} />}
      {!reason && !line.unreadableSince && !line.lockedUntil && (
        <HistoryImportMeter line={line} fallback={<PaceMeter line={line} onOpen={onShowPace} />} />
      )}
      {reason && !onExplain && (
        <span className={classes.reason} title={reason}>
          {reason}
        </span>
      )}
      {reason && onExplain && (
        <button
          type="button"
          className={classes.reason}
          title={reason}
          aria-label={words.whyOf(line.name, reason)}
          onClick={() => onExplain(line)}
        >
          {reason}
        </button>
      )}
    </span>
  )
}

const joinQueueNames = ({ queues }: Connection): string => queues.map(({ name }) => name).join(', ')

/** Width of the menu and the fixed columns: `wide` with the columns for kind and default, `narrow` without them. */
const fixedColumnsWidth = { wide: 1082, narrow: 870 }
const minQueuesWidth = 168
/** Column width estimated from its longest text. */
const estimateColumnWidth = (texts: string[]): number => 36 + 7.5 * Math.max(0, ...texts.map(({ length }) => length))

/** The width the queues need, limited by the width that the line names leave. */
const queuesColumnWidth = (lines: Connection[], left: number): number =>
  Math.round(Math.min(Math.max(112, estimateColumnWidth(lines.map(joinQueueNames))), Math.max(left, minQueuesWidth)))

function QueuesCell({ line }: { line: Connection }) {
  const words = useTexts(texts)
  if (line.queues.length === 0) return <MutedText>{words.noQueues}</MutedText>
  const names = joinQueueNames(line)
  return (
    <span className={classes.queues} title={names}>
      {names}
    </span>
  )
}

function YesMark() {
  const words = useTexts(texts)
  return (
    <span className={classes.yes}>
      <IconCheck size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.unseen}>{words.yes}</span>
    </span>
  )
}

export function DefaultChip() {
  const words = useTexts(texts)
  return <Chip icon={<IconCheck size={12} stroke={2.25} aria-hidden="true" />}>{words.isDefault}</Chip>
}
