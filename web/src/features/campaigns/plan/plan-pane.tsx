import { Button, NumberInput, Select } from '@mantine/core'
import type { CampaignDetail, CampaignPlan } from '@recado/contract/campaigns/campaigns'
import type { Reckoned } from '@recado/contract/campaigns/pace'
import { intervalChoices } from '@recado/contract/campaigns/settings'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useErrorText } from '../../../lib/errors.ts'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { Values } from '../form/values.ts'
import { Days } from './days.tsx'
import classes from './plan.module.css'
import { texts } from './texts.ts'
import type { Starting } from './use-start.ts'

type Props = { row: CampaignDetail | null; values: Values; levers: Starting; editable: boolean }

/** Three questions in this order: how many, who not and why, when. */
export function PlanPane({ row, values, levers, editable }: Props) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const { plan, now } = levers
  const { data } = plan
  if (row && row.startedAt !== null)
    return <div className={classes.pane}>{<p className={classes.quiet}>{words.begun}</p>}</div>
  if (values.contactListId === null && values.tagId === null)
    return (
      <div className={classes.pane}>
        <h2 className={classes.title}>{words.title}</h2>
        <p className={classes.quiet}>{words.noAudience}</p>
      </div>
    )
  if (plan.isError)
    return (
      <div className={classes.pane}>
        <Notice kind="danger">{errorText(plan.error)}</Notice>
      </div>
    )
  if (!data || !now)
    return (
      <div className={classes.pane}>
        <p className={classes.quiet}>{words.counting}</p>
      </div>
    )
  return (
    <section className={classes.pane} aria-label={words.title} aria-busy={plan.isFetching}>
      <Gets plan={data} />
      <Reasons plan={data} daysBetween={levers.stored.daysBetween} />
      <When plan={data} now={now} isMoved={levers.isMoved} noLine={values.whatsappId === null} />
      {editable && <Levers levers={levers} />}
    </section>
  )
}

const kinds = ['invalid', 'unknown', 'stopped', 'doubled', 'recent', 'inConversation'] as const

function Gets({ plan: { gets, total, skipped } }: { plan: CampaignPlan }) {
  const words = useTexts(texts)
  const share = (n: number) => `${total > 0 ? (n / total) * 100 : 0}%`
  return (
    <>
      <div className={classes.gets} role="status">
        <b>{number(gets)}</b>
        <span>
          <strong>{words.getIt(gets)}</strong>
          <small>{gets === total ? words.everybody : words.ofAll(number(total), number(total - gets))}</small>
        </span>
      </div>
      <div className={classes.bar} aria-hidden="true">
        <span data-kind="gets" style={{ width: share(gets) }} />
        {kinds.map(
          (kind) => skipped[kind] > 0 && <span key={kind} data-kind={kind} style={{ width: share(skipped[kind]) }} />,
        )}
      </div>
    </>
  )
}

function Reasons({ plan: { skipped }, daysBetween }: { plan: CampaignPlan; daysBetween: number }) {
  const words = useTexts(texts)
  const found = kinds.filter((kind) => skipped[kind] > 0)
  if (found.length === 0) return null
  return (
    <ul className={classes.reasons}>
      {found.map((kind) => (
        <li key={kind}>
          <i data-kind={kind} aria-hidden="true" />
          <span>{kind === 'recent' ? words.recent(daysBetween) : words.skipped[kind].name}</span>
          <small>{kind === 'recent' ? words.recentLine : words.skipped[kind].line}</small>
          <b>{number(skipped[kind])}</b>
        </li>
      ))}
    </ul>
  )
}

type WhenProps = { plan: CampaignPlan; now: Reckoned; isMoved: boolean; noLine: boolean }
function When({ plan, now, isMoved, noLine }: WhenProps) {
  const words = useTexts(texts)
  if (plan.gets === 0) return <Notice kind="warn">{words.nobody}</Notice>
  if (!now.firstAt) return <Notice kind="warn">{words.never}</Notice>
  const days = now.days.length - plan.days.length
  return (
    <div>
      <div className={classes.head}>
        <h3>{words.when}</h3>
        {isMoved && days !== 0 && <Chip>{days < 0 ? words.sooner(-days) : words.later(days)}</Chip>}
      </div>
      {noLine && <p className={classes.quiet}>{words.noLine}</p>}
      <Days now={now} before={isMoved ? plan.days : null} zone={plan.basis.zone} />
      {now.overLimit > 0 && <p className={classes.quiet}>{words.overLimit(number(now.overLimit))}</p>}
      {plan.basis.line.ahead > 0 && <p className={classes.quiet}>{words.ahead(number(plan.basis.line.ahead))}</p>}
    </div>
  )
}

/** What may be tried; starting keeps it for every campaign, and says so. */
function Levers({ levers }: { levers: Starting }) {
  const words = useTexts(texts)
  const { setting, stored, isMoved } = levers
  return (
    <div className={classes.levers}>
      <NumberInput
        label={words.dailyLimit}
        description={isMoved ? words.was(stored.dailyLimit ? number(stored.dailyLimit) : words.none) : words.zeroIsNone}
        inputWrapperOrder={['label', 'input', 'description']}
        min={0}
        max={100_000}
        step={50}
        allowDecimal={false}
        value={setting.dailyLimit}
        onChange={(typed) => levers.tryWith({ dailyLimit: Number(typed) || 0 })}
      />
      <Select
        label={words.pace}
        description={words.paceLine}
        inputWrapperOrder={['label', 'input', 'description']}
        allowDeselect={false}
        comboboxProps={{ shadow: 'lg' }}
        data={intervalChoices.map((n) => ({ value: String(n), label: words.seconds(n) }))}
        value={String(setting.messageInterval)}
        onChange={(chosen) => levers.tryWith({ messageInterval: Number(chosen) })}
      />
      {isMoved && (
        <div className={classes.moved}>
          <span>{words.savesSettings}</span>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={15} stroke={2} />}
            onClick={levers.putBack}
          >
            {words.putBack}
          </Button>
        </div>
      )}
    </div>
  )
}
