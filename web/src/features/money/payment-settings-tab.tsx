import { Button, FileInput, NumberInput, Select, Skeleton, Switch, Textarea, TextInput } from '@mantine/core'
import type { PaymentProviderName } from '@recado/contract/money/invoices'
import { type MoneySettings, moneyApi } from '@recado/contract/money/platform'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, callApi } from '../../lib/api.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useLeaveGuard } from '../../records/use-leave-guard.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { SecretInput } from '../../ui/secret-input.tsx'
import classes from './money.module.css'
import { texts } from './texts.ts'

/** How the platform is paid. */
export function PaymentSettingsTab() {
  const settings = useQuery({ queryKey: ['platform-money', 'settings'], queryFn: () => callApi(moneyApi.settings) })
  if (settings.isPending) return <Skeleton height={320} radius="md" m={24} />
  if (!settings.data) return <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
  return <PaymentSettingsForm settings={settings.data} />
}

const noSecrets = { efiClient: '', efiSecret: '', efiCertificate: '', asaasToken: '' }

function PaymentSettingsForm({ settings }: { settings: MoneySettings }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [form, setForm] = useState(settings)
  const [secrets, setSecrets] = useState(noSecrets)
  const paymentMethod = form.provider
  useLeaveGuard(() => JSON.stringify([form, secrets]) !== JSON.stringify([settings, noSecrets]))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set())
  const text = (name: 'pixKey' | 'pixName' | 'pixCity' | 'efiKey') => ({
    label: words[name],
    value: form[name],
    error: invalid.has(name) && words.invalid[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => setForm({ ...form, [name]: event.currentTarget.value }),
  })
  const secret = (name: keyof typeof noSecrets, kept: boolean) => ({
    label: words[name],
    placeholder: kept ? words.kept : '',
    value: secrets[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setSecrets({ ...secrets, [name]: event.currentTarget.value }),
  })
  const sandbox = (name: 'efiSandbox' | 'asaasSandbox') => (
    <Switch
      label={words.sandbox}
      checked={form[name]}
      onChange={(event) => setForm({ ...form, [name]: event.currentTarget.checked })}
    />
  )
  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    setInvalid(new Set())
    try {
      await work()
    } catch (error) {
      if (error instanceof ApiError) setInvalid(new Set(Object.keys(error.fields)))
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const save = () =>
    act(async () => {
      const next = await callApi(moneyApi.update, { body: { ...form, ...secrets } })
      setCachedQuery(client, ['platform-money', 'settings'], next)
      setForm(next)
      setSecrets(noSecrets)
      toast.ok(words.saved)
    })
  const test = () =>
    act(async () => {
      const answer = await callApi(moneyApi.test)
      if (answer.ok) toast.ok(words.testOk)
      else setProblem(answer.problem)
    })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Select
        label={words.provider}
        allowDeselect={false}
        value={form.provider}
        onChange={(next) => setForm({ ...form, provider: next as PaymentProviderName })}
        data={(['pix', 'efi', 'asaas'] as const).map((value) => ({ value, label: words.providers[value] }))}
      />
      {paymentMethod === 'pix' && (
        <>
          <TextInput {...text('pixKey')} maxLength={77} />
          <TextInput {...text('pixName')} maxLength={25} />
          <TextInput {...text('pixCity')} maxLength={15} />
        </>
      )}
      {paymentMethod === 'efi' && (
        <>
          <TextInput {...text('efiKey')} maxLength={77} />
          <SecretInput {...secret('efiClient', form.hasEfi)} />
          <SecretInput {...secret('efiSecret', form.hasEfi)} />
          <FileInput
            label={words.efiCertificate}
            placeholder={form.hasEfi ? words.kept : words.chooseFile}
            accept=".p12,.pfx"
            onChange={(file) => {
              if (file) void fileToBase64(file).then((efiCertificate) => setSecrets({ ...secrets, efiCertificate }))
            }}
          />
          {sandbox('efiSandbox')}
        </>
      )}
      {paymentMethod === 'asaas' && (
        <>
          <SecretInput {...secret('asaasToken', form.hasAsaas)} />
          {sandbox('asaasSandbox')}
        </>
      )}
      {settings.hook && form.provider === settings.provider && (
        <TextInput
          label={words.hook}
          value={settings.hook}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <Textarea
        label={words.instructions}
        description={words.instructionsLine}
        maxLength={2000}
        minRows={3}
        autosize
        maxRows={10}
        value={form.paymentInstructions}
        onChange={(event) => setForm({ ...form, paymentInstructions: event.currentTarget.value })}
      />
      <NumberInput
        label={words.grace}
        description={words.graceLine}
        min={0}
        max={60}
        value={form.graceDays}
        onChange={(next) => setForm({ ...form, graceDays: Number(next) || 0 })}
      />
      {problem && <InlineNotice kind="danger">{problem}</InlineNotice>}
      <span className={classes.buttons}>
        <Button type="submit" loading={busy}>
          {words.save}
        </Button>
        <Button variant="default" disabled={busy} onClick={() => void test()}>
          {words.test}
        </Button>
      </span>
    </form>
  )
}

async function fileToBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
