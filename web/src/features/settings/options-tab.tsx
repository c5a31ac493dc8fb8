import { Select, Skeleton, Switch } from '@mantine/core'
import { type SettingKey, settingDefinitions } from '@recado/contract/settings'
import { useIsSuper } from '../../lib/can.tsx'
import { useSession } from '../../lib/session.tsx'
import { languageNames, useTexts } from '../../lib/texts.ts'
import type { Settings } from '../../parts/use-settings.ts'
import { Chip } from '../../ui/chip.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { listTimeZones } from '../../ui/select-options.ts'
import { AsaasKeyField } from './asaas-key-field.tsx'
import { BreakReasonsField } from './break-reasons-field.tsx'
import { optionTexts } from './option-texts.ts'
import { PlatformOptions } from './platform-options.tsx'
import { RetentionField } from './retention-field.tsx'
import classes from './settings.module.css'
import { StorageUsageRow } from './storage-usage-row.tsx'
import { texts } from './texts.ts'

const optionGroups = {
  service: [
    'userRating',
    'ratingScale',
    'ratingComment',
    'ratingWindow',
    'sendGreetingAccepted',
    'sendMsgTransfTicket',
    'sendGreetingMessageOneQueues',
    'chatBotType',
  ],
  hours: ['scheduleType', 'timezone', 'scheduleLateHours'],
  inbox: ['autoReopenTimeout', 'CheckMsgIsGroup', 'call', 'linkPreviews'],
  people: ['breakReasons', 'awayAfterMinutes'],
  company: ['language', 'campaignsEnabled', 'twoFactor', 'sessionsPerUser'],
  keeping: ['retentionMonths'],
  payments: ['asaas'],
} as const satisfies Record<string, SettingKey[]>
/** On a phone these controls are below their text. */
const wideOptions: SettingKey[] = [
  'ratingScale',
  'ratingWindow',
  'scheduleType',
  'scheduleLateHours',
  'autoReopenTimeout',
  'breakReasons',
  'awayAfterMinutes',
  'language',
  'sessionsPerUser',
  'timezone',
  'retentionMonths',
  'asaas',
]
type OptionGroup = keyof typeof optionGroups

/** Every option has a sentence about its effect; a change is saved at once. */
export function OptionsTab({ settings }: { settings: Settings }) {
  const words = useTexts(optionTexts)
  const page = useTexts(texts)
  const isSuper = useIsSuper()
  if (settings.isError) {
    return <ErrorState title={page.failed} error={settings.error} onRetry={() => void settings.refetch()} />
  }
  return (
    <div className={classes.scroll}>
      <div className={classes.options}>
        {(Object.keys(optionGroups) as OptionGroup[]).map((group) => (
          <section key={group}>
            <h2 className={classes.group}>{words.groups[group]}</h2>
            <ul className={classes.list}>
              {optionGroups[group].map((key) => (
                <li key={key} className={classes.option} data-wide={wideOptions.includes(key) || undefined}>
                  <div className={classes.words}>
                    <OptionName option={key}>{words[key][0]}</OptionName>
                    <span id={`line-${key}`} className={classes.line}>
                      {words[key][1]}
                    </span>
                  </div>
                  <div className={classes.control}>
                    {settings.isPending ? (
                      <Skeleton height={18} width={30} radius={9} />
                    ) : (
                      <OptionControl name={key} settings={settings} />
                    )}
                  </div>
                </li>
              ))}
              {group === 'keeping' && <StorageUsageRow />}
            </ul>
          </section>
        ))}
        {isSuper && <PlatformOptions />}
      </div>
    </div>
  )
}

/** A setting with only one value: shown as a fact, not as a choice. */
const hasSingleValue = (name: SettingKey) =>
  (settingDefinitions[name] as { values?: readonly string[] }).values?.length === 1

/** The name of an option; a click on it toggles the switch. */
function OptionName({ option, children }: { option: SettingKey; children: string | undefined }) {
  if (hasSingleValue(option)) return <span className={classes.name}>{children}</span>
  return (
    <label className={classes.name} htmlFor={`option-${option}`}>
      {children}
    </label>
  )
}

function OptionControl({ name, settings }: { name: SettingKey; settings: Settings }) {
  const words = useTexts(optionTexts)
  const { plan } = useSession()
  const value = settings.getValue(name)
  const save = (next: string | null) => next !== null && void settings.save(name, next, words.saved)
  const labels = { id: `option-${name}`, 'aria-describedby': `line-${name}` }
  if (name === 'asaas') return <AsaasKeyField settings={settings} {...labels} />
  if (name === 'retentionMonths') return <RetentionField settings={settings} {...labels} />
  if (name === 'breakReasons') return <BreakReasonsField settings={settings} {...labels} />
  if (name === 'awayAfterMinutes') {
    const label = (minutes: string) => (minutes === '0' ? words.neverAway : words.afterMinutes(minutes))
    const data = settingDefinitions[name].values.map((one) => ({ value: one, label: label(one) }))
    return <Select {...labels} {...selectProps} w={210} value={value} data={data} onChange={save} />
  }
  if (name === 'timezone') {
    return <Select {...labels} {...selectProps} searchable value={value} data={listTimeZones(value)} onChange={save} />
  }
  if (name === 'language') {
    const data = Object.entries(languageNames).map(([code, label]) => ({ value: code, label }))
    return <Select {...labels} {...selectProps} value={value} data={data} onChange={save} />
  }
  if (name === 'scheduleType') {
    const data = (['disabled', 'queue', 'company'] as const).map((one) => ({ value: one, label: words[one] }))
    return <Select {...labels} {...selectProps} value={value} data={data} onChange={save} />
  }
  if (name === 'sessionsPerUser') {
    const data = settingDefinitions[name].values.map((one) => ({ value: one, label: words.sessions[one] }))
    return <Select {...labels} {...selectProps} value={value} data={data} onChange={save} />
  }
  if (name === 'autoReopenTimeout') {
    const label = (minutes: string) => (minutes === '0' ? words.always : words.within(Number(minutes)))
    const data = settingDefinitions[name].values.map((one) => ({ value: one, label: label(one) }))
    return <Select {...labels} {...selectProps} w={210} value={value} data={data} onChange={save} />
  }
  if (name === 'ratingScale') {
    const data = settingDefinitions[name].values.map((one) => ({ value: one, label: words.scales[one] }))
    return <Select {...labels} {...selectProps} value={value} data={data} onChange={save} />
  }
  if (name === 'ratingWindow' || name === 'scheduleLateHours') {
    const data = settingDefinitions[name].values.map((one) => ({ value: one, label: words.hoursLong(Number(one)) }))
    return <Select {...labels} {...selectProps} w={210} value={value} data={data} onChange={save} />
  }
  if (hasSingleValue(name)) return <Chip isLarge>{words.text}</Chip>
  // Campaigns can always be switched off, but switched on only if the plan includes them.
  const forbidden = name === 'campaignsEnabled' && plan?.useCampaigns === false && value !== 'true'
  const [off, on] = name === 'campaignsEnabled' ? ['false', 'true'] : ['disabled', 'enabled']
  return (
    <Switch
      {...labels}
      size="sm"
      disabled={forbidden}
      checked={value === on}
      onChange={(event) => save((event.currentTarget.checked ? on : off) ?? null)}
    />
  )
}

const selectProps = {
  className: classes.pick ?? '',
  allowDeselect: false,
  comboboxProps: { shadow: 'lg', position: 'bottom-end' },
} as const
