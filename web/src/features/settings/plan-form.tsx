import { planFlags } from '@recado/contract/endpoint'
import { currencies } from '@recado/contract/money/currency'
import { type Plan, PlanWrite, plansApi } from '@recado/contract/plans'
import { useCurrencyName } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import type { FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import '../../parts/checkout/money-error-texts.ts'
import { type PlanFormValues, PlanPricesField } from './plan-prices-field.tsx'
import { planTexts } from './plan-texts.ts'

const emptyPlan: PlanFormValues = {
  name: '',
  users: 0,
  connections: 0,
  queues: 0,
  value: 0,
  currency: 'BRL',
  prices: [],
  storageMb: 10_240,
  useCampaigns: true,
  useKanban: true,
  useOpenAi: true,
  useIntegrations: true,
  useSchedules: true,
  useInternalChat: true,
  useExternalApi: true,
}

export function PlanForm(slot: FormSlot<Plan>) {
  const { row } = slot
  const words = useTexts(planTexts)
  const currencyName = useCurrencyName()
  const fields: FormField<PlanFormValues>[] = [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    { kind: 'money', name: 'value', label: words.value, span: 'half', currency: ({ currency }) => currency },
    {
      kind: 'select',
      name: 'currency',
      label: words.currency,
      span: 'half',
      options: currencies.map((value) => ({ value, label: currencyName(value) })),
    },
    {
      kind: 'custom',
      name: 'prices',
      label: words.prices,
      render: ({ form, error }) => <PlanPricesField form={form} error={error} />,
    },
    { kind: 'number', name: 'users', label: words.users, span: 'third' },
    { kind: 'number', name: 'connections', label: words.connections, span: 'third' },
    { kind: 'number', name: 'queues', label: words.queues, span: 'third' },
    { kind: 'number', name: 'storageMb', label: words.storage, help: words.storageLine, span: 'half' },
    ...planFlags.map((name): FormField<PlanFormValues> => ({ kind: 'switch', name, label: words[name], span: 'half' })),
  ]
  const { id: _, ...known } = row ?? { id: 0, ...emptyPlan }
  return (
    <RecordForm<PlanFormValues, Plan>
      {...slot}
      title={row?.name ?? words.words.create}
      {...(row && { subtitle: words.numbered(row.id) })}
      words={words.words}
      schema={PlanWrite}
      initial={known}
      fields={fields}
      fieldByErrorCode={{ ERR_PLAN_NAME_ALREADY_EXISTS: 'name', ERR_PLAN_PRICE_IN_USE: 'prices' }}
      write={(values, before) => writeRecord(plansApi, values, before)}
    />
  )
}
