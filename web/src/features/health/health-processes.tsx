import type { PlatformHealth, ProcessHealth } from '@recado/contract/health/health'
import { IconBrowser, IconPlugConnected } from '@tabler/icons-react'
import { formatDayTime, formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import classes from './health.module.css'
import { ShareMeter, Sparkline } from './sparkline-and-meter.tsx'
import { texts } from './texts.ts'

const formatMegabytes = (bytes: number): string => `${formatNumber(Math.round(bytes / 1024 / 1024))} MB`
/** How severe a delay of the event loop is: a quarter of a second is noticeable to all users of the process. */
const lagSeverity = (ms: number) => (ms > 250 ? 'danger' : ms > 50 ? 'warn' : 'ok')
const shareSeverity = (share: number) => (share > 0.9 ? 'danger' : share > 0.7 ? 'warn' : 'ok')

export function HealthProcesses({ data, samples }: { data: PlatformHealth; samples: PlatformHealth[] }) {
  const words = useTexts(texts)
  return (
    <section>
      <h2 className={classes.head}>{words.processes}</h2>
      <ul className={classes.cards}>
        {data.processes.map((one) => (
          <li key={one.id} className={classes.card} data-kind={one.answers ? undefined : 'danger'}>
            <ProcessCard processHealth={one} samples={samples} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProcessCard({ processHealth: one, samples }: { processHealth: ProcessHealth; samples: PlatformHealth[] }) {
  const words = useTexts(texts)
  const lags = samples.flatMap(({ processes }) => processes.find(({ id }) => id === one.id)?.lag ?? [])
  const details = [
    one.version && words.version(one.version),
    one.role && words.roles[one.role],
    one.since && words.since(formatDayTime(one.since)),
  ]
  return (
    <>
      <h3 className={classes.name}>
        <span>
          {one.host}:{one.pid}
        </span>
        {one.here && <StatusChip kind="accent">{words.here}</StatusChip>}
        {!one.answers && <StatusChip kind="danger">{words.silent}</StatusChip>}
      </h3>
      <p className={classes.quiet}>{one.answers ? details.filter(Boolean).join(' · ') : words.silentLine(one.lines)}</p>
      {one.answers && (
        <>
          <ShareMeter
            label={words.memory}
            share={one.memory / Math.max(1, one.machine)}
            valueText={formatMegabytes(one.memory)}
            kind={shareSeverity(one.memory / Math.max(1, one.machine))}
          />
          <ShareMeter
            label={words.busy}
            share={one.busy}
            valueText={`${Math.round(one.busy * 100)} %`}
            kind={shareSeverity(one.busy)}
          />
          <div className={classes.meter} data-kind={lagSeverity(one.lag)}>
            <span>{words.lag}</span>
            <Sparkline values={lags} kind={lagSeverity(one.lag)} />
            <strong>{formatNumber(Math.round(one.lag))} ms</strong>
          </div>
          <p className={classes.facts}>
            <span>
              <IconBrowser size={15} stroke={1.75} aria-hidden="true" />
              {words.sockets(one.sockets)}
            </span>
            <span>
              <IconPlugConnected size={15} stroke={1.75} aria-hidden="true" />
              {words.linesHere(one.lines)}
            </span>
          </p>
        </>
      )}
    </>
  )
}
