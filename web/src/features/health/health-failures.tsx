import { Button } from '@mantine/core'
import type { FailureKind, PlatformFailure, RetryKind } from '@recado/contract/health/health'
import {
  type Icon,
  IconArchive,
  IconBrandWhatsapp,
  IconCircleCheck,
  IconMailOff,
  IconMessageExclamation,
  IconRefresh,
  IconSettingsExclamation,
  IconWebhook,
} from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { formatDayTime, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { callFailureTexts, describeCallFailure } from '../../parts/integrations/call-failures.ts'
import { FailureReason } from '../../parts/message/bubble/failure-reason.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import classes from './health.module.css'
import { texts } from './texts.ts'

const icons: Record<FailureKind, Icon> = {
  job: IconSettingsExclamation,
  webhook: IconWebhook,
  event: IconMessageExclamation,
  message: IconMailOff,
  backup: IconArchive,
  version: IconBrandWhatsapp,
}

type Props = { failures: PlatformFailure[]; busyKey: string | null; onRetry: (kind: RetryKind, id: number) => void }

export function HealthFailures({ failures, busyKey, onRetry }: Props) {
  const words = useTexts(texts)
  return (
    <section>
      <h2 className={classes.head}>
        {words.failures} {failures.length > 0 && <CountBadge value={failures.length} kind="warn" />}
      </h2>
      {failures.length === 0 ? (
        <p className={classes.well}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden="true" />
          {words.noFailures}
        </p>
      ) : (
        <ul className={classes.list}>
          {failures.map((one) => {
            const key = `${one.kind} ${one.id} ${one.code}`
            const Drawn = icons[one.kind]
            const failureText = words.failure[one.kind](one.count, one.name)
            const details = [
              one.company?.name,
              one.kind !== 'backup' && formatDayTime(one.at),
              <FailureCause key="why" failure={one} />,
              one.nextAt && words.nextAt(formatTime(one.nextAt)),
            ].filter(Boolean)
            return (
              <li key={key}>
                <Drawn size={20} stroke={1.75} aria-hidden="true" />
                <span className={classes.grow}>
                  <span className={classes.strong}>{failureText}</span>
                  <span className={classes.quiet}>{joinWithDots(details)}</span>
                </span>
                {one.canRetry && (
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<IconRefresh size={15} stroke={1.75} />}
                    loading={busyKey === `${one.kind} ${one.id}`}
                    aria-label={`${words.retry}: ${one.name}`}
                    onClick={() => onRetry(one.kind as RetryKind, one.id)}
                  >
                    {words.retry}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/**
 * The cause of a failure: known codes have a text, unknown codes are shown as they are, and failures without a code are
 * in the log.
 */
function FailureCause({ failure: { kind, code } }: { failure: PlatformFailure }) {
  const words = useTexts(texts)
  const troubles = useTexts(callFailureTexts)
  if (!code) return words.inLog
  if (kind === 'webhook') return describeCallFailure(troubles, code)
  return kind === 'message' ? <FailureReason error={code} /> : code
}

const joinWithDots = (parts: ReactNode[]): ReactNode =>
  parts.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they stand in their order
    <Fragment key={i}>
      {i > 0 && ' · '}
      {part}
    </Fragment>
  ))
