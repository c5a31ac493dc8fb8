import { ActionIcon, Button, Input, Textarea, TextInput, Tooltip } from '@mantine/core'
import {
  type Integration,
  type IntegrationTestReply,
  integrationLanguages,
  integrationToolsApi,
  integrationTypes,
} from '@recado/contract/integrations/integrations'
import { isMaskedSecret } from '@recado/contract/settings'
import { IconAlertCircle, IconCheck, IconCircleCheck, IconCopy, IconKey, IconPlayerPlay } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { callFailureTexts, describeCallFailure } from '../../parts/integrations/call-failures.ts'
import type { FieldSlot, FormField } from '../../records/fields/field.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { useCopyText } from '../../ui/use-copy-text.ts'
import {
  hasSigningSecret,
  hasUrlField,
  type IntegrationFormValues,
  toIntegrationBody,
} from './integration-form-values.ts'
import { formatCallDuration } from './integration-health-cell.tsx'
import { IntegrationIcon } from './integration-icon.tsx'
import classes from './integrations.module.css'
import { testIntegrationDraft } from './test-integration.ts'
import { texts } from './texts.ts'

type FieldProps = { form: FieldSlot<IntegrationFormValues>['form']; error: ReactNode }
const inputOrder: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

export function useIntegrationFields(row: Integration | null): FormField<IntegrationFormValues>[] {
  const words = useTexts(texts)
  const ofTypebot = { when: ({ type }: IntegrationFormValues) => type === 'typebot' }
  const ofDialogflow = { when: ({ type }: IntegrationFormValues) => type === 'dialogflow' }
  return [
    {
      kind: 'custom',
      name: 'type',
      label: words.type,
      render: (slot) => <TypeField {...slot} isFixed={row !== null} />,
    },
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    {
      kind: 'custom',
      name: 'urlN8N',
      label: words.url,
      when: ({ type }) => hasUrlField(type),
      render: ({ form, error }) => (
        <TextInput
          label={words.url}
          withAsterisk
          description={hasSigningSecret(form.values.type) ? words.urlHelp : words.typebotUrlHelp}
          inputWrapperOrder={inputOrder}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={500}
          className={classes.mono ?? ''}
          {...form.getInputProps('urlN8N')}
          error={error}
        />
      ),
    },
    { kind: 'text', name: 'typebotSlug', label: words.slug, required: true, maxLength: 200, ...ofTypebot },
    {
      kind: 'number',
      name: 'typebotExpires',
      label: words.expires,
      help: words.expiresHelp,
      max: 525_600,
      span: 'half',
      ...ofTypebot,
    },
    {
      kind: 'number',
      name: 'typebotDelayMessage',
      label: words.delay,
      help: words.delayHelp,
      max: 60_000,
      span: 'half',
      ...ofTypebot,
    },
    { kind: 'text', name: 'typebotKeywordFinish', label: words.finish, maxLength: 100, span: 'half', ...ofTypebot },
    { kind: 'text', name: 'typebotKeywordRestart', label: words.restart, maxLength: 100, span: 'half', ...ofTypebot },
    { kind: 'textarea', name: 'typebotUnknownMessage', label: words.unknown, rows: 1, limit: 4096, ...ofTypebot },
    { kind: 'textarea', name: 'typebotRestartMessage', label: words.restarted, rows: 1, limit: 4096, ...ofTypebot },
    { kind: 'text', name: 'projectName', label: words.project, required: true, maxLength: 200, ...ofDialogflow },
    {
      kind: 'select',
      name: 'language',
      label: words.language,
      options: integrationLanguages.map((value) => ({ value, label: words.languages[value] })),
      ...ofDialogflow,
    },
    {
      kind: 'custom',
      name: 'jsonContent',
      label: words.json,
      ...ofDialogflow,
      render: (slot) => <CredentialsField {...slot} storedName={row?.jsonContent ?? ''} />,
    },
    {
      kind: 'custom',
      name: 'secret',
      label: words.secret,
      when: ({ type }) => hasSigningSecret(type),
      render: () => <SecretField id={row?.id} />,
    },
    { kind: 'custom', name: 'test', label: words.test, render: (slot) => <TestField {...slot} id={row?.id} /> },
  ]
}

/** The type cannot be changed after saving: queues and calls depend on it. */
function TypeField({ form, isFixed }: FieldProps & { isFixed: boolean }) {
  const words = useTexts(texts)
  const name = useId()
  return (
    <fieldset className={classes.types}>
      <Input.Label component="legend" className={classes.legend ?? ''}>
        {words.type}
      </Input.Label>
      <div className={classes.tiles}>
        {integrationTypes.map((type) => (
          <label key={type} className={classes.tile} data-chosen={type === form.values.type || undefined}>
            <input
              type="radio"
              name={name}
              checked={type === form.values.type}
              disabled={isFixed}
              onChange={() => {
                form.clearErrors()
                form.setFieldValue('type', type)
              }}
            />
            <IntegrationIcon type={type} size={26} />
            {words.types[type]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Credentials are write-only: a mask shows that they are stored. */
function CredentialsField({ form, error, storedName }: FieldProps & { storedName: string }) {
  const words = useTexts(texts)
  const { jsonContent } = form.values
  return (
    <Textarea
      label={words.json}
      withAsterisk
      description={storedName ? words.jsonStays : words.jsonHelp}
      inputWrapperOrder={inputOrder}
      rows={5}
      maxLength={20_000}
      autoComplete="off"
      spellCheck={false}
      className={classes.mono ?? ''}
      placeholder={storedName}
      value={isMaskedSecret(jsonContent) ? '' : jsonContent}
      onChange={(event) => {
        form.clearFieldError('jsonContent')
        form.setFieldValue('jsonContent', event.currentTarget.value || storedName)
      }}
      error={error}
    />
  )
}

function TestField({ form, id }: FieldProps & { id: number | undefined }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [reply, setReply] = useState<IntegrationTestReply | null>(null)
  const test = async () => {
    const { errors } = form.validate() as { errors: Record<string, unknown> }
    if (Object.keys(errors).length > 0) return toast.warn(words.mendFirst)
    setBusy(true)
    setReply(await testIntegrationDraft(id, toIntegrationBody(form.getValues())))
    setBusy(false)
    if (id !== undefined) void client.invalidateQueries({ queryKey: ['machine-calls', 'integration', id] })
  }
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        loading={busy}
        leftSection={<IconPlayerPlay size={16} stroke={1.75} />}
        onClick={() => void test()}
      >
        {words.test}
      </Button>
      {reply && <TestResult reply={reply} />}
    </div>
  )
}

/** The result of the last test as text. */
function TestResult({ reply: { ok, ms, status, says, error } }: { reply: IntegrationTestReply }) {
  const words = useTexts(texts)
  const troubles = useTexts(callFailureTexts)
  const Icon = ok ? IconCircleCheck : IconAlertCircle
  const said = says.map(words.quoted).join('\n')
  return (
    <div className={classes.result} data-wrong={!ok || undefined} role="status">
      <Icon size={19} stroke={1.75} aria-hidden="true" />
      <span>
        <b>{ok ? words.answeredIn(formatCallDuration(ms)) : words.testedBadly}</b>
        <small>{ok ? said || words.saidNothing(status) : describeCallFailure(troubles, error)}</small>
      </span>
    </div>
  )
}

/** Shows the secret once: the receiver of our calls verifies signatures with it. */
function SecretField({ id }: { id: number | undefined }) {
  const words = useTexts(texts)
  const [secret, setSecret] = useState('')
  const { wasCopied: copied, copy } = useCopyText(secret)
  const [busy, setBusy] = useState(false)
  if (id === undefined)
    return (
      <Input.Wrapper label={words.secret} description={words.secretLater} inputWrapperOrder={inputOrder}>
        <span />
      </Input.Wrapper>
    )
  const renew = async () => {
    if (!(await openConfirm({ title: words.secretAsk, consequence: words.secretEnds, verb: words.secretNew }))) return
    setBusy(true)
    try {
      setSecret((await callApi(integrationToolsApi.secret, { params: { id } })).secret)
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes.secret}>
      {secret ? (
        <div className={classes.secretLine}>
          <TextInput
            label={words.secret}
            description={words.secretOnce}
            inputWrapperOrder={inputOrder}
            readOnly
            value={secret}
            className={classes.mono ?? ''}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Tooltip label={copied ? words.copied : words.copy}>
            <ActionIcon variant="default" size={34} aria-label={words.copy} onClick={copy}>
              {copied ? <IconCheck size={17} stroke={1.75} /> : <IconCopy size={17} stroke={1.75} />}
            </ActionIcon>
          </Tooltip>
        </div>
      ) : (
        <Input.Wrapper label={words.secret} description={words.secretHelp} inputWrapperOrder={inputOrder}>
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconKey size={16} stroke={1.75} />}
            onClick={() => void renew()}
          >
            {words.secretNew}
          </Button>
        </Input.Wrapper>
      )}
    </div>
  )
}
