import { Button, NumberInput, Select } from '@mantine/core'
import type { CampaignPlan, CampaignPlanGroup } from '@recado/contract/campaigns/campaigns'
import type { SendingPlan } from '@recado/contract/campaigns/pace'
import { intervalChoices } from '@recado/contract/campaigns/settings'
import { IconArrowBackUp, IconChevronRight, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Chip } from '../../../ui/chip.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import classes from './campaign-plan-view.module.css'
import { PlanDays } from './plan-days.tsx'
import { texts } from './texts.ts'
import type { StartCampaign } from './use-start-campaign.ts'

const PlanPeopleDialog = lazy(() =>
  import('./plan-people-dialog.tsx').then((module) => ({ default: module.PlanPeopleDialog })),
)

type Props = {
  plan: CampaignPlan
  sendingPlan: SendingPlan
  startCampaign: StartCampaign
  isEditable: boolean
  hasNoLine: boolean
}
/** Requests the people of a group, with the label of its number. */
type OpenPeople = (group: CampaignPlanGroup, title: string) => void

/** Three sections in this order: how many, who is excluded and why, when. */
export function CampaignPlanView({
  plan,
  sendingPlan: now,
  startCampaign: levers,
  isEditable: editable,
  hasNoLine: noLine,
}: Props) {
  const words = useTexts(texts)
  const [behind, setBehind] = useState<{ group: CampaignPlanGroup; title: string } | null>(null)
  const ask: OpenPeople = (group, title) => setBehind({ group, title })
  return (
    <section className={classes.pane} aria-label={words.title} aria-busy={levers.plan.isFetching}>
      <RecipientCount plan={plan} onShowPeople={ask} />
      <SkipReasons plan={plan} daysBetween={levers.storedSettings.daysBetween} onShowPeople={ask} />
      <PlanTiming
        plan={plan}
        sendingPlan={now}
        previousPlan={levers.previousPlan}
        hasNoLine={noLine}
        onShowPeople={ask}
      />
      {editable && <PaceControls startCampaign={levers} />}
      {behind && (
        <Suspense fallback={null}>
          <PlanPeopleDialog {...behind} planQuery={levers.planQuery} onClose={() => setBehind(null)} />
        </Suspense>
      )}
    </section>
  )
}

const skipReasons = ['invalid', 'unknown', 'stopped', 'doubled', 'recent', 'inConversation'] as const

function RecipientCount({
  plan: { gets, total, skipped },
  onShowPeople: onAsk,
}: {
  plan: CampaignPlan
  onShowPeople: OpenPeople
}) {
  const words = useTexts(texts)
  const share = (n: number) => `${total > 0 ? (n / total) * 100 : 0}%`
  return (
    <>
      <div className={classes.gets}>
        <div role="status">
          <b>{formatNumber(gets)}</b>
          <span>
            <strong>{words.getIt(gets)}</strong>
            <small>
              {gets === total ? words.everybody : words.ofAll(formatNumber(total), formatNumber(total - gets))}
            </small>
          </span>
        </div>
        {gets > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUsers size={15} stroke={1.75} />}
            onClick={() => onAsk('gets', words.whoGets)}
          >
            {words.seePeople}
          </Button>
        )}
      </div>
      <div className={classes.bar} aria-hidden="true">
        <span data-kind="gets" style={{ width: share(gets) }} />
        {skipReasons.map(
          (kind) => skipped[kind] > 0 && <span key={kind} data-kind={kind} style={{ width: share(skipped[kind]) }} />,
        )}
      </div>
    </>
  )
}

type ReasonsProps = { plan: CampaignPlan; daysBetween: number; onShowPeople: OpenPeople }
function SkipReasons({ plan: { skipped }, daysBetween, onShowPeople: onAsk }: ReasonsProps) {
  const words = useTexts(texts)
  const found = skipReasons.filter((kind) => skipped[kind] > 0)
  if (found.length === 0) return null
  return (
    <ul className={classes.reasons}>
      {found.map((kind) => {
        const name = kind === 'recent' ? words.recent(daysBetween) : words.skipped[kind].name
        return (
          <li key={kind}>
            <button type="button" onClick={() => onAsk(kind === 'inConversation' ? 'in-conversation' : kind, name)}>
              <i data-kind={kind} aria-hidden="true" />
              <span>{name}</span>
              <small>{kind === 'recent' ? words.recentLine : words.skipped[kind].line}</small>
              <b>{formatNumber(skipped[kind])}</b>
              <IconChevronRight size={15} stroke={2} aria-hidden="true" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

type WhenProps = {
  plan: CampaignPlan
  sendingPlan: SendingPlan
  previousPlan: SendingPlan | null
  hasNoLine: boolean
  onShowPeople: OpenPeople
}
function PlanTiming({
  plan,
  sendingPlan: now,
  previousPlan: before,
  hasNoLine: noLine,
  onShowPeople: onAsk,
}: WhenProps) {
  const words = useTexts(texts)
  if (plan.gets === 0) return <InlineNotice kind="warn">{words.nobody}</InlineNotice>
  if (!now.firstAt) return <InlineNotice kind="warn">{words.never}</InlineNotice>
  const days = before ? now.days.length - before.days.length : 0
  return (
    <div>
      <div className={classes.head}>
        <h3>{words.when}</h3>
        {days !== 0 && <Chip>{days < 0 ? words.sooner(-days) : words.later(days)}</Chip>}
      </div>
      {noLine && <p className={classes.quiet}>{words.noLine}</p>}
      <PlanDays
        sendingPlan={now}
        previousPlan={before}
        calendar={plan.basis as Parameters<typeof PlanDays>[0]['calendar']}
      />
      {now.overLimit > 0 && (
        <button type="button" className={classes.over} onClick={() => onAsk('over-limit', words.whoOver)}>
          {words.overLimit(now.overLimit, formatNumber(now.overLimit))}
          <IconChevronRight size={15} stroke={2} aria-hidden="true" />
        </button>
      )}
      {plan.basis.line.ahead > 0 && <p className={classes.quiet}>{words.ahead(formatNumber(plan.basis.line.ahead))}</p>}
    </div>
  )
}

/** Settings to try out; starting saves them for all campaigns, and the text says so. */
function PaceControls({ startCampaign: levers }: { startCampaign: StartCampaign }) {
  const words = useTexts(texts)
  const { currentSettings: setting, storedSettings: stored, hasTriedSettings: isMoved } = levers
  return (
    <div className={classes.levers}>
      <NumberInput
        label={words.dailyLimit}
        description={
          isMoved ? words.was(stored.dailyLimit ? formatNumber(stored.dailyLimit) : words.none) : words.zeroIsNone
        }
        inputWrapperOrder={['label', 'input', 'description']}
        min={0}
        max={100_000}
        step={50}
        allowDecimal={false}
        value={setting.dailyLimit}
        onChange={(typed) => levers.trySettings({ dailyLimit: Number(typed) || 0 })}
      />
      <Select
        label={words.pace}
        description={words.paceLine}
        inputWrapperOrder={['label', 'input', 'description']}
        allowDeselect={false}
        comboboxProps={{ shadow: 'lg' }}
        data={intervalChoices.map((n) => ({ value: String(n), label: words.seconds(n) }))}
        value={String(setting.messageInterval)}
        onChange={(chosen) => levers.trySettings({ messageInterval: Number(chosen) })}
      />
      {isMoved && (
        <div className={classes.moved}>
          <span>{words.savesSettings}</span>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={15} stroke={2} />}
            onClick={levers.resetSettings}
          >
            {words.putBack}
          </Button>
        </div>
      )}
    </div>
  )
}
