import { Button } from '@mantine/core'
import { type Invoice, invoiceStatusOn, invoicesApi } from '@recado/contract/money/invoices'
import type { Subscription } from '@recado/contract/money/subscription'
import { IconAdjustmentsHorizontal, IconCreditCard, IconReceipt } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDayTime, formatIsoDay } from '../../lib/format.ts'
import { formatMoney } from '../../lib/money/format-money.ts'
import { useFormatDueDay } from '../../lib/session.tsx'
import { currentTexts, defineTexts, useTexts } from '../../lib/texts.ts'
import { InvoiceStatusChip } from '../../parts/checkout/invoice-status-chip.tsx'
import { PayIcon } from '../../parts/checkout/payment-method.tsx'
import { texts as moneyTexts } from '../../parts/checkout/texts.ts'
import { useSubscription } from '../../parts/checkout/use-subscription.ts'
import { RecordCards } from '../../records/record-cards.tsx'
import { RecordsFrame } from '../../records/records-frame.tsx'
import { RecordsTable } from '../../records/records-table.tsx'
import type { RowCommands, TableColumn } from '../../records/table-column.ts'
import { usePagedRecords } from '../../records/use-paged-records.ts'
import { IconHintText } from '../../ui/phone-bar/icon-hint-text.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import classes from './financeiro.module.css'
import { texts } from './texts.ts'

/** The word below the icon, on a phone. */
const hints = defineTexts({ es: { plan: 'Plan' }, pt: { plan: 'Plano' }, en: { plan: 'Plan' } })

const CheckoutDialog = lazy(() =>
  import('../../parts/checkout/checkout-dialog.tsx').then((module) => ({ default: module.CheckoutDialog })),
)
const BillingForm = lazy(() =>
  import('../../parts/checkout/billing-form.tsx').then((module) => ({ default: module.BillingForm })),
)
const ChangePlanDialog = lazy(() =>
  import('./change-plan-dialog.tsx').then((module) => ({ default: module.ChangePlanDialog })),
)

type OpenedDialog = { what: 'pay'; invoice: Invoice | null } | { what: 'billing' } | { what: 'plan' } | null
const dayMs = 86_400_000

/** The company's invoices and their payment. */
export function FinanceiroPage() {
  const words = useTexts(texts)
  const common = useTexts(moneyTexts)
  const small = useIsPhone()
  const navigate = useNavigate()
  const subscription = useSubscription()
  const records = usePagedRecords<Invoice>(['money', 'invoices'], async (query, signal) => {
    const { invoices: rows, count, hasMore } = await callApi(invoicesApi.list, { query }, { signal })
    return { rows, count, hasMore }
  })
  const [opened, setOpened] = useState<OpenedDialog>(null)
  const { data } = subscription
  const close = () => setOpened(null)

  const pay = (invoice: Invoice) => setOpened({ what: 'pay', invoice })

  const columns: TableColumn<Invoice>[] = [
    { key: 'id', head: words.id, width: 100, cell: ({ id }) => `#${id}` },
    {
      key: 'detail',
      head: words.detail,
      card: 'title',
      cell: ({ kind, detail }) => <strong className={classes.strong}>{common.detail(kind, detail)}</strong>,
    },
    { key: 'due', head: words.due, width: 120, card: 'line', cell: ({ dueDay }) => formatIsoDay(dueDay) },
    {
      key: 'value',
      head: words.value,
      width: 130,
      alignRight: true,
      card: 'line',
      cell: ({ value, currency }) => <strong className={classes.strong}>{formatMoney(value, currency)}</strong>,
    },
    { key: 'status', head: words.status, width: 130, card: 'end', cell: (row) => <InvoiceStatusChip invoice={row} /> },
    {
      key: 'more',
      head: words.more,
      isLowPriority: true,
      cell: (row) => <InvoiceDetails row={row} subscription={data} />,
    },
    { key: 'act', head: '', width: 132, alignRight: true, cell: (row) => <InvoiceAction row={row} onPay={pay} /> },
  ]
  const offer = (row: Invoice): RowCommands => {
    const name = common.invoice(row.id)
    const pays = row.status === 'open'
    const more = pays
      ? [
          {
            key: 'pay',
            label: words.pay,
            icon: <PayIcon currency={row.currency} size={18} />,
            run: () => pay(row),
          },
        ]
      : row.status === 'paid'
        ? [
            {
              key: 'receipt',
              label: words.receipt,
              icon: <IconReceipt size={18} stroke={1.75} />,
              run: () => void navigate({ to: `/receipt/${row.id}` }),
            },
          ]
        : []
    // In a table these actions are buttons in the row, so the menu does not repeat them.
    return { name, edit: null, remove: null, more: small ? more : [] }
  }
  const Rows = small ? RecordCards : RecordsTable
  const first = data?.open.toSorted((a, b) => a.dueDate.localeCompare(b.dueDate))[0] ?? null
  return (
    <>
      <RecordsFrame
        words={{ ...words.words, emptyLine: data ? (data.dueDate ? words.words.emptyLine : words.neverDue) : '' }}
        records={records}
        icon={<IconCreditCard size={26} stroke={1.6} />}
        views={
          data?.plan && (
            <Button
              variant="default"
              leftSection={
                <>
                  <IconAdjustmentsHorizontal size={16} stroke={1.75} />
                  <IconHintText>{currentTexts(hints).plan}</IconHintText>
                </>
              }
              onClick={() => setOpened({ what: 'plan' })}
            >
              {words.change}
            </Button>
          )
        }
        action={
          first && (
            <Button
              leftSection={<PayIcon currency={first.currency} />}
              onClick={() => setOpened({ what: 'pay', invoice: first })}
            >
              {words.paySum(formatMoney(first.value, first.currency))}
            </Button>
          )
        }
        beforeSearch={
          data && <SubscriptionSummary subscription={data} onEditBilling={() => setOpened({ what: 'billing' })} />
        }
      >
        {(scrollRef) => (
          <Rows {...{ rows: records.rows, columns, offer, scrollRef: scrollRef, label: words.words.title }} />
        )}
      </RecordsFrame>
      <Suspense fallback={null}>
        {data && opened?.what === 'pay' && (
          <CheckoutDialog opened onClose={close} subscription={data} invoice={opened.invoice} />
        )}
        {data && opened?.what === 'billing' && <BillingForm opened onClose={close} billing={data.billing} />}
        {data && opened?.what === 'plan' && (
          <ChangePlanDialog
            onClose={close}
            subscription={data}
            onInvoice={(invoice) => setOpened({ what: 'pay', invoice })}
          />
        )}
      </Suspense>
    </>
  )
}

/** The main actions of an invoice as labelled buttons, because users open this page for them. */
function InvoiceAction({ row, onPay }: { row: Invoice; onPay: (row: Invoice) => void }) {
  const words = useTexts(texts)
  const common = useTexts(moneyTexts)
  const name = common.invoice(row.id)
  if (row.status === 'open')
    return (
      <Button
        size="xs"
        variant="light"
        leftSection={<PayIcon currency={row.currency} />}
        aria-label={words.payNamed(name)}
        onClick={() => onPay(row)}
      >
        {words.pay}
      </Button>
    )
  if (row.status !== 'paid') return null
  return (
    <Button
      component={Link}
      to={`/receipt/${row.id}`}
      size="xs"
      variant="subtle"
      color="gray"
      leftSection={<IconReceipt size={16} stroke={1.75} />}
      aria-label={words.receiptNamed(name)}
    >
      {words.receipt}
    </Button>
  )
}

function InvoiceDetails({ row, subscription }: { row: Invoice; subscription: Subscription | undefined }) {
  const words = useTexts(texts)
  const said = () => {
    if (row.status === 'paid') return [words.by[row.paidBy ?? 'hand'], row.note, formatDayTime(row.paidAt)]
    if (row.replacedById) return [words.replaced(row.replacedById)]
    if (row.status !== 'open') return [row.note]
    const daysLeft = Math.floor((Date.parse(row.dueDate) - Date.now()) / dayMs)
    if (invoiceStatusOn(row, new Date()) === 'open') return [daysLeft === 0 ? words.dueToday : words.left(daysLeft)]
    return [words.late(-daysLeft), subscription && !subscription.expired && subscription.graceDays ? words.inGrace : '']
  }
  return <span className={classes.quiet}>{said().filter(Boolean).join(' · ')}</span>
}

function SubscriptionSummary({
  subscription,
  onEditBilling,
}: {
  subscription: Subscription
  onEditBilling: () => void
}) {
  const words = useTexts(texts)
  const common = useTexts(moneyTexts)
  const { plan, price, dueDate, nextDueDate, billing, expired } = subscription
  const dueDay = useFormatDueDay()
  const daysLeft = dueDate ? Math.floor((Date.parse(dueDate) - Date.now()) / dayMs) : 0
  const address = [billing.addressStreet, billing.addressCity, billing.billingDocument].filter(Boolean).join(' · ')
  return (
    <div className={classes.standing}>
      <section>
        <span className={classes.quiet}>{words.plan}</span>
        <strong>{plan?.name ?? words.noPlan}</strong>
        {plan && price && (
          <span>
            {common.perMonth(formatMoney(price.value, price.currency))} ·{' '}
            {common.allows(plan.users, plan.connections, plan.queues)}
          </span>
        )}
      </section>
      <section>
        <span className={classes.quiet}>{words.next}</span>
        <strong>{dueDate ? dueDay(dueDate) : words.never}</strong>
        {dueDate && (
          <span className={classes.sentence}>
            {expired || daysLeft < 0 ? words.late(-daysLeft) : daysLeft === 0 ? words.dueToday : words.left(daysLeft)}.{' '}
            {words.onPaying(dueDay(nextDueDate))}
          </span>
        )}
      </section>
      <section>
        <span className={classes.head}>
          <span className={classes.quiet}>{words.billing}</span>
          <Button variant="subtle" color="gray" size="xs" onClick={onEditBilling}>
            {words.edit}
          </Button>
        </span>
        <span className={classes.strong}>{billing.billingName || words.noBilling}</span>
        <span>{address}</span>
      </section>
    </div>
  )
}
