import { Button } from '@mantine/core'
import type { Failure, FailureKind, RetryKind } from '@recado/contract/health/health'
import {
  type Icon,
  IconArchive,
  IconCircleCheck,
  IconMailOff,
  IconMessageExclamation,
  IconRefresh,
  IconSettingsExclamation,
  IconWebhook,
} from '@tabler/icons-react'
import { dayTime, time } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { Count } from '../../ui/count.tsx'
import classes from './health.module.css'
import { texts } from './texts.ts'

const icons: Record<FailureKind, Icon> = {
  job: IconSettingsExclamation,
  webhook: IconWebhook,
  event: IconMessageExclamation,
  message: IconMailOff,
  backup: IconArchive,
}

type Props = { failures: Failure[]; busy: string | null; onRetry: (kind: RetryKind, id: number) => void }

export function Failures({ failures, busy, onRetry }: Props) {
  const words = useTexts(texts)
  return (
    <section>
      <h2 className={classes.head}>
        {words.failures} {failures.length > 0 && <Count value={failures.length} kind="warn" />}
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
            const said = words.failure[one.kind](one.count, one.name)
            const more = [
              one.company?.name,
              one.kind !== 'backup' && dayTime(one.at),
              one.code || words.inLog,
              one.nextAt && words.nextAt(time(one.nextAt)),
            ]
            return (
              <li key={key}>
                <Drawn size={20} stroke={1.75} aria-hidden="true" />
                <span className={classes.grow}>
                  <span className={classes.strong}>{said}</span>
                  <span className={classes.quiet}>{more.filter(Boolean).join(' · ')}</span>
                </span>
                {one.canRetry && (
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<IconRefresh size={15} stroke={1.75} />}
                    loading={busy === `${one.kind} ${one.id}`}
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
