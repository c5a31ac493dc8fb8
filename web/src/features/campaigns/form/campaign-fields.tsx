import { SegmentedControl, Select, Switch, Tabs, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { CampaignDetail } from '@recado/contract/campaigns/campaigns'
import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { campaignVariableNames, campaignVariables, findUnknownVariables } from '@recado/contract/campaigns/texts'
import type { Connection } from '@recado/contract/connections'
import { filesApi } from '@recado/contract/files'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { MessageField } from '../../../parts/message-field.tsx'
import { refetchOnOpen, useTags } from '../../../parts/select-option-queries.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import { FileField } from '../../../records/fields/file-field.tsx'
import { MomentInput } from '../../../records/fields/moment-input.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { filterSelectOptions, toSelectOptions } from '../../../ui/select-options.ts'
import { FieldError } from '../../../ui/text-field.tsx'
import type { CampaignFormValues } from './campaign-form-values.ts'
import classes from './form.module.css'
import type { SelectedText } from './selected-text.ts'
import { texts } from './texts.ts'

const CampaignTemplateFields = lazy(() =>
  import('./campaign-template-fields.tsx').then((module) => ({ default: module.CampaignTemplateFields })),
)

type CampaignForm = UseFormReturnType<CampaignFormValues>
type Props = {
  form: CampaignForm
  lines: Connection[]
  zone: string
  settings: CampaignSettings
  editable: CampaignDetail['editable']
  /** The campaign's line uses the official API, which allows free text only to customers who wrote recently. */
  isOfficialApi: boolean
  selectedText: SelectedText
  onSelectText: (selectedText: SelectedText) => void
  progress: Record<string, number>
}

export function CampaignFields(props: Props) {
  const words = useTexts(texts)
  const { form, lines, zone, editable, isOfficialApi, progress } = props
  const isFullyEditable = editable === 'all'
  const errorOf = (name: keyof CampaignFormValues) => form.errors[name] && <FieldError>{form.errors[name]}</FieldError>
  return (
    <>
      <div data-field="name">
        <TextInput
          label={words.name}
          withAsterisk
          maxLength={50}
          autoComplete="off"
          readOnly={!isFullyEditable}
          {...form.getInputProps('name')}
          error={errorOf('name')}
        />
      </div>
      <AudienceFields form={form} disabled={!isFullyEditable} />
      <div className={classes.two}>
        <div data-field="whatsappId">
          <PickField
            label={words.line}
            required
            disabled={editable === 'nothing' || (!isFullyEditable && form.values.whatsappId !== null)}
            data={toSelectOptions(lines)}
            value={form.values.whatsappId}
            error={errorOf('whatsappId')}
            help={lineHelp(lines, form.values.whatsappId, words)}
            onChange={(id) => form.setFieldValue('whatsappId', id)}
          />
        </div>
        <div data-field="scheduledAt">
          <MomentInput
            kind="time"
            label={words.when}
            readOnly={!isFullyEditable}
            description={form.values.scheduledAt ? words.inZone(zone) : words.nowIfEmpty}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            error={errorOf('scheduledAt')}
            value={form.values.scheduledAt}
            onChange={(moment) => form.setFieldValue('scheduledAt', moment)}
          />
        </div>
      </div>
      {isOfficialApi ? (
        <>
          <InlineNotice kind="info">{words.officialLine}</InlineNotice>
          <Suspense fallback={null}>
            <CampaignTemplateFields
              whatsappId={Number(form.values.whatsappId)}
              value={form.values.template}
              readOnly={editable === 'nothing'}
              onChange={(template) => form.setFieldValue('template', template)}
            />
          </Suspense>
        </>
      ) : (
        <TextTabs {...props} />
      )}
      <div data-field="media">
        {editable === 'nothing' ? (
          <TextInput
            label={words.attachment}
            readOnly
            value={form.values.media.stored?.name ?? ''}
            placeholder={words.noFiles}
          />
        ) : (
          <FileField
            label={words.attachment}
            accept=""
            accepted=""
            value={form.values.media}
            uploadedShare={progress.media}
            error={errorOf('media')}
            onChange={(media) => form.setFieldValue('media', media)}
          />
        )}
      </div>
      <OptionalFields form={form} disabled={!isFullyEditable} />
      <Switch
        label={words.confirmation}
        description={words.confirmationLine}
        disabled={!isFullyEditable || isOfficialApi}
        checked={form.values.confirmation && !isOfficialApi}
        onChange={(event) => form.setFieldValue('confirmation', event.currentTarget.checked)}
      />
    </>
  )
}

const lineHelp = (lines: Connection[], id: string | null, words: (typeof texts)['es']) => {
  const line = lines.find((one) => String(one.id) === id)
  return line && line.status !== 'CONNECTED' ? words.lineDown : undefined
}

type PickProps = {
  label: string
  data: { value: string; label: string }[]
  value: string | null
  onChange: (value: string | null) => void
  required?: boolean
  disabled?: boolean
  error?: React.ReactNode
  help?: string | undefined
  placeholder?: string
}
function PickField({ help, required, ...props }: PickProps) {
  const words = useTexts(texts)
  return (
    <Select
      {...props}
      withAsterisk={required ?? false}
      description={help}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      searchable={props.data.length > 6}
      filter={filterSelectOptions}
      clearable={!required}
      clearButtonProps={{ 'aria-label': words.clear(props.label) }}
      allowDeselect={false}
      comboboxProps={{ shadow: 'lg' }}
    />
  )
}

function AudienceFields({ form, disabled }: { form: CampaignForm; disabled: boolean }) {
  const words = useTexts(texts)
  const lists = useQuery({
    queryKey: ['contact-lists', 'all'],
    queryFn: ({ signal }) => callApi(contactListsApi.all, {}, { signal }),
    ...refetchOnOpen,
  })
  const tags = useTags()
  return (
    <div className={classes.two}>
      <div data-field="contactListId">
        <PickField
          label={words.list}
          disabled={disabled}
          data={toSelectOptions(lists.data ?? [])}
          value={form.values.contactListId}
          help={lists.data?.length === 0 ? words.noLists : undefined}
          onChange={(id) => form.setFieldValue('contactListId', id)}
        />
      </div>
      <div data-field="tagId">
        <PickField
          label={words.tag}
          disabled={disabled}
          data={toSelectOptions(tags.data ?? [])}
          value={form.values.tagId}
          placeholder={words.noTag}
          onChange={(id) => form.setFieldValue('tagId', id)}
        />
      </div>
    </div>
  )
}

function OptionalFields({ form, disabled }: { form: CampaignForm; disabled: boolean }) {
  const words = useTexts(texts)
  const queues = useQueues()
  const files = useQuery({
    queryKey: ['files', 'all'],
    queryFn: ({ signal }) => callApi(filesApi.list, { query: {} }, { signal }),
    ...refetchOnOpen,
  })
  return (
    <div className={classes.two}>
      <PickField
        label={words.queue}
        disabled={disabled}
        data={toSelectOptions(queues.data ?? [])}
        value={form.values.queueId}
        placeholder={words.usualQueue}
        onChange={(id) => form.setFieldValue('queueId', id)}
      />
      <PickField
        label={words.fileList}
        disabled={disabled}
        data={toSelectOptions(files.data?.files ?? [])}
        value={form.values.fileListId}
        placeholder={words.noFiles}
        onChange={(id) => form.setFieldValue('fileListId', id)}
      />
    </div>
  )
}

const textNumbers = [1, 2, 3, 4, 5] as const

function TextTabs({ form, settings, editable, selectedText, onSelectText }: Props) {
  const words = useTexts(texts)
  const readOnly = editable === 'nothing'
  const kind = form.values.confirmation ? selectedText.kind : 'message'
  const keyOf = (n: number) =>
    `${kind === 'message' ? 'message' : 'confirmationMessage'}${n}` as keyof CampaignFormValues & `message${1}`
  const [language] = useLanguage()
  const names = campaignVariableNames[language]
  const variableOptions = [
    ...campaignVariables.map((key) => ({ text: `{${names[key]}}`, label: words.variables[key] })),
    ...settings.variables.map(({ key }) => ({ text: `{${key}}`, label: key })),
  ]
  const unknown = findUnknownVariables(String(form.values[keyOf(selectedText.n)]), settings.variables)
  return (
    <div data-field={keyOf(selectedText.n)}>
      {form.values.confirmation && (
        <SegmentedControl
          fullWidth
          mb="sm"
          aria-label={words.texts}
          data={[
            { value: 'confirmation', label: words.question },
            { value: 'message', label: words.message },
          ]}
          value={kind}
          onChange={(next) => onSelectText({ kind: next as SelectedText['kind'], n: 1 })}
        />
      )}
      <Tabs value={String(selectedText.n)} onChange={(n) => onSelectText({ kind, n: Number(n) })} keepMounted={false}>
        <Tabs.List mb="sm" aria-label={words.texts}>
          {textNumbers.map((n) => (
            <Tabs.Tab key={n} value={String(n)} data-empty={form.values[keyOf(n)] === '' || undefined}>
              {n === selectedText.n ? words.nth(n) : n}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {textNumbers.map((n) => (
          <Tabs.Panel key={n} value={String(n)}>
            <MessageField
              label={kind === 'message' ? words.nth(n) : words.nthQuestion(n)}
              limit={4096}
              rows={5}
              readOnly={readOnly}
              ownVariables={variableOptions}
              help={words.random}
              error={form.errors[keyOf(n)] && <FieldError>{form.errors[keyOf(n)]}</FieldError>}
              value={String(form.values[keyOf(n)])}
              onChange={(text) => form.setFieldValue(keyOf(n), text)}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
      {unknown.length > 0 && (
        <p className={classes.wrong} role="status">
          {words.unknown(unknown.map((key) => `{${key}}`).join(', '))}
        </p>
      )}
    </div>
  )
}
