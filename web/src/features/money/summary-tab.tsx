import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import { pixCurrency } from '@recado/contract/money/currency'
import { type CurrencySums, type MoneySummary, moneyApi, type Payment } from '@recado/contract/money/platform'
import { IconCashBanknote, IconHistory } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { formatDayTime } from '../../lib/format.ts'
import { formatMoneyWithCode } from '../../lib/money/format-money.ts'
import { useLanguage, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts as historyTexts } from '../../parts/company-money/texts.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import classes from './money.module.css'
import { ReasonDialog } from './reason-dialog.tsx'
import { texts } from './texts.ts'

const CompanyMoney = lazy(() =>
  import('../../parts/company-money/company-money.tsx').then((module) => ({ default: module.CompanyMoney })),
)

/** The month's figures, overdue companies, and payments without an invoice. */
export function SummaryTab() {
  const summary = useQuery({ queryKey: ['platform-money', 'summary'], queryFn: () => callApi(moneyApi.summary) })
  const { data } = summary
  if (summary.isPending) return <Skeleton height={320} radius="md" m={24} />
  if (!data) return <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
  return (
    <div className={classes.body}>
      <SummaryNumbers data={data} />
      <div className={classes.two}>
        <RevenueChart currencies={data.currencies} />
        <LateCompanies data={data} />
      </div>
      <UnmatchedPayments />
    </div>
  )
}

function SummaryNumbers({ data }: { data: MoneySummary }) {
  const words = useTexts(texts)
  const { currencies } = data
  /** Amounts in different currencies are never added: each has its own line. */
  const amounts = (kind: 'monthly' | 'collected' | 'soon' | 'overdue') =>
    currencies.map((sums) => formatMoneyWithCode(sums[kind], sums.currency))
  const billed = currencies.filter((sums) => sums.billed > 0)
  const shares = billed.map(({ currency, collected, billed: all }) =>
    [billed.length > 1 && currency, `${Math.round((collected / all) * 100)} %`].filter(Boolean).join(' '),
  )
  const figures: [string, string[], string, ('danger' | 'warn')?][] = [
    [words.monthly, amounts('monthly'), words.monthlyLine],
    [words.collected, amounts('collected'), shares.length ? words.ofBilled(shares.join(' · ')) : ''],
    [words.soon, amounts('soon'), words.counted(data.soon.invoices)],
    [
      words.overdue,
      amounts('overdue'),
      words.overdueLine(data.overdue.companies, data.overdue.locked),
      data.overdue.companies ? 'danger' : undefined,
    ],
    [
      words.trials,
      [String(data.trials.companies)],
      words.trialsLine(data.trials.endingThisWeek),
      data.trials.endingThisWeek ? 'warn' : undefined,
    ],
  ]
  return (
    <div className={classes.figures}>
      {figures.map(([name, values, line, kind]) => (
        <section key={name}>
          <span>{name}</span>
          {values.map((value) => (
            <strong key={value} data-small={values.length > 1 || undefined}>
              {value}
            </strong>
          ))}
          <span data-kind={kind}>{line}</span>
        </section>
      ))}
    </div>
  )
}

const planColors = ['var(--rc-petrol-6)', '#c48618', '#772b66', '#5b7f3a', '#8a5a44']

function RevenueChart({ currencies }: { currencies: CurrencySums[] }) {
  const words = useTexts(texts)
  const [language] = useLanguage()
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = currencies.find(({ currency }) => currency === chosen) ?? (currencies[0] as CurrencySums)
  const { months, currency } = shown
  const names = [...new Set(months.flatMap(({ plans }) => plans.map(({ name }) => name)))].sort()
  const sums = months.map(({ plans }) => plans.reduce((sum, { value }) => sum + value, 0))
  const maxSum = Math.max(1, ...sums)
  const short = new Intl.DateTimeFormat(language, { month: 'short', timeZone: 'UTC' })
  return (
    <section className={classes.card}>
      <h2>
        {words.chart} <span className={classes.quiet}>{words.chartLine}</span>
        {currencies.length > 1 && (
          <SegmentedControl
            className={classes.right ?? ''}
            size="xs"
            aria-label={words.currencyOfChart}
            value={currency}
            onChange={setChosen}
            data={currencies.map((one) => one.currency)}
          />
        )}
      </h2>
      <div className={classes.legend}>
        {names.map((name, i) => (
          <span key={name}>
            <i style={{ background: planColors[i % planColors.length] }} />
            {name || words.byHand}
          </span>
        ))}
      </div>
      {sums.every((sum) => sum === 0) && <p className={classes.line}>{words.noneCollected}</p>}
      <ol className={classes.bars}>
        {months.map(({ month, plans }, n) => (
          <li key={month} title={`${month}: ${formatMoneyWithCode(sums[n] ?? 0, currency)}`}>
            <span className={classes.barSum}>{sums[n] ? Math.round(sums[n]) : ''}</span>
            {names.map((name, i) => {
              const value = plans.find((plan) => plan.name === name)?.value ?? 0
              return (
                value > 0 && (
                  <span
                    key={name}
                    style={{ height: `${(value / maxSum) * 180}px`, background: planColors[i % planColors.length] }}
                  />
                )
              )
            })}
            <span className={classes.quiet}>{short.format(new Date(`${month}-01T00:00:00Z`)).replace('.', '')}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function LateCompanies({ data }: { data: MoneySummary }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const history = useTexts(historyTexts)
  const [marked, setMarked] = useState<number | null>(null)
  const [openCompany, setOpenCompany] = useState<{ id: number; name: string } | null>(null)
  return (
    <section className={classes.card}>
      <h2>
        {words.late} <CountBadge value={data.late.length} />
        <span className={classes.right}>
          {data.currencies
            .filter(({ overdue }) => overdue > 0)
            .map(({ overdue, currency }) => formatMoneyWithCode(overdue, currency))
            .join(' · ')}
        </span>
      </h2>
      {data.late.length === 0 && <p className={classes.line}>{words.noneLate}</p>}
      <ul className={classes.late}>
        {data.late.map(({ invoiceId, company, value, currency, days, locked, claimed }) => (
          <li key={invoiceId}>
            <span>
              <button
                type="button"
                className={classes.name}
                aria-label={history.openNamed(company.name)}
                onClick={() => setOpenCompany(company)}
              >
                {company.name}
              </button>
              <span className={classes.quiet} data-kind={locked ? 'danger' : undefined}>
                {[words.days(days), locked && words.locked, claimed && words.claimed].filter(Boolean).join(' · ')}
              </span>
            </span>
            <strong>{formatMoneyWithCode(value, currency)}</strong>
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              aria-label={`${words.markPaid}: ${company.name}`}
              onClick={() => setMarked(invoiceId)}
            >
              <IconCashBanknote size={18} stroke={1.75} />
            </Button>
          </li>
        ))}
      </ul>
      <Suspense fallback={null}>
        {openCompany && <CompanyMoney company={openCompany} onClose={() => setOpenCompany(null)} />}
      </Suspense>
      {marked !== null && (
        <ReasonDialog
          title={words.markPaid}
          line={words.markPaidLine}
          hint={words.markHint}
          doneText={words.done}
          onClose={() => setMarked(null)}
          onConfirm={async (note) => {
            await callApi(moneyApi.paid, { params: { id: marked }, body: { note } })
            await client.invalidateQueries({ queryKey: ['platform-money'] })
          }}
        />
      )}
    </section>
  )
}

function UnmatchedPayments() {
  const words = useTexts(texts)
  const client = useQueryClient()
  const [showsSettled, setShowsSettled] = useState(false)
  const [pendingPayment, setPendingPayment] = useState<Payment | null>(null)
  const query = useQuery({
    queryKey: ['platform-money', 'payments', showsSettled],
    queryFn: () => callApi(moneyApi.payments, { query: { settled: showsSettled } }),
  })
  const rows = query.data?.payments ?? []
  const refetchAll = () => client.invalidateQueries({ queryKey: ['platform-money'] })
  const [busy, setBusy] = useState<number | null>(null)
  const assign = async (payment: Payment, invoiceId: number) => {
    setBusy(payment.id)
    try {
      await callApi(moneyApi.assign, { params: { id: payment.id }, body: { invoiceId } })
      toast.ok(words.assigned(invoiceId))
      await refetchAll()
    } catch (error) {
      toast.error(error)
    } finally {
      setBusy(null)
    }
  }
  return (
    <section className={classes.card}>
      <h2>
        {words.payments} <CountBadge value={query.data?.count ?? 0} />
        <span className={classes.quiet}>{words.paymentsLine}</span>
        <Button
          className={classes.right ?? ''}
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconHistory size={16} stroke={1.75} />}
          onClick={() => setShowsSettled(!showsSettled)}
        >
          {showsSettled ? words.waitingList : words.settledList}
        </Button>
      </h2>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && rows.length === 0 && <p className={classes.line}>{words.nonePayments}</p>}
      {rows.length > 0 && (
        <div className={classes.scroller}>
          <table className={classes.table}>
            <thead>
              <tr>
                {[words.came, words.value, words.from, words.txid, words.looks, ''].map((head) => (
                  <th key={head}>{head}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>{formatDayTime(row.paidAt)}</td>
                  <td>
                    <strong>{formatMoneyWithCode(row.value, pixCurrency)}</strong>
                  </td>
                  <td>{row.payer || row.company?.name}</td>
                  <td>
                    <code>{(row.txid || row.reference).slice(0, 18)}</code>
                  </td>
                  <td>{[words.why[row.why], row.company?.name, row.note].filter(Boolean).join(' · ')}</td>
                  <td>
                    {row.state === 'waiting' && (
                      <span className={classes.buttons}>
                        {row.guess && (
                          <Button
                            size="xs"
                            variant="light"
                            loading={busy === row.id}
                            onClick={() => void assign(row, row.guess?.invoiceId as number)}
                          >
                            {words.assign(row.guess.invoiceId)}
                          </Button>
                        )}
                        <Button size="xs" variant="default" onClick={() => setPendingPayment(row)}>
                          {words.settle}
                        </Button>
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pendingPayment && (
        <ReasonDialog
          title={words.settle}
          line={words.settleAsk}
          hint={words.settleHint}
          doneText={words.settled}
          onClose={() => setPendingPayment(null)}
          onConfirm={async (note) => {
            await callApi(moneyApi.settle, { params: { id: pendingPayment.id }, body: { note } })
            await refetchAll()
          }}
        />
      )}
    </section>
  )
}
