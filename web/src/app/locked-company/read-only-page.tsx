import { ActionIcon, Button, SegmentedControl, Skeleton } from '@mantine/core'
import type { Subscription } from '@recado/contract/money/subscription'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import { IconArrowLeft, IconLock, IconLogout, IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import '../../lib/desk-error-texts.ts'
import { formatDayTime } from '../../lib/format.ts'
import { formatMoney } from '../../lib/money/format-money.ts'
import { formatPaidUntil, useSession } from '../../lib/session.tsx'
import { defineTexts, useLanguage, useTexts } from '../../lib/texts.ts'
import { PayIcon } from '../../parts/checkout/payment-method.tsx'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { Thread } from '../../parts/conversation/thread/thread.tsx'
import { LastMessage } from '../../parts/ticket/last-message.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Wordmark } from '../../ui/logo.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import classes from './read-only-page.module.css'
import { useLockedSubscription } from './use-locked-subscription.ts'

const texts = defineTexts({
  es: {
    title: 'La suscripción venció',
    since: (company: string, day: string) => `${company} estaba paga hasta el ${day}.`,
    only: 'Puedes leer lo que está abierto; responder, no. Lo que escriben tus clientes se guarda.',
    open: (id: number, sum: string) => `Falta pagar la factura #${id}, de ${sum}.`,
    ask: (names: string) => `Pide a ${names} que la renueve.`,
    nobody: 'quien administra tu empresa',
    pay: 'Pagar',
    leave: 'Cerrar sesión',
    which: 'Qué conversaciones',
    mine: 'Atendiendo',
    waiting: 'Esperando',
    none: 'No hay ninguna',
    noneLine: 'Las que lleguen aparecen aquí.',
    choose: 'Elige una conversación',
    chooseLine: 'Se abre solo para leer.',
    back: 'Volver a la lista',
    readOnly: 'Solo lectura: se puede responder cuando la suscripción esté paga.',
    more: 'Ver más',
  },
  pt: {
    title: 'A assinatura venceu',
    since: (company, day) => `${company} estava paga até ${day}.`,
    only: 'Você pode ler o que está aberto, mas não responder. O que seus clientes escrevem fica guardado.',
    open: (id, sum) => `Falta pagar a fatura #${id}, de ${sum}.`,
    ask: (names) => `Peça a ${names} que a renove.`,
    nobody: 'quem administra sua empresa',
    pay: 'Pagar',
    leave: 'Sair',
    which: 'Quais conversas',
    mine: 'Atendendo',
    waiting: 'Aguardando',
    none: 'Não há nenhuma',
    noneLine: 'As que chegarem aparecem aqui.',
    choose: 'Escolha uma conversa',
    chooseLine: 'Ela abre só para leitura.',
    back: 'Voltar à lista',
    readOnly: 'Só leitura: dá para responder quando a assinatura estiver paga.',
    more: 'Ver mais',
  },
  en: {
    title: 'Your subscription has expired',
    since: (company, day) => `${company} was paid up to ${day}.`,
    only: 'You can read open conversations but not reply. Messages from your customers are still saved.',
    open: (id, sum) => `Invoice #${id} for ${sum} is unpaid.`,
    ask: (names) => `Ask ${names} to renew it.`,
    nobody: "your company's admin",
    pay: 'Pay',
    leave: 'Log out',
    which: 'Conversations to show',
    mine: 'In progress',
    waiting: 'Waiting',
    none: 'None',
    noneLine: 'New ones will show up here.',
    choose: 'Choose a conversation',
    chooseLine: 'It opens in read-only mode.',
    back: 'Back to the list',
    readOnly: 'Read only: you can reply once the subscription is paid.',
    more: 'Show more',
  },
})

type Status = 'open' | 'pending'
/** A locked browser gets no live messages, so it polls. */
const pollMs = 30_000

/** Open tickets, read-only, under a notice that says why. */
export function ReadOnlyPage({ onPay }: { onPay: (() => void) | undefined }) {
  const words = useTexts(texts)
  usePageTitle(words.title)
  const phone = useIsPhone()
  const [status, setStatus] = useState<Status>('open')
  const [selectedId, setSelectedId] = useState<number | null>(null)
  const subscription = useLockedSubscription()
  const list = useOpenTickets(status)
  const tickets = list.data?.pages.flatMap((page) => page.tickets) ?? []
  const ticket = tickets.find(({ id }) => id === selectedId)
  const conversation = ticket ? (
    <section className={classes.conversation} aria-label={ticket.contact.name}>
      <div className={classes.with}>
        {phone && (
          <ActionIcon aria-label={words.back} size={36} onClick={() => setSelectedId(null)}>
            <IconArrowLeft size={20} stroke={1.75} />
          </ActionIcon>
        )}
        <ContactAvatar contact={ticket.contact} size={32} isGroup={ticket.isGroup} />
        <h2 className={classes.clip}>{ticket.contact.name}</h2>
        <IconLock size={16} stroke={1.75} aria-hidden="true" />
      </div>
      <div className={classes.thread}>
        {/* A new last message reloads the conversation. */}
        <Thread key={`${ticket.id} ${ticket.updatedAt}`} ticket={ticket} readOnly />
      </div>
      <p className={classes.foot}>{words.readOnly}</p>
    </section>
  ) : (
    <div className={classes.empty}>
      <EmptyState icon={<IconMessages size={26} stroke={1.6} />} title={words.choose} line={words.chooseLine} />
    </div>
  )
  return (
    <div className={classes.root}>
      {!(phone && ticket) && <SubscriptionHeader subscription={subscription} onPay={onPay} />}
      <main className={classes.columns}>
        {!(phone && ticket) && (
          <div className={classes.list}>
            <SegmentedControl
              className={classes.tabs ?? ''}
              aria-label={words.which}
              fullWidth
              value={status}
              onChange={(value) => setStatus(value as Status)}
              data={[
                { value: 'open', label: words.mine },
                { value: 'pending', label: words.waiting },
              ]}
            />
            <div className={classes.rows}>
              {list.isPending && <Skeleton height={60} radius="md" m={12} />}
              {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
              {list.isSuccess && !tickets.length && <EmptyState title={words.none} line={words.noneLine} />}
              {tickets.map((one) => (
                <Row
                  key={one.id}
                  ticket={one}
                  selected={one.id === selectedId}
                  onChoose={() => setSelectedId(one.id)}
                />
              ))}
              {list.hasNextPage && (
                <Button
                  variant="subtle"
                  color="gray"
                  fullWidth
                  loading={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  {words.more}
                </Button>
              )}
            </div>
          </div>
        )}
        {(!phone || ticket) && conversation}
      </main>
    </div>
  )
}

function useOpenTickets(status: Status) {
  const showAll = useCan()('tickets-manager:showall')
  return useInfiniteQuery({
    queryKey: ['locked', 'tickets', status],
    queryFn: ({ pageParam, signal }) =>
      callApi(ticketsApi.list, { query: { status, showAll, pageNumber: pageParam } as never }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.hasMore ? all.length + 1 : undefined),
    refetchInterval: pollMs,
  })
}

type HeadProps = { subscription: Subscription | undefined; onPay: (() => void) | undefined }
function SubscriptionHeader({ subscription, onPay }: HeadProps) {
  const words = useTexts(texts)
  const { user, logout } = useSession()
  const names = useNames(subscription?.admins ?? [])
  const invoice = subscription?.open.find(({ kind }) => kind === 'plan') ?? subscription?.open[0]
  if (!user) return null
  return (
    <>
      <header className={classes.bar}>
        <Wordmark height={24} />
        <span className={classes.space} />
        <ThemeToggle />
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconLogout size={16} stroke={1.75} />}
          onClick={() => void logout()}
        >
          {words.leave}
        </Button>
      </header>
      <div className={classes.banner} role="status">
        <IconLock size={20} stroke={1.75} aria-hidden="true" />
        <div className={classes.why}>
          <h1>{words.title}</h1>
          <p>
            {[
              words.since(user.company.name, formatPaidUntil(user)),
              invoice && words.open(invoice.id, formatMoney(invoice.value, invoice.currency)),
              words.only,
              !onPay && words.ask(names || words.nobody),
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
        </div>
        {onPay && (
          <Button
            leftSection={<PayIcon currency={invoice?.currency ?? subscription?.currency ?? 'BRL'} />}
            onClick={onPay}
          >
            {words.pay}
          </Button>
        )}
      </div>
    </>
  )
}

/** "Ana, Luis o Sol", in the reader's language. */
function useNames(names: string[]): string {
  const [language] = useLanguage()
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(names)
}

type RowProps = { ticket: Ticket; selected: boolean; onChoose: () => void }
function Row({ ticket, selected, onChoose }: RowProps) {
  return (
    <button type="button" className={classes.row} aria-current={selected || undefined} onClick={onChoose}>
      <ContactAvatar contact={ticket.contact} size={36} isGroup={ticket.isGroup} />
      <span className={classes.lines}>
        <span className={classes.line}>
          <strong className={classes.clip}>{ticket.contact.name}</strong>
          <time dateTime={ticket.updatedAt}>{formatDayTime(ticket.updatedAt)}</time>
        </span>
        <span className={classes.line}>
          <LastMessage ticket={ticket} />
          {ticket.unreadMessages > 0 && <CountBadge value={ticket.unreadMessages} kind="accent" />}
        </span>
      </span>
    </button>
  )
}
