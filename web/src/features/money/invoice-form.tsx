import { NumberInput, Select, TextInput } from '@mantine/core'
import { companiesApi } from '@recado/contract/companies'
import { moneyApi } from '@recado/contract/money/platform'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { moneyInputProps } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { MomentInput } from '../../records/fields/moment-input.tsx'
import { SheetForm } from '../../ui/sheet.tsx'
import { texts } from './texts.ts'

const padTwoDigits = (n: number) => String(n).padStart(2, '0')
/** In the format of a date input, in the browser's calendar: in the evening the UTC date differs. */
function todayIso(): string {
  const now = new Date()
  return `${now.getFullYear()}-${padTwoDigits(now.getMonth() + 1)}-${padTwoDigits(now.getDate())}`
}

type Props = { onClose: () => void; onDone: () => void }

/** A manual invoice, such as for an extra line, a course or a settlement. */
export function InvoiceForm({ onClose, onDone }: Props) {
  const words = useTexts(texts)
  const companies = useQuery({
    queryKey: ['companies', 'list'],
    queryFn: () => callApi(companiesApi.all),
    staleTime: 0,
  })
  const [companyId, setCompanyId] = useState<string | null>(null)
  const [detail, setDetail] = useState('')
  const [value, setValue] = useState<number | string>('')
  const [dueDate, setDueDate] = useState(todayIso)
  const [months, setMonths] = useState<number | string>(0)
  const [busy, setBusy] = useState(false)
  // An invoice is in the company's currency.
  const currency = companies.data?.find(({ id }) => String(id) === companyId)?.currency ?? 'BRL'
  const isWhole = companyId && detail.trim().length >= 2 && Number(value) > 0 && dueDate
  const save = async () => {
    setBusy(true)
    try {
      await callApi(moneyApi.create, {
        body: { companyId: Number(companyId), detail, value: Number(value), currency, dueDate, months },
      })
      toast.ok(words.written)
      onDone()
      onClose()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <SheetForm
      opened
      onClose={onClose}
      title={words.write}
      size={480}
      submitLabel={words.write}
      isBusy={busy}
      disabled={!isWhole}
      onSubmit={() => void save()}
    >
      <Select
        label={words.company}
        searchable
        withAsterisk
        value={companyId}
        onChange={setCompanyId}
        data={(companies.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <TextInput
        label={words.detail}
        withAsterisk
        maxLength={120}
        value={detail}
        onChange={(event) => setDetail(event.currentTarget.value)}
      />
      <NumberInput label={words.value} withAsterisk {...moneyInputProps(currency)} value={value} onChange={setValue} />
      <MomentInput kind="day" label={words.dueDate} withAsterisk value={dueDate} onChange={setDueDate} />
      <NumberInput label={words.months} min={0} max={24} value={months} onChange={setMonths} />
    </SheetForm>
  )
}
