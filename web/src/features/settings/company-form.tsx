import { type BillingField, billingFieldMaxLengths } from '@recado/contract/billing'
import { type Company, CompanyWrite, companiesApi, type Recurrence, recurrenceMonths } from '@recado/contract/companies'
import { type Currency, currencies } from '@recado/contract/money/currency'
import { plansApi } from '@recado/contract/plans'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { useCurrencyName } from '../../lib/money/format-money.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import '../../parts/checkout/money-error-texts.ts'
import { PasswordStrength } from '../../parts/password-strength.tsx'
import type { FormField } from '../../records/fields/field.ts'
import { RecordForm } from '../../records/record-form.tsx'
import type { FormSlot } from '../../records/records-page.tsx'
import { writeRecord } from '../../records/write-record.ts'
import { type CompanyTexts, companyTexts } from './company-texts.ts'
import { getDueDay } from './due-date.ts'

type Values = Record<BillingField, string> & {
  name: string
  email: string
  phone: string
  planId: string | null
  recurrence: string | null
  currency: string | null
  dueDate: string | null
  status: boolean
  campaignsEnabled: boolean
  password: string
}

export function CompanyForm(slot: FormSlot<Company>) {
  const { row } = slot
  const words = useTexts(companyTexts)
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => callApi(plansApi.all), staleTime: 0 })
  const currencyName = useCurrencyName()
  const options = {
    plans: (plans.data ?? []).map((plan) => ({ value: String(plan.id), label: plan.name })),
    currencies: currencies.map((value) => ({ value, label: currencyName(value) })),
  }
  // The platform's own company does not expire and cannot be switched off.
  const platform = useSession().user?.companyId === row?.id
  return (
    <RecordForm<Values, Company>
      {...slot}
      title={row?.name ?? words.words.create}
      {...(row && { subtitle: words.numbered(row.id) })}
      words={words.words}
      schema={CompanyWrite}
      initial={toCompanyFormValues(row)}
      fields={companyFields(words, options, row !== null, platform)}
      fieldByErrorCode={{
        ERR_COMPANY_NAME_ALREADY_EXISTS: 'name',
        ERR_EMAIL_ALREADY_EXISTS: 'email',
        ERR_NO_PLAN_FOUND: 'planId',
        ERR_PLAN_NO_PRICE: 'currency',
      }}
      write={({ password, planId, recurrence, currency, ...plain }, before) => {
        const body = {
          ...plain,
          currency: (currency ?? undefined) as Currency | undefined,
          planId: planId && Number(planId),
          recurrence: recurrence as Recurrence | null,
        }
        return writeRecord(companiesApi, before ? body : { ...body, password }, before)
      }}
    />
  )
}

const toCompanyFormValues = (row: Company | null): Values => ({
  name: row?.name ?? '',
  email: row?.email ?? '',
  phone: row?.phone ?? '',
  planId: row?.planId ? String(row.planId) : null,
  recurrence: row ? row.recurrence : 'MENSAL',
  currency: row?.currency ?? null,
  dueDate: row && getDueDay(row),
  status: row?.status ?? true,
  campaignsEnabled: row?.settings.some(({ key, value }) => key === 'campaignsEnabled' && value === 'true') ?? false,
  password: '',
  ...(Object.fromEntries(billingNames.map((name) => [name, row?.[name] ?? ''])) as Record<BillingField, string>),
})

const billingNames = Object.keys(billingFieldMaxLengths) as BillingField[]
/** The width of each field. */
const fieldSpans: Partial<Record<BillingField, 'half'>> = {
  addressDistrict: 'half',
  addressCity: 'half',
  addressState: 'half',
  addressZipCode: 'half',
  addressCountry: 'half',
}

type Options = Record<'plans' | 'currencies', { value: string; label: string }[]>
function companyFields(words: CompanyTexts, options: Options, exists: boolean, platform: boolean): FormField<Values>[] {
  const rhythm = (Object.keys(recurrenceMonths) as Recurrence[]).map((value) => ({ value, label: words[value] }))
  return [
    { kind: 'text', name: 'name', label: words.name, required: true, maxLength: 50 },
    { kind: 'email', name: 'email', label: words.email, span: 'half', ...(!exists && { help: words.emailHelp }) },
    { kind: 'text', name: 'phone', label: words.phone, span: 'half', maxLength: 40 },
    {
      kind: 'password',
      name: 'password',
      label: words.password,
      help: words.passwordHelp,
      below: (typed) => <PasswordStrength password={typed} />,
      when: ({ email }) => !exists && email.trim() !== '',
    },
    {
      kind: 'select',
      name: 'planId',
      label: words.plan,
      options: options.plans,
      span: 'half',
      placeholder: words.noPlan,
    },
    {
      kind: 'select',
      name: 'recurrence',
      label: words.recurrence,
      options: rhythm,
      span: 'half',
      placeholder: words.noRecurrence,
      clearable: true,
    },
    {
      kind: 'select',
      name: 'currency',
      label: words.currency,
      options: options.currencies,
      span: 'half',
      placeholder: words.currencyOfPhone,
      clearable: !exists,
      when: () => !platform,
    },
    { kind: 'date', name: 'dueDate', label: words.dueDate, help: words.dueHelp, span: 'half', when: () => !platform },
    { kind: 'switch', name: 'status', label: words.activeSwitch, help: words.activeHelp, when: () => !platform },
    { kind: 'switch', name: 'campaignsEnabled', label: words.campaigns, help: words.campaignsHelp },
    ...billingNames.map(
      (name): FormField<Values> => ({
        kind: 'text',
        name,
        label: words[name],
        maxLength: billingFieldMaxLengths[name],
        ...(fieldSpans[name] && { span: fieldSpans[name] }),
      }),
    ),
  ]
}
