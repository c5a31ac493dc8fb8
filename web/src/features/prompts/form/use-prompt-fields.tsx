import { Autocomplete, Input, NumberInput, Select, Slider, Textarea, TextInput } from '@mantine/core'
import { defaultAiBaseUrl, type Prompt, promptModels, promptTools } from '@recado/contract/ai/prompts'
import type { Queue } from '@recado/contract/queues'
import { isMaskedSecret } from '@recado/contract/settings'
import {
  IconCheck,
  IconCircleCheck,
  IconEar,
  IconKey,
  IconPhoto,
  IconSitemap,
  IconTags,
  IconUserShare,
} from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useSettings } from '../../../parts/use-settings.ts'
import type { FieldSlot, FormField } from '../../../records/fields/field.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { SecretInput } from '../../../ui/secret-input.tsx'
import { filterSelectOptions, toSelectOptions } from '../../../ui/select-options.ts'
import { tokensUsedShare } from '../prompt-state-chip.tsx'
import { texts as listTexts } from '../texts.ts'
import classes from './form.module.css'
import type { PromptFormValues } from './prompt-form-values.ts'
import { texts } from './texts.ts'

type PromptForm = FieldSlot<PromptFormValues>['form']
type FieldProps = { form: PromptForm; error: ReactNode }
const inputOrder: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

export function usePromptFields(
  row: Prompt | null,
  queues: Queue[],
  defaultModel: string,
): FormField<PromptFormValues>[] {
  const words = useTexts(texts)
  const tab = 'instructions'
  const custom = (
    name: keyof PromptFormValues & string,
    label: string,
    render: (slot: FieldSlot<PromptFormValues>) => ReactNode,
    span?: 'half' | 'third',
  ): FormField<PromptFormValues> => ({ kind: 'custom', name, label, tab, render, ...(span && { span }) })
  return [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 100, span: 'half', tab },
    custom('queueId', words.queue, (slot) => <QueueField {...slot} queues={queues} />, 'half'),
    custom('prompt', words.prompt, (slot) => <PromptField {...slot} />),
    custom('model', words.model, (slot) => <ModelField {...slot} defaultModel={defaultModel} />, 'third'),
    { kind: 'number', name: 'maxTokens', label: words.maxTokens, required: true, min: 1, span: 'third', tab },
    { kind: 'number', name: 'maxMessages', label: words.maxMessages, required: true, min: 1, span: 'third', tab },
    custom('temperature', words.temperature, (slot) => <TemperatureField {...slot} />, 'half'),
    custom('apiKey', words.apiKey, (slot) => <KeyField {...slot} storedKey={row?.apiKey ?? ''} />, 'half'),
    custom('baseUrl', words.baseUrl, ({ form, error }) => (
      <TextInput
        label={words.baseUrl}
        description={words.baseUrlHelp}
        inputWrapperOrder={inputOrder}
        placeholder={defaultAiBaseUrl}
        type="url"
        inputMode="url"
        autoComplete="off"
        {...form.getInputProps('baseUrl')}
        error={error}
      />
    )),
    custom('tools', words.tools, (slot) => <ToolsField {...slot} />),
    { kind: 'switch', name: 'forAgents', label: words.forAgents, help: words.forAgentsHelp, tab: 'agents' },
    {
      kind: 'custom',
      name: 'dailyTokens',
      label: words.dailyTokens,
      tab: 'limits',
      render: ({ form, error }) => <LimitField {...{ form, error, row }} />,
    },
  ]
}

function QueueField({ form, error, queues }: FieldProps & { queues: Queue[] }) {
  const words = useTexts(texts)
  const selectedQueue = queues.find(({ id }) => String(id) === form.values.queueId)
  return (
    <Select
      label={words.queue}
      withAsterisk
      description={queues.length === 0 ? words.noQueues : undefined}
      inputWrapperOrder={inputOrder}
      placeholder={words.pickQueue}
      data={toSelectOptions(queues)}
      filter={filterSelectOptions}
      searchable={queues.length > 6}
      allowDeselect={false}
      comboboxProps={{ shadow: 'lg' }}
      leftSection={selectedQueue && <ColorDot color={selectedQueue.color} />}
      {...form.getInputProps('queueId')}
      error={error}
    />
  )
}

/** Spanish, Portuguese and English have about four characters per token. */
const charsPerToken = 4

function PromptField({ form, error }: FieldProps) {
  const words = useTexts(texts)
  const { length } = form.values.prompt
  const id = useId()
  return (
    <div>
      <div className={classes.labelled}>
        <Input.Label required htmlFor={id}>
          {words.prompt}
        </Input.Label>
        <span className={classes.counted}>
          {words.signs(formatNumber(length), formatNumber(Math.ceil(length / charsPerToken)))}
        </span>
      </div>
      <Textarea
        id={id}
        description={words.promptHelp}
        inputWrapperOrder={inputOrder}
        autosize
        minRows={10}
        maxRows={24}
        maxLength={20_000}
        {...form.getInputProps('prompt')}
        error={error}
      />
    </div>
  )
}

function ModelField({ form, error, defaultModel }: FieldProps & { defaultModel: string }) {
  const words = useTexts(texts)
  return (
    <Autocomplete
      label={words.model}
      withAsterisk
      data={[...new Set([defaultModel, ...promptModels])]}
      // All options are shown: the current value must not filter out the others.
      filter={({ options }) => options}
      maxLength={100}
      comboboxProps={{ shadow: 'lg' }}
      {...form.getInputProps('model')}
      error={error}
    />
  )
}

function TemperatureField({ form }: FieldProps) {
  const words = useTexts(texts)
  const { temperature } = form.values
  return (
    <div>
      <div className={classes.labelled}>
        <span className={classes.label}>{words.temperature}</span>
        <span className={classes.figure}>{formatNumber(temperature)}</span>
      </div>
      <Slider
        min={0}
        max={1}
        step={0.1}
        label={null}
        thumbLabel={words.temperature}
        value={temperature}
        onChange={(value) => form.setFieldValue('temperature', Math.round(value * 10) / 10)}
        className={classes.slider ?? ''}
      />
      <p className={classes.help}>{words.temperatureHelp}</p>
    </div>
  )
}

/** The stored key stays a mask; only a newly typed key can be revealed. */
function KeyField({ form, error, storedKey }: FieldProps & { storedKey: string }) {
  const words = useTexts(texts)
  const [isKeyShown, setIsKeyShown] = useState(false)
  const { apiKey } = form.values
  const typed = isMaskedSecret(apiKey) ? '' : apiKey
  return (
    <SecretInput
      label={words.apiKey}
      withAsterisk
      description={storedKey ? words.keyStays : words.keyHelp}
      inputWrapperOrder={inputOrder}
      autoComplete="new-password"
      maxLength={500}
      placeholder={storedKey}
      leftSection={<IconKey size={16} stroke={1.75} aria-hidden="true" />}
      visible={isKeyShown && typed !== ''}
      onVisibilityChange={setIsKeyShown}
      visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': words.showKey, disabled: typed === '' }}
      value={typed}
      onChange={(event) => {
        form.clearFieldError('apiKey')
        form.setFieldValue('apiKey', event.currentTarget.value || storedKey)
      }}
      error={error}
    />
  )
}

const toolIcons = {
  transfer_to_queue: IconSitemap,
  transfer_to_person: IconUserShare,
  set_tag: IconTags,
  end_conversation: IconCircleCheck,
}
const abilityIcons = { canHear: IconEar, canSee: IconPhoto } as const

function ToolsField({ form }: FieldProps) {
  const words = useTexts(texts)
  const { tools } = form.values
  const label = useId()
  return (
    <fieldset className={classes.tools} aria-labelledby={label}>
      <span id={label} className={classes.label}>
        {words.tools}
      </span>
      <div className={classes.chips}>
        {promptTools.map((tool) => {
          const on = tools.includes(tool)
          const next = () =>
            form.setFieldValue(
              'tools',
              promptTools.filter((one) => (one === tool ? !on : tools.includes(one))),
            )
          return (
            <ToolChip key={tool} icon={toolIcons[tool]} isOn={on} onToggle={next}>
              {words.toolNames[tool]}
            </ToolChip>
          )
        })}
        {(['canHear', 'canSee'] as const).map((sense) => (
          <ToolChip
            key={sense}
            icon={abilityIcons[sense]}
            isOn={form.values[sense]}
            onToggle={() => form.setFieldValue(sense, !form.values[sense])}
          >
            {words[sense]}
          </ToolChip>
        ))}
      </div>
    </fieldset>
  )
}

type ChipProps = { icon: typeof IconCheck; isOn: boolean; onToggle: () => void; children: string }
function ToolChip({ icon: Icon, isOn: on, onToggle, children }: ChipProps) {
  return (
    <button type="button" className={classes.chip} aria-pressed={on} onClick={onToggle}>
      <Icon size={16} stroke={1.75} aria-hidden="true" />
      {children}
      {on && <IconCheck size={15} stroke={2} aria-hidden="true" />}
    </button>
  )
}

function LimitField({ form, error, row }: FieldProps & { row: Prompt | null }) {
  const words = useTexts(texts)
  return (
    <div className={classes.limit}>
      <NumberInput
        label={words.dailyTokens}
        description={words.dailyTokensHelp}
        inputWrapperOrder={inputOrder}
        min={0}
        max={1_000_000_000}
        allowDecimal={false}
        size="sm"
        {...form.getInputProps('dailyTokens')}
        error={error}
      />
      {row && <UsedToday row={row} limit={Number(form.values.dailyTokens)} />}
      <SharedLimit />
    </div>
  )
}

/** The limit shared by all prompts is a company setting, saved when the field loses the focus. */
function SharedLimit() {
  const words = useTexts(texts)
  const { getValue, save, isSuccess } = useSettings()
  const [typed, setTyped] = useState<string | number | null>(null)
  const storedKey = getValue('machineDailyTokens')
  const saveTokens = () => {
    const wanted = String(Number(typed ?? storedKey))
    setTyped(null)
    if (wanted !== storedKey) void save('machineDailyTokens', wanted, words.sharedTokensSaved)
  }
  return (
    <NumberInput
      label={words.sharedTokens}
      description={words.sharedTokensHelp}
      inputWrapperOrder={inputOrder}
      min={0}
      max={1_000_000_000}
      allowDecimal={false}
      size="sm"
      disabled={!isSuccess}
      value={typed ?? Number(storedKey)}
      onChange={setTyped}
      onBlur={saveTokens}
    />
  )
}

function UsedToday({ row, limit }: { row: Prompt; limit: number }) {
  const words = useTexts(texts)
  const list = useTexts(listTexts)
  const share = tokensUsedShare({ tokensToday: row.tokensToday, dailyTokens: limit })
  return (
    <div>
      <div className={classes.labelled}>
        <span className={classes.label}>{words.usedToday}</span>
        <span className={classes.counted}>{list.ofTokens(formatNumber(row.tokensToday), formatNumber(limit))}</span>
      </div>
      {limit > 0 && (
        <span className={classes.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      {share === 1 && (
        <div className={classes.reached}>
          <InlineNotice kind="warn">{list.restsWhy}</InlineNotice>
        </div>
      )}
    </div>
  )
}
