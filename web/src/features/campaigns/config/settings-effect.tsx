import { planSending, sendingCalendar } from '@recado/contract/campaigns/pace'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { toWallTime } from '@recado/contract/schedules/occurrences'
import { useMemo, useState } from 'react'
import { formatDayIn, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { PlanDays } from '../plan/plan-days.tsx'
import classes from './campaign-config-form.module.css'
import type { CompanyOpeningTimes } from './company-opening-times.ts'
import { texts } from './texts.ts'

type Props = { settings: CampaignSettings; storedSettings: CampaignSettings; company: CompanyOpeningTimes }

const sampleRecipients = 1000
const unlimitedLine = { perMinute: null, caps: [null], sentToday: 0, ahead: 0 }

/** The effect of these settings on a list of a thousand people that starts now, on a line without its own limits. */
export function SettingsEffect({ settings, storedSettings, company }: Props) {
  const words = useTexts(texts)
  const [from] = useState(() => new Date())
  const calculatePlan = (of: CampaignSettings) =>
    planSending({
      count: sampleRecipients,
      from,
      calendar: sendingCalendar(of, company),
      pace: of,
      dailyLimit: of.dailyLimit,
      line: unlimitedLine,
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: reckoned from these alone
  const [now, before] = useMemo(
    () => [calculatePlan(settings), calculatePlan(storedSettings)],
    [settings, storedSettings, company],
  )
  const calendar = useMemo(() => sendingCalendar(settings, company), [settings, company])
  const isSame = JSON.stringify(now) === JSON.stringify(before)
  return (
    <aside className={classes.effect} aria-label={words.effect(formatNumber(sampleRecipients))}>
      <h2>{words.effect(formatNumber(sampleRecipients))}</h2>
      {now.lastAt && now.firstAt ? (
        <>
          <p role="status">
            <strong>
              {words.ends(
                `${formatDayIn(now.lastAt, company.zone)} ${toWallTime(new Date(now.lastAt), company.zone).slice(11)}`,
              )}
            </strong>
            <span>{words.takes(now.days.length)}</span>
          </p>
          <PlanDays sendingPlan={now} previousPlan={isSame ? null : before} calendar={calendar} />
        </>
      ) : (
        <p role="status">{words.never}</p>
      )}
      <p className={classes.lead}>{words.effectLine}</p>
    </aside>
  )
}
