import { Button } from '@mantine/core'
import type { LineStatus as Status } from '@recado/contract/connections'
import type { LineHealth, PlatformHealth } from '@recado/contract/health/health'
import { IconRefresh } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { providerIcons } from '../../parts/line/line-icons.ts'
import { LineStatusChip, useLineStatusReason } from '../../parts/line/line-status-chip.tsx'
import { lineTexts } from '../../parts/line/line-texts.ts'
import { SearchBox } from '../../records/search-box.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import classes from './health.module.css'
import { texts } from './texts.ts'

const statusColors: Record<Status, string> = {
  CONNECTED: 'var(--rc-ok-mark)',
  OPENING: 'var(--rc-petrol-5)',
  PAIRING: 'var(--rc-petrol-4)',
  qrcode: 'var(--rc-warn-mark)',
  TIMEOUT: 'var(--rc-danger-mark)',
  DISCONNECTED: 'var(--rc-danger-mark)',
}

type Props = {
  data: PlatformHealth
  search: string
  onSearch: (text: string) => void
  busyKey: string | null
  onRetry: (id: number) => void
}

export function HealthLines({ data, search, onSearch, busyKey: busy, onRetry }: Props) {
  const words = useTexts(texts)
  const statuses = useTexts(lineTexts)
  const total = data.statuses.reduce((sum, { count }) => sum + count, 0)
  return (
    <section>
      <h2 className={classes.head}>
        {words.lines} <CountBadge value={total} />
      </h2>
      {total > 0 && (
        <>
          <div className={classes.shares} aria-hidden="true">
            {data.statuses.map(({ status, count }) => (
              <span key={status} style={{ flexGrow: count, background: statusColors[status] }} />
            ))}
          </div>
          <p className={classes.legend}>
            {data.statuses.map(({ status, count }) => (
              <span key={status}>
                <i style={{ background: statusColors[status] }} />
                {statuses.status[status]} <strong>{formatNumber(count)}</strong>
              </span>
            ))}
          </p>
          <SearchBox label={words.search} value={search} onChange={onSearch} onClear={() => onSearch('')} />
        </>
      )}
      {total > 0 && data.lines.length === 0 && <p className={classes.quiet}>{words.noneFound}</p>}
      {data.lines.length > 0 && (
        <div className={classes.table}>
          <table>
            <thead>
              <tr>
                {Object.values(words.columns).map((head) => (
                  <th key={head}>{head}</th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {data.lines.map((line) => (
                <LineRow key={line.id} line={line} data={data} isBusy={busy === `line ${line.id}`} onRetry={onRetry} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data.more > 0 && <p className={classes.quiet}>{words.more(data.more)}</p>}
    </section>
  )
}

type RowProps = { line: LineHealth; data: PlatformHealth; isBusy: boolean; onRetry: (id: number) => void }
function LineRow({ line, data, isBusy: busy, onRetry }: RowProps) {
  const words = useTexts(texts)
  const reasonOf = useLineStatusReason()
  const Drawn = providerIcons[line.provider]
  const holder = data.processes.find(({ id }) => id === line.process)
  const waitingTexts = (['outbox', 'events', 'aside', 'failed'] as const).flatMap((kind) =>
    line[kind] > 0 ? words.lineWaits[kind](line[kind]) : [],
  )
  return (
    <tr>
      <td>
        <span className={classes.lineName}>
          <Drawn size={16} stroke={1.75} aria-hidden="true" />
          <strong>{line.name}</strong>
        </span>
      </td>
      <td>{line.company.name}</td>
      <td>
        <LineStatusChip status={line.status} />
        <span className={classes.reason}>{reasonOf(line)}</span>
      </td>
      <td>
        {holder ? `${holder.host}:${holder.pid}` : (line.process?.split(':').slice(0, 2).join(':') ?? words.nowhere)}
      </td>
      <td>{waitingTexts.join(' · ') || <span className={classes.none}>–</span>}</td>
      <td>
        {line.status !== 'CONNECTED' && line.reason !== 'off' && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={15} stroke={1.75} />}
            loading={busy}
            aria-label={`${words.retry}: ${line.name}`}
            onClick={() => onRetry(line.id)}
          >
            {words.retry}
          </Button>
        )}
      </td>
    </tr>
  )
}
