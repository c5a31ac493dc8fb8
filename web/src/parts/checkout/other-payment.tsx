import { Button } from '@mantine/core'
import { topics } from '@recado/contract/live'
import type { Invoice } from '@recado/contract/money/invoices'
import { type Subscription, subscriptionApi } from '@recado/contract/money/subscription'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic } from '../../lib/live.ts'
import { formatMoney } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { SheetFooter } from '../../ui/sheet.tsx'
import classes from './checkout.module.css'
import { texts } from './texts.ts'

type Props = { subscription: Subscription; invoice: Invoice | null; onPaid: () => void }

/** How to pay where Pix does not apply: the operator's instructions, and a way to report the payment. */
export function OtherPayment({ subscription, invoice, onPaid }: Props) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [isClaimed, setIsClaimed] = useState(invoice !== null && invoice.claimedAt !== null)
  useLiveTopic(topics.payment, onPaid)
  const { plan, price, months, currency, paymentInstructions } = subscription
  const sum = invoice ?? { value: (price?.value ?? 0) * months, currency: price?.currency ?? currency }
  const claim = async () => {
    setBusy(true)
    try {
      await callApi(subscriptionApi.claim, { body: { invoiceId: invoice?.id ?? null } })
      setIsClaimed(true)
      await client.invalidateQueries({ queryKey: ['money', 'invoices'] })
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className={classes.body}>
        <div>
          <div className={classes.sum}>{formatMoney(sum.value, sum.currency)}</div>
          <div className={classes.quiet}>
            {[
              invoice && words.invoice(invoice.id),
              words.detail(invoice?.kind ?? 'plan', invoice?.detail ?? plan?.name ?? ''),
            ]
              .filter(Boolean)
              .join(' · ')}
          </div>
        </div>
        {paymentInstructions ? (
          <section aria-label={words.otherTitle}>
            <span className={classes.label}>{words.instructions}</span>
            <p className={classes.instructions}>{paymentInstructions}</p>
          </section>
        ) : (
          <InlineNotice kind="info">{words.noInstructions}</InlineNotice>
        )}
        <p className={classes.quiet}>{words.otherConfirm}</p>
        {isClaimed && (
          <div className={classes.waiting} role="status">
            {words.claimed}
          </div>
        )}
      </div>
      <SheetFooter>
        <Button loading={busy} disabled={isClaimed} onClick={() => void claim()}>
          {words.claim}
        </Button>
      </SheetFooter>
    </>
  )
}
