import { Button, NativeSelect, NumberInput, Switch, Textarea } from '@mantine/core'
import { type CampaignSettings, intervalChoices, longIntervalChoices } from '@recado/contract/campaigns/settings'
import { defaultKeywordReplies } from '@recado/contract/campaigns/texts'
import { defaultHours } from '@recado/contract/hours/hours'
import { lazy, Suspense, useState } from 'react'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { findInvalidDay } from '../../../parts/hours/week-hours.ts'
import { useLeaveGuard } from '../../../records/use-leave-guard.ts'
import classes from './campaign-config-form.module.css'
import { CampaignVariables } from './campaign-variables.tsx'
import type { CompanyOpeningTimes } from './company-opening-times.ts'
import { findChanges, reapplyChanges } from './reapply-changes.ts'
import { SettingsEffect } from './settings-effect.tsx'
import { texts } from './texts.ts'

// Loaded on demand: most companies have one schedule for everything.
const HoursField = lazy(() =>
  import('../../../parts/hours/hours-field.tsx').then((module) => ({ default: module.HoursField })),
)

type Props = {
  storedSettings: CampaignSettings
  save: (settings: Partial<CampaignSettings>) => Promise<CampaignSettings>
  company: CompanyOpeningTimes
}

export function CampaignConfigForm({ storedSettings, save, company }: Props) {
  const words = useTexts(texts)
  const [{ now, base }, setForm] = useState({ now: storedSettings, base: storedSettings })
  const [busy, setBusy] = useState(false)
  const changes = findChanges(now, base)
  const changed = Object.keys(changes).length > 0
  useLeaveGuard(() => changed)
  const resetForm = (settings: CampaignSettings) => setForm({ now: settings, base: settings })
  // Another user has saved meanwhile: their values are shown, with the local changes on top.
  if (storedSettings !== base && !busy)
    setForm({ now: reapplyChanges(now, base, storedSettings), base: storedSettings })
  const set = (part: Partial<CampaignSettings>) => setForm((before) => ({ ...before, now: { ...before.now, ...part } }))
  const saveForm = async () => {
    const wrong = now.hours && findInvalidDay(now.hours)
    if (wrong) return document.querySelector<HTMLElement>(`[data-day="${wrong}"] input[aria-invalid]`)?.focus()
    setBusy(true)
    try {
      resetForm(await save(changes))
      toast.ok(words.saved)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes.page}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void saveForm()
      }}
    >
      <div className={classes.columns}>
        <div className={classes.groups}>
          <PaceSection settings={now} onChange={set} />
          <WhenSection settings={now} onChange={set} company={company} />
          <SafetySection settings={now} onChange={set} />
          <CampaignVariables value={now.variables} onChange={(variables) => set({ variables })} />
          <KeywordsSection settings={now} onChange={set} />
        </div>
        <SettingsEffect settings={now} storedSettings={storedSettings} company={company} />
      </div>
      <footer className={classes.foot}>
        <Button variant="default" disabled={!changed} onClick={() => resetForm(storedSettings)}>
          {words.putBack}
        </Button>
        <Button type="submit" loading={busy} disabled={!changed}>
          {words.save}
        </Button>
      </footer>
    </form>
  )
}

type SectionProps = { settings: CampaignSettings; onChange: (part: Partial<CampaignSettings>) => void }

function PaceSection({ settings: now, onChange: set }: SectionProps) {
  const words = useTexts(texts)
  return (
    <section className={classes.group}>
      <h2>{words.pace}</h2>
      <div className={classes.three}>
        <NativeSelect
          label={words.messageInterval}
          data={intervalChoices.map((n) => ({ value: String(n), label: words.seconds(n) }))}
          value={String(now.messageInterval)}
          onChange={(event) => set({ messageInterval: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={words.longerIntervalAfter}
          data={longIntervalChoices.map((n) => ({ value: String(n), label: words.messages(n) }))}
          value={String(now.longerIntervalAfter)}
          onChange={(event) => set({ longerIntervalAfter: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={words.greaterInterval}
          disabled={now.longerIntervalAfter === 0}
          data={longIntervalChoices.map((n) => ({ value: String(n), label: words.seconds(n) }))}
          value={String(now.greaterInterval)}
          onChange={(event) => set({ greaterInterval: Number(event.currentTarget.value) })}
        />
      </div>
    </section>
  )
}

function WhenSection({ settings: now, onChange: set, company }: SectionProps & { company: CompanyOpeningTimes }) {
  const words = useTexts(texts)
  return (
    <section className={classes.group}>
      <h2>{words.when}</h2>
      <Switch
        label={words.ownHours}
        description={now.hours ? words.ownHoursLine : words.companyHours}
        checked={now.hours !== null}
        onChange={(event) =>
          set({ hours: event.currentTarget.checked ? (company.week.length ? company.week : defaultHours) : null })
        }
      />
      {now.hours && (
        <Suspense fallback={null}>
          <HoursField value={now.hours} onChange={(hours) => set({ hours })} />
        </Suspense>
      )}
      <Switch
        label={words.daysOff}
        checked={now.daysOff}
        onChange={(event) => set({ daysOff: event.currentTarget.checked })}
      />
    </section>
  )
}

function SafetySection({ settings: now, onChange: set }: SectionProps) {
  const words = useTexts(texts)
  const whole = { min: 0, allowDecimal: false, inputWrapperOrder: ['label', 'input', 'description'] as const }
  const order = { ...whole, inputWrapperOrder: [...whole.inputWrapperOrder] }
  return (
    <section className={classes.group}>
      <h2>{words.care}</h2>
      <div className={classes.three}>
        <NumberInput
          {...order}
          label={words.dailyLimit}
          description={words.dailyLimitLine}
          max={100_000}
          step={50}
          value={now.dailyLimit}
          onChange={(n) => set({ dailyLimit: Number(n) || 0 })}
        />
        <NumberInput
          {...order}
          label={words.stopAfter}
          description={words.stopAfterLine}
          max={1000}
          value={now.stopAfter}
          onChange={(n) => set({ stopAfter: Number(n) || 0 })}
        />
        <NumberInput
          {...order}
          label={words.daysBetween}
          description={words.daysBetweenLine}
          max={365}
          value={now.daysBetween}
          onChange={(n) => set({ daysBetween: Number(n) || 0 })}
        />
      </div>
      <Switch
        label={words.skipOpen}
        checked={now.skipOpen}
        onChange={(event) => set({ skipOpen: event.currentTarget.checked })}
      />
    </section>
  )
}

const keywordLists = ['stopWords', 'startWords', 'yesWords', 'noWords'] as const
const replyFields = ['stopReply', 'startReply'] as const

function KeywordsSection({ settings: now, onChange: set }: SectionProps) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  return (
    <section className={classes.group}>
      <h2>{words.words}</h2>
      <p className={classes.lead}>{words.wordsLine}</p>
      {keywordLists.map((key) => (
        <KeywordList
          key={key}
          label={words.wordLists[key]}
          value={now[key]}
          onChange={(list) => set({ [key]: list })}
        />
      ))}
      {replyFields.map((key) => (
        <Textarea
          key={key}
          label={words.replies[key]}
          maxLength={1000}
          autosize
          minRows={2}
          placeholder={defaultKeywordReplies[language][key]}
          value={now[key]}
          onChange={(event) => set({ [key]: event.currentTarget.value })}
        />
      ))}
    </section>
  )
}

type ListProps = { label: string; value: string[]; onChange: (words: string[]) => void }

/** Edits keywords, one per row, since some contain commas. The typed text is kept until the field loses the focus. */
function KeywordList({ label, value, onChange }: ListProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Textarea
      label={label}
      autosize
      minRows={2}
      maxRows={5}
      value={typed ?? value.join('\n')}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(parseKeywords(event.currentTarget.value))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

const parseKeywords = (typed: string): string[] => [
  ...new Set(
    typed
      .split('\n')
      .map((word) => word.trim().slice(0, 40))
      .filter(Boolean)
      .slice(0, 50),
  ),
]
