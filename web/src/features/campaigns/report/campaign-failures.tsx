import { Button } from '@mantine/core'
import { type Campaign, type CampaignReport, campaignsApi } from '@recado/contract/campaigns/campaigns'
import { IconChevronRight, IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { CountBadge } from '../../../ui/count-badge.tsx'
import { useSendFailureText } from '../shared/use-send-failure-text.ts'
import type { PeopleSelection } from './people-selection.ts'
import classes from './report.module.css'
import { texts } from './texts.ts'

type Props = Pick<CampaignReport, 'failures' | 'skipped'> & {
  campaign: Campaign
  onSelect: (behind: PeopleSelection) => void
}

/** Why some people did not get the campaign: failures, and people excluded from the start. */
export function CampaignFailures({ campaign, failures, skipped, onSelect }: Props) {
  const words = useTexts(texts)
  const failure = useSendFailureText()
  const retry = useMutation({
    mutationFn: (reason: string) => callApi(campaignsApi.retry, { params: { id: campaign.id }, body: { reason } }),
    onSuccess: ({ count }) => toast.ok(words.retried(count, formatNumber(count))),
    onError: (error) => toast.error(error),
  })
  return (
    <section className={classes.card} aria-label={words.failures}>
      <header className={classes.head}>
        <h2>{words.failures}</h2>
        <CountBadge value={campaign.counts.failed} />
      </header>
      {failures.length === 0 && <p className={classes.quiet}>{words.noFailures}</p>}
      <ul className={classes.reasons}>
        {failures.map(({ reason, count, retryable }) => (
          <li key={reason}>
            <FailureRow name={failure(reason)} count={count} onOpen={() => onSelect({ group: 'failed', reason })}>
              {retryable ? words.canRetry : words.cannotRetry}
            </FailureRow>
            {retryable && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconRefresh size={15} stroke={2} />}
                aria-label={words.retryNamed(failure(reason))}
                loading={retry.isPending && retry.variables === reason}
                onClick={() => retry.mutate(reason)}
              >
                {words.retry}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {skipped.length > 0 && (
        <>
          <header className={classes.head}>
            <h2>{words.skippedTitle}</h2>
            <CountBadge value={campaign.counts.skipped} />
          </header>
          <ul className={classes.reasons}>
            {skipped.map(({ reason, count }) => (
              <li key={reason}>
                <FailureRow
                  name={words.skipped[reason]}
                  count={count}
                  onOpen={() => onSelect({ group: 'skipped', reason })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

type ReasonProps = { name: string; count: number; onOpen: () => void; children?: string }
function FailureRow({ name, count, onOpen, children }: ReasonProps) {
  return (
    <button type="button" className={classes.reason} onClick={onOpen}>
      <span>
        {name}
        {children && <small>{children}</small>}
      </span>
      <b>{formatNumber(count)}</b>
      <IconChevronRight size={16} stroke={1.75} aria-hidden="true" />
    </button>
  )
}
