import { Button, Skeleton } from '@mantine/core'
import { type MoneyEvent, type MoneyHistory, moneyApi } from '@recado/contract/money/platform'
import {
  IconArrowsExchange,
  IconBan,
  IconCalendarEvent,
  IconCash,
  IconCircleCheck,
  IconFileInvoice,
  IconMail,
  IconQrcode,
  IconSpeakerphone,
} from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '../../lib/api.ts'
import { formatDay, formatDayTime, formatIsoDay } from '../../lib/format.ts'
import { formatMoneyWithCode } from '../../lib/money/format-money.ts'
import { useTexts } from '../../lib/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import classes from './company-money.module.css'
import { type CompanyMoneyTexts, texts } from './texts.ts'

type Props = { company: { id: number; name: string }; onClose: () => void }

/** All billing events of one company, for the super user. */
export function CompanyMoney({ company, onClose }: Props) {
  const words = useTexts(texts)
  const history = useInfiniteQuery({
    queryKey: ['platform-money', 'history', company.id],
    queryFn: ({ pageParam, signal }) =>
      callApi(moneyApi.history, { params: { id: company.id }, query: { pageNumber: pageParam } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
    staleTime: 0,
  })
  const [first] = history.data?.pages ?? []
  // An event that occurred between two page loads is in both pages.
  const events = new Map(history.data?.pages.flatMap((page) => page.events).map((event) => [event.id, event]))
  return (
    <Sheet opened onClose={onClose} size={680} title={words.title(company.name)}>
      <div className={classes.body}>
        {history.isPending && <Skeleton height={240} radius="md" />}
        {history.isError && !first && <ErrorState error={history.error} onRetry={() => void history.refetch()} />}
        {first && <CompanySummary history={first} />}
        {first && events.size === 0 && <EmptyState title={words.none} line={words.noneLine} />}
        <ol className={classes.events}>
          {[...events.values()].map((event) => (
            <MoneyEventRow key={event.id} event={event} />
          ))}
        </ol>
        {history.hasNextPage && (
          <Button variant="default" loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            {words.more}
          </Button>
        )}
      </div>
    </Sheet>
  )
}

function CompanySummary({ history: { company, totals } }: { history: MoneyHistory }) {
  const words = useTexts(texts)
  const sums = (kind: 'paid' | 'open') => totals.map((one) => formatMoneyWithCode(one[kind], one.currency)).join(' · ')
  const facts: [string, string, string][] = [
    [words.plan, company.plan || words.noPlan, company.recurrence ? words.recurrences[company.recurrence] : ''],
    [words.due, company.dueDay ? formatIsoDay(company.dueDay) : words.never, ''],
    [words.paid, sums('paid'), words.since(formatDay(company.createdAt))],
    [words.owes, sums('open'), ''],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([term, what, line]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            <strong>{what}</strong>
            {line && <span>{line}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const eventIcons = {
  written: IconFileInvoice,
  replaced: IconArrowsExchange,
  cancelled: IconBan,
  paid: IconCircleCheck,
  charged: IconQrcode,
  claimed: IconSpeakerphone,
  received: IconCash,
  settled: IconCash,
  reminded: IconMail,
  due: IconCalendarEvent,
  plan: IconArrowsExchange,
  recurrence: IconArrowsExchange,
  currency: IconArrowsExchange,
} satisfies Record<MoneyEvent['kind'], typeof IconBan>

function MoneyEventRow({ event }: { event: MoneyEvent }) {
  const words = useTexts(texts)
  const Icon = eventIcons[event.kind]
  return (
    <li data-kind={event.kind}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <div>
        <span>{describeMoneyEvent(event, words)}</span>
        {event.note && <span className={classes.note}>{event.note}</span>}
        <span className={classes.quiet}>
          <time dateTime={event.at}>{formatDayTime(event.at)}</time> · {event.by || words.house}
        </span>
      </div>
    </li>
  )
}

function describeMoneyEvent(
  { kind, invoiceId, value, currency, way, before, after }: MoneyEvent,
  words: CompanyMoneyTexts,
): string {
  const id = invoiceId === null ? '' : `#${invoiceId}`
  const sum = value === null ? '' : formatMoneyWithCode(value, currency)
  const by = way ? words.ways[way] : ''
  const dayOf = (said: string) => (said ? formatIsoDay(said) : words.never)
  const recurrenceOf = (said: string) => words.recurrences[said as keyof CompanyMoneyTexts['recurrences']] ?? '–'
  const sentences: Record<MoneyEvent['kind'], () => string> = {
    written: () => words.written(id, sum, dayOf(after)),
    replaced: () => words.replaced(id),
    cancelled: () => words.cancelled(id),
    paid: () => words.wasPaid(id, sum, by),
    charged: () => words.charged(id, sum),
    claimed: () => words.claimed(id),
    received: () => words.received(sum, by),
    settled: () => words.settled(sum),
    reminded: () => words.reminded(dayOf(after)),
    due: () => words.dueMoved(dayOf(before), dayOf(after)),
    plan: () => words.planMoved(before || words.noPlan, after || words.noPlan),
    recurrence: () => words.recurrenceMoved(recurrenceOf(before), recurrenceOf(after)),
    currency: () => words.currencyMoved(before, after),
  }
  return sentences[kind]()
}
