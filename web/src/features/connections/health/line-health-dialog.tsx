import { Modal } from '@mantine/core'
import { type Connection, connectionsApi } from '@recado/contract/connections'
import type { HealthLevel, LineHealth, LineHealthEvent } from '@recado/contract/health/line-health'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { formatDayTime, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from './line-health.module.css'
import { healthDialogTexts } from './line-health-dialog-texts.ts'
import { lineHealthTexts } from './line-health-texts.ts'

type Props = { line: Connection | undefined; opened: boolean; onClose: () => void }

/** What Meta says about an official line: its current state, what to do, and the history of reports. */
export function LineHealthDialog({ line, opened, onClose }: Props) {
  const words = useTexts(healthDialogTexts)
  const phone = useIsPhone()
  return (
    <Modal
      opened={opened && line !== undefined}
      onClose={onClose}
      size={640}
      fullScreen={phone}
      closeButtonProps={{ 'aria-label': words.close }}
      title={line && words.title(line.name)}
    >
      {line && (
        <div className={classes.dialog}>
          {line.health ? <CurrentHealth health={line.health} /> : <p className={classes.quiet}>{words.unknown}</p>}
          <h3 className={classes.heading}>{words.history}</h3>
          <HealthHistory line={line} />
        </div>
      )}
    </Modal>
  )
}

function CurrentHealth({ health }: { health: LineHealth }) {
  const words = useTexts(healthDialogTexts)
  const short = useTexts(lineHealthTexts)
  const { quality, messagingLimit, reachedToday, account, accountUntil, nameDecision } = health
  const advice = [
    account && words.adviceForAccount[account],
    (quality === 'red' || quality === 'yellow') && words.adviceForQuality[quality],
    nameDecision === 'rejected' && words.adviceForName,
  ].filter((one): one is string => typeof one === 'string' && one !== '')
  const limit =
    messagingLimit === null
      ? words.notKnown
      : messagingLimit < 0
        ? words.noLimit
        : words.perDay(formatNumber(reachedToday), formatNumber(messagingLimit))
  return (
    <>
      <dl className={classes.facts}>
        <Fact name={words.quality} value={quality ? short.quality[quality] : words.notKnown} />
        <Fact name={words.limit} value={limit} />
        <Fact name={words.account} value={account ? short.account[account] : words.accountFine} />
        <Fact name={words.displayName} value={nameDecision ? words.names[nameDecision] : words.notKnown} />
      </dl>
      {advice.length > 0 && (
        <InlineNotice kind={health.level === 'bad' ? 'danger' : 'warn'}>
          <strong>{words.whatToDo}</strong>
          <ul className={classes.advice}>
            {advice.map((one) => (
              <li key={one}>{one}</li>
            ))}
            {account && accountUntil && <li>{words.until(formatDayTime(accountUntil))}</li>}
          </ul>
        </InlineNotice>
      )}
    </>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

const iconByLevel: Record<HealthLevel, typeof IconInfoCircle> = {
  good: IconCircleCheck,
  info: IconInfoCircle,
  warn: IconAlertTriangle,
  bad: IconCircleX,
}

function HealthHistory({ line }: { line: Connection }) {
  const words = useTexts(healthDialogTexts)
  const query = useQuery({
    // A report changes the line, so its time is part of the key.
    queryKey: ['line-health', line.id, line.health?.updatedAt],
    queryFn: async ({ signal }) =>
      (await callApi(connectionsApi.health, { params: { id: line.id } }, { signal })).events,
  })
  if (query.isError) return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <p className={classes.quiet}>{words.loading}</p>
  if (query.data.length === 0) return <p className={classes.quiet}>{words.noEvents}</p>
  return (
    <ul className={classes.events}>
      {query.data.map((event) => (
        <HealthEventRow key={event.id} event={event} />
      ))}
    </ul>
  )
}

function HealthEventRow({ event }: { event: LineHealthEvent }) {
  const words = useTexts(healthDialogTexts)
  const { level, at, reason, until } = event
  const Icon = iconByLevel[level]
  const advice = words.adviceForEvent(event)
  return (
    <li className={classes.event} data-level={level}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <div>
        <strong>{words.describeEvent(event)}</strong>
        {advice && <div>{advice}</div>}
        <small>
          {[formatDayTime(at), reason, until && words.until(formatDayTime(until))].filter(Boolean).join(' · ')}
        </small>
      </div>
    </li>
  )
}
