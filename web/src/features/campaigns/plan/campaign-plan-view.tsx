import { Button, NumberInput, Select } from '@mantine/core'
import type { CampaignPlan, CampaignPlanGroup } from '@recado/contract/campaigns/campaigns'
import { maxDaysAhead, type SendingPlan } from '@recado/contract/campaigns/pace'
import { intervalChoices } from '@recado/contract/campaigns/settings'
import type { CostEstimate } from '@recado/contract/money/message-prices'
import { IconArrowBackUp, IconChevronRight, IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { formatDay, formatDayTime, formatNumber } from '../../../lib/format.ts'
import { formatCost } from '../../../lib/money/format-cost.ts'
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
/** Opens the people of a group, with the label of the group's number as the title. */
type OpenPeople = (group: CampaignPlanGroup, title: string) => void

/** In this order: how many people, who is excluded and why, when messages are sent, what they cost. */
export function CampaignPlanView({ plan, sendingPlan, startCampaign, isEditable, hasNoLine }: Props) {
  const words = useTexts(texts)
  const [openGroup, setOpenGroup] = useState<{ group: CampaignPlanGroup; title: string } | null>(null)
  const showPeople: OpenPeople = (group, title) => setOpenGroup({ group, title })
  return (
    <section className={classes.pane} aria-label={words.title} aria-busy={startCampaign.plan.isFetching}>
      <RecipientCount plan={plan} onShowPeople={showPeople} />
      <SkipReasons plan={plan} daysBetween={startCampaign.storedSettings.daysBetween} onShowPeople={showPeople} />
      <PlanTiming
        plan={plan}
        sendingPlan={sendingPlan}
        previousPlan={startCampaign.previousPlan}
        dailyLimit={startCampaign.currentSettings.dailyLimit}
        hasNoLine={hasNoLine}
        onShowPeople={showPeople}
      />
      {plan.cost && plan.gets > 0 && <PlanCost cost={plan.cost} />}
      {isEditable && <PaceControls startCampaign={startCampaign} />}
      {openGroup && (
        <Suspense fallback={null}>
          <PlanPeopleDialog {...openGroup} planQuery={startCampaign.planQuery} onClose={() => setOpenGroup(null)} />
        </Suspense>
      )}
    </section>
  )
}

const skipReasons = ['invalid', 'unknown', 'stopped', 'doubled', 'recent', 'inConversation'] as const

function RecipientCount({
  plan: { gets, total, skipped },
  onShowPeople,
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
            onClick={() => onShowPeople('gets', words.whoGets)}
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
function SkipReasons({ plan: { skipped }, daysBetween, onShowPeople }: ReasonsProps) {
  const words = useTexts(texts)
  const found = skipReasons.filter((kind) => skipped[kind] > 0)
  if (found.length === 0) return null
  return (
    <ul className={classes.reasons}>
      {found.map((kind) => {
        const name = kind === 'recent' ? words.recent(daysBetween) : words.skipped[kind].name
        return (
          <li key={kind}>
            <button
              type="button"
              onClick={() => onShowPeople(kind === 'inConversation' ? 'in-conversation' : kind, name)}
            >
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
  /** The company's own limit per day; 0: none. */
  dailyLimit: number
  hasNoLine: boolean
  onShowPeople: OpenPeople
}
function PlanTiming({ plan, sendingPlan, previousPlan, dailyLimit, hasNoLine, onShowPeople }: WhenProps) {
  const words = useTexts(texts)
  if (plan.gets === 0) return <InlineNotice kind="warn">{words.nobody}</InlineNotice>
  if (!sendingPlan.firstAt) return <InlineNotice kind="warn">{words.never}</InlineNotice>
  const days = previousPlan ? sendingPlan.days.length - previousPlan.days.length : 0
  return (
    <div>
      <div className={classes.head}>
        <h3>{words.when}</h3>
        {days !== 0 && <Chip>{days < 0 ? words.sooner(-days) : words.later(days)}</Chip>}
      </div>
      {hasNoLine && <p className={classes.quiet}>{words.noLine}</p>}
      {plan.basis.lockedUntil && (
        <InlineNotice kind="warn">{words.locked(formatDayTime(plan.basis.lockedUntil))}</InlineNotice>
      )}
      <LineLimitNotice plan={plan} sendingPlan={sendingPlan} dailyLimit={dailyLimit} />
      <PlanDays
        sendingPlan={sendingPlan}
        previousPlan={previousPlan}
        calendar={plan.basis as Parameters<typeof PlanDays>[0]['calendar']}
      />
      {sendingPlan.overLimit > 0 && (
        <button type="button" className={classes.over} onClick={() => onShowPeople('over-limit', words.whoOver)}>
          {words.overLimit(sendingPlan.overLimit, formatNumber(sendingPlan.overLimit))}
          <IconChevronRight size={15} stroke={2} aria-hidden="true" />
        </button>
      )}
      {plan.basis.line.rolling && (
        <p className={classes.quiet}>
          {words.vendorLimit(
            plan.basis.line.rolling.limit,
            formatNumber(plan.basis.line.rolling.limit),
            sendingPlan.days.length,
          )}
        </p>
      )}
      {plan.basis.line.ahead > 0 && <p className={classes.quiet}>{words.ahead(formatNumber(plan.basis.line.ahead))}</p>}
    </div>
  )
}

/** Says when the line's own limit keeps the campaign from finishing within a day, or at all. */
function LineLimitNotice({
  plan,
  sendingPlan: { days, unplanned },
  dailyLimit,
}: Pick<WhenProps, 'plan' | 'sendingPlan' | 'dailyLimit'>) {
  const words = useTexts(texts)
  if (unplanned > 0)
    return <InlineNotice kind="warn">{words.unplanned(unplanned, formatNumber(unplanned), maxDaysAhead)}</InlineNotice>
  const [cap = null] = plan.basis.line.caps
  const isTighterLimit = cap !== null && (dailyLimit === 0 || cap <= dailyLimit)
  if (!isTighterLimit || days.length < 2 || !days.some(({ full }) => full)) return null
  return <InlineNotice kind="warn">{words.lineLimit(cap, formatNumber(cap), days.length)}</InlineNotice>
}

/** What Meta will charge at most. */
function PlanCost({ cost }: { cost: CostEstimate }) {
  const words = useTexts(texts)
  const { amounts, unpriced, listFrom, isExample } = cost
  const price = formatCost(amounts)
  return (
    <div>
      <div className={classes.head}>
        <h3>{words.cost}</h3>
        {price && <Chip>{words.upTo(price)}</Chip>}
      </div>
      <p className={classes.quiet}>
        {[
          words.costLine[cost.category],
          listFrom && words.priceList(formatDay(`${listFrom}T12:00:00`)),
          unpriced > 0 && words.unpriced(unpriced, formatNumber(unpriced)),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {isExample && <p className={classes.quiet}>{words.examplePrices}</p>}
    </div>
  )
}

/** Settings to try out. Starting the campaign saves them for all campaigns, and the text says so. */
function PaceControls({ startCampaign }: { startCampaign: StartCampaign }) {
  const words = useTexts(texts)
  const { currentSettings, storedSettings, hasTriedSettings: isMoved } = startCampaign
  return (
    <div className={classes.levers}>
      <NumberInput
        label={words.dailyLimit}
        description={
          isMoved
            ? words.was(storedSettings.dailyLimit ? formatNumber(storedSettings.dailyLimit) : words.none)
            : words.zeroIsNone
        }
        inputWrapperOrder={['label', 'input', 'description']}
        min={0}
        max={100_000}
        step={50}
        allowDecimal={false}
        value={currentSettings.dailyLimit}
        onChange={(typed) => startCampaign.trySettings({ dailyLimit: Number(typed) || 0 })}
      />
      <Select
        label={words.pace}
        description={words.paceLine}
        inputWrapperOrder={['label', 'input', 'description']}
        allowDeselect={false}
        comboboxProps={{ shadow: 'lg' }}
        data={intervalChoices.map((n) => ({ value: String(n), label: words.seconds(n) }))}
        value={String(currentSettings.messageInterval)}
        onChange={(chosen) => startCampaign.trySettings({ messageInterval: Number(chosen) })}
      />
      {isMoved && (
        <div className={classes.moved}>
          <span>{words.savesSettings}</span>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={15} stroke={2} />}
            onClick={startCampaign.resetSettings}
          >
            {words.putBack}
          </Button>
        </div>
      )}
    </div>
  )
}
