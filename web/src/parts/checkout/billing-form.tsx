import { subscriptionApi } from '@recado/contract/money/subscription'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { SheetForm } from '../../ui/sheet.tsx'
import { type BillingData, BillingFields, findBillingProblems } from './billing-fields.tsx'
import { texts } from './texts.ts'

type Props = { opened: boolean; onClose: () => void; billing: BillingData }

/** A form with only the billing fields, to correct them. */
export function BillingForm({ opened, onClose, billing }: Props) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [value, setValue] = useState(billing)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const problems = findBillingProblems(value)
  const save = async () => {
    setWasSubmitted(true)
    if (Object.keys(problems).length) return
    setBusy(true)
    try {
      await callApi(subscriptionApi.billing, { body: value })
      await client.invalidateQueries({ queryKey: ['money'] })
      toast.ok(words.saved)
      onClose()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <SheetForm
      {...{ opened, onClose, isBusy: busy }}
      title={words.billingTitle}
      size={560}
      submitLabel={words.save}
      onSubmit={() => void save()}
    >
      <BillingFields value={value} onChange={setValue} problems={wasSubmitted ? problems : {}} />
    </SheetForm>
  )
}
