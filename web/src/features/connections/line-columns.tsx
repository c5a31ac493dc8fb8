import { useMediaQuery } from '@mantine/hooks'
import type { Connection } from '@recado/contract/connections'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { phoneNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { providerIcons } from '../../parts/line/line-icons.ts'
import { LineStatus, useLineReason } from '../../parts/line/line-status.tsx'
import { lineTexts } from '../../parts/line/line-texts.ts'
import { Clip, Quiet, TwoLines, WithIcon } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { least } from '../../records/use-columns.ts'
import { Chip } from '../../ui/chip.tsx'
import classes from './connections.module.css'
import { PaceMeter } from './pace-meter.tsx'
import { PastMeter } from './past-meter.tsx'
import { shortDayTime } from './short-day-time.ts'
import { texts } from './texts.ts'

/** The table of spec section 2. Where room runs out, kind and default move beside the name. */
export function useLineColumns(
  lines: Connection[],
  session: (line: Connection) => ReactNode,
  onWhy: OnWhy,
): Column<Connection>[] {
  const words = useTexts(texts)
  const common = useTexts(lineTexts)
  const reasonOf = useLineReason()
  const roomy = useMediaQuery('(min-width: 68.75em)', undefined, { getInitialValueInEffect: false })
  const named = Math.max(least, wideFor(lines.map(({ name }) => name)))
  // Long names need what kind and default would take.
  const enough = taken.wide + named + leastForQueues
  const wide = useMediaQuery(`(min-width: ${enough}px)`, undefined, { getInitialValueInEffect: false })
  const free = innerWidth - (wide ? taken.wide : taken.narrow)
  const columns: (Column<Connection> | false)[] = [
    { key: 'name', head: words.line, cell: (line) => <Name line={line} marks={!wide} /> },
    wide && {
      key: 'type',
      head: words.type,
      width: 104,
      cell: (line) => <WithIcon icon={providerIcons[line.provider]}>{common.provider[line.provider]}</WithIcon>,
    },
    {
      key: 'status',
      head: words.status,
      width: wide ? 214 : 184,
      cell: (line) => <Status line={line} reason={reasonOf(line)} onWhy={onWhy} />,
    },
    roomy && {
      key: 'queues',
      head: words.queues,
      width: roomForQueues(lines, free - named),
      cell: (line) => <Queues line={line} />,
    },
    { key: 'session', head: words.session, width: 224, cell: session },
    {
      key: 'updated',
      head: words.updated,
      width: 120,
      low: true,
      cell: (line) => <span className={classes.when}>{shortDayTime(line.updatedAt)}</span>,
    },
    wide && { key: 'default', head: words.isDefault, width: 78, cell: (line) => line.isDefault && <Yes /> },
  ]
  return columns.filter((column) => column !== false)
}

function Name({ line, marks }: { line: Connection; marks: boolean }) {
  const words = useTexts(texts)
  const name = <Clip strong>{line.name}</Clip>
  const second = [phoneNumber(line.number), marks && line.isDefault && words.isDefault].filter(Boolean).join(' · ')
  const Icon = providerIcons[line.provider]
  const both = second ? <TwoLines first={name} second={second} /> : name
  if (!marks) return both
  return (
    <span className={classes.named}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      {both}
    </span>
  )
}

type OnWhy = ((line: Connection) => void) | undefined

function Status({ line, reason, onWhy }: { line: Connection; reason: string; onWhy: OnWhy }) {
  const words = useTexts(texts)
  return (
    <span className={classes.status}>
      <LineStatus status={line.status} />
      {!reason && <PastMeter line={line} otherwise={<PaceMeter line={line} />} />}
      {reason && !onWhy && (
        <span className={classes.reason} title={reason}>
          {reason}
        </span>
      )}
      {reason && onWhy && (
        <button
          type="button"
          className={classes.reason}
          title={reason}
          aria-label={words.whyOf(line.name, reason)}
          onClick={() => onWhy(line)}
        >
          {reason}
        </button>
      )}
    </span>
  )
}

const queuesOf = ({ queues }: Connection): string => queues.map(({ name }) => name).join(', ')

/** By the menu and the columns of a fixed width, with kind and default and without them. */
const taken = { wide: 1082, narrow: 870 }
const leastForQueues = 168
/** Of a column, as wide as its longest text is likely to be. */
const wideFor = (texts: string[]): number => 36 + 7.5 * Math.max(0, ...texts.map(({ length }) => length))

/** As much as the queues need; where that is too much, what the names of the lines leave them. */
const roomForQueues = (lines: Connection[], left: number): number =>
  Math.round(Math.min(Math.max(112, wideFor(lines.map(queuesOf))), Math.max(left, leastForQueues)))

function Queues({ line }: { line: Connection }) {
  const words = useTexts(texts)
  if (line.queues.length === 0) return <Quiet>{words.noQueues}</Quiet>
  return <Clip>{queuesOf(line)}</Clip>
}

function Yes() {
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
