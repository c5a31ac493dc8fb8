import { Button } from '@mantine/core'
import { pixCurrency } from '@recado/contract/money/currency'
import type { Invoice } from '@recado/contract/money/invoices'
import { type Charge, type Subscription, subscriptionApi } from '@recado/contract/money/subscription'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatMoney } from '../../lib/money/format-money.ts'
import { useFormatDueDay, useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { Sheet, SheetFooter } from '../../ui/sheet.tsx'
import { BillingFields, findBillingProblems } from './billing-fields.tsx'
import classes from './checkout.module.css'
import { OtherPayment } from './other-payment.tsx'
import { isPaidByPix } from './payment-method.tsx'
import { PaymentReceived } from './payment-received.tsx'
import { PixPayment } from './pix-payment.tsx'
import { texts } from './texts.ts'

/** The delay before the redirect after a payment (spec, section 9). */
const redirectDelayMs = 4000
/** Spec, section 9: a checkout is sent after a short delay, so that a double click sends it once. */
const submitDelayMs = 400

type Props = {
  opened: boolean
  onClose: () => void
  subscription: Subscription
  /** The invoice to pay; null: the company's next payment, whose invoice the server creates if necessary. */
  invoice: Invoice | null
}

/** Steps: billing data, plan, review, QR code. If the billing data is complete, it starts with the plan. */
export function CheckoutDialog({ opened, onClose, subscription, invoice }: Props) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [billing, setBilling] = useState(subscription.billing)
  const [step, setStep] = useState(Object.keys(findBillingProblems(billing)).length ? 0 : 1)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [charge, setCharge] = useState<Charge | null>(null)
  const [wasPaid, setWasPaid] = useState(false)
  const announcePaid = useOnPaid(onClose)
  const onPaid = useCallback(() => {
    setWasPaid(true)
    announcePaid()
  }, [announcePaid])
  const isPix = isPaidByPix(subscription, invoice?.currency ?? subscription.price?.currency ?? subscription.currency)
  const problems = findBillingProblems(billing)

  const work = async (act: () => Promise<void>) => {
    setBusy(true)
    try {
      await act()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(false)
    }
  }
  const order = () =>
    work(async () => {
      await new Promise((done) => setTimeout(done, submitDelayMs))
      const { billingName: firstName, addressStreet: address2, addressCity: city } = billing
      const { addressState: state, addressZipCode: zipcode, addressCountry: country } = billing
      const body = { firstName, lastName: '', address2, city, state, zipcode, country, invoiceId: invoice?.id ?? null }
      setCharge(await callApi(subscriptionApi.pay, { body }))
      await client.invalidateQueries({ queryKey: ['money', 'invoices'] })
      setStep(3)
    })
  const next = () => {
    setWasSubmitted(true)
    if (step === 0 && Object.keys(problems).length) return
    if (step === 2 && isPix) return void order()
    if (step === 0)
      return void work(async () => {
        await callApi(subscriptionApi.billing, { body: billing })
        setStep(1)
      })
    setStep(step + 1)
  }
  const shown = charge && (invoice ?? subscription.open.find(({ id }) => id === charge.invoiceId) ?? null)
  return (
    <Sheet
      opened={opened}
      onClose={onClose}
      size={720}
      title={step < 3 ? words.title : isPix ? words.pixTitle : words.otherTitle}
    >
      {!isPix && step === 3 ? (
        wasPaid ? (
          <PaymentReceived />
        ) : (
          <OtherPayment {...{ subscription, invoice, onPaid }} />
        )
      ) : charge && step === 3 ? (
        <PixPayment
          charge={charge}
          invoice={shown ?? invoiceFromCharge(subscription, charge)}
          onPaid={onPaid}
          onNewCharge={() => void order()}
        />
      ) : (
        <>
          <ol className={classes.progress}>
            {words.steps.map((name, i) => (
              <li key={name} data-on={i <= step || undefined} aria-current={i === step ? 'step' : undefined}>
                {name}
              </li>
            ))}
          </ol>
          <div className={classes.body}>
            {isPix && subscription.provider === null && <InlineNotice kind="warn">{words.notSet}</InlineNotice>}
            {step === 0 && (
              <BillingFields value={billing} onChange={setBilling} problems={wasSubmitted ? problems : {}} />
            )}
            {step === 1 && <PlanCard subscription={subscription} />}
            {step === 2 && <Review {...{ subscription, invoice }} name={billing.billingName} />}
          </div>
          <SheetFooter>
            {step > 0 && (
              <Button variant="default" onClick={() => setStep(step - 1)}>
                {words.back}
              </Button>
            )}
            <Button loading={busy} disabled={isPix && subscription.provider === null} onClick={next}>
              {step < 2 ? words.next : isPix ? words.pay : words.showHow}
            </Button>
          </SheetFooter>
        </>
      )}
    </Sheet>
  )
}

/** The invoice that the server created when none was given. */
const invoiceFromCharge = ({ plan, dueDate }: Subscription, { invoiceId, valor }: Charge): Invoice => ({
  id: invoiceId,
  detail: plan?.name ?? '',
  value: valor.original,
  currency: pixCurrency,
  dueDate: dueDate ?? '',
  dueDay: '',
  status: 'open',
  kind: 'plan',
  paidAt: null,
  paidBy: null,
  note: '',
  replacedById: null,
  claimedAt: null,
})

/** Returns a function that runs once after a payment: it shows the confirmation, and goes home after a moment. */
function useOnPaid(onClose: () => void): () => void {
  const words = useTexts(texts)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { reload } = useSession()
  const dueDay = useFormatDueDay()
  const wasReported = useRef(false)
  const going = useRef<ReturnType<typeof setTimeout>>(undefined)
  // If the dialog is closed earlier, the user stays on the page.
  useEffect(
    () => () => {
      if (going.current === undefined) return
      clearTimeout(going.current)
      void reload()
    },
    [reload],
  )
  return useCallback(() => {
    if (wasReported.current) return
    wasReported.current = true
    void callApi(subscriptionApi.show)
      .then(({ dueDate }) => toast.ok(words.renewed(dueDay(dueDate)), undefined, { lasts: redirectDelayMs }))
      .catch(() => toast.ok(words.paid))
    void client.invalidateQueries({ queryKey: ['money'] })
    going.current = setTimeout(() => {
      going.current = undefined
      onClose()
      void reload().then(() => navigate({ to: '/' }))
    }, redirectDelayMs)
  }, [words, client, navigate, reload, onClose, dueDay])
}

function PlanCard({ subscription: { plan, price, months } }: { subscription: Subscription }) {
  const words = useTexts(texts)
  if (!plan || !price) return null
  return (
    <section className={classes.plan} aria-label={words.yourPlan}>
      <span className={classes.quiet}>{words.yourPlan}</span>
      <strong>{plan.name}</strong>
      <span>{words.perMonth(formatMoney(price.value, price.currency))}</span>
      <span className={classes.quiet}>{words.allows(plan.users, plan.connections, plan.queues)}</span>
      {months > 1 && <span className={classes.quiet}>{words.every(months)}</span>}
    </section>
  )
}

type ReviewProps = { subscription: Subscription; invoice: Invoice | null; name: string }
function Review({ subscription, invoice, name }: ReviewProps) {
  const words = useTexts(texts)
  const { plan, price, months, nextDueDate } = subscription
  const dueDay = useFormatDueDay()
  const value = invoice?.value ?? (price ? price.value * months : 0)
  const currency = invoice?.currency ?? price?.currency ?? subscription.currency
  const rows: [string, string][] = [
    [
      invoice ? words.invoice(invoice.id) : words.yourPlan,
      words.detail(invoice?.kind ?? 'plan', invoice?.detail ?? plan?.name ?? ''),
    ],
    [words.billTo, name],
    [words.billing, words.every(months)],
    ...(invoice?.kind === 'plan' || !invoice ? [[words.until, dueDay(nextDueDate)] as [string, string]] : []),
    [words.value, formatMoney(value, currency)],
  ]
  return (
    <dl className={classes.review}>
      {rows.map(([term, what]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  )
}
