import { Button, Skeleton } from '@mantine/core'
import type { Subscription } from '@recado/contract/money/subscription'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { formatMoney } from '../../lib/money/format-money.ts'
import { useFormatDueDay, useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { PayIcon } from '../../parts/checkout/payment-method.tsx'
import { texts as moneyTexts } from '../../parts/checkout/texts.ts'
import { useSubscription } from '../../parts/checkout/use-subscription.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { Page, PageBody } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './subscription.module.css'

const CheckoutDialog = lazy(() =>
  import('../../parts/checkout/checkout-dialog.tsx').then((module) => ({ default: module.CheckoutDialog })),
)
const BillingForm = lazy(() =>
  import('../../parts/checkout/billing-form.tsx').then((module) => ({ default: module.BillingForm })),
)

const texts = defineTexts({
  es: {
    title: 'Suscripción',
    trial: (n: number) => (n === 1 ? 'Queda 1 día de prueba' : `Quedan ${n} días de prueba`),
    trialToday: 'La prueba termina hoy',
    trialOver: 'La prueba terminó',
    active: (until: string) => `Activa hasta el ${until}`,
    expired: (since: string) => `Venció el ${since}`,
    forever: 'No vence',
    plan: 'Plan',
    mail: 'Correo',
    name: 'Nombre de facturación',
    none: 'Aún sin completar',
    edit: 'Editar datos de facturación',
    subscribe: 'Suscribirse ahora',
    invoices: 'Ver las facturas',
  },
  pt: {
    title: 'Assinatura',
    trial: (n) => (n === 1 ? 'Resta 1 dia de teste' : `Restam ${n} dias de teste`),
    trialToday: 'O teste termina hoje',
    trialOver: 'O teste terminou',
    active: (until) => `Ativa até ${until}`,
    expired: (since) => `Venceu em ${since}`,
    forever: 'Não vence',
    plan: 'Plano',
    mail: 'E-mail',
    name: 'Nome para cobrança',
    none: 'Ainda não informado',
    edit: 'Editar dados de cobrança',
    subscribe: 'Assinar agora',
    invoices: 'Ver as faturas',
  },
  en: {
    title: 'Subscription',
    trial: (n) => (n === 1 ? '1 trial day left' : `${n} trial days left`),
    trialToday: 'Your trial ends today',
    trialOver: 'Your trial is over',
    active: (until) => `Active until ${until}`,
    expired: (since) => `Expired on ${since}`,
    forever: 'Never expires',
    plan: 'Plan',
    mail: 'Email',
    name: 'Billing name',
    none: 'Not filled in yet',
    edit: 'Edit billing details',
    subscribe: 'Subscribe now',
    invoices: 'View invoices',
  },
})

/** The end of the trial or subscription, and its renewal. */
export function SubscriptionPage() {
  const words = useTexts(texts)
  const subscription = useSubscription()
  const [opened, setOpened] = useState<'pay' | 'billing' | null>(null)
  const { data } = subscription
  return (
    <Page>
      <PageHeader title={words.title} />
      <PageBody>
        {subscription.isPending && <Skeleton height={220} radius="md" className={classes.card ?? ''} />}
        {subscription.isError && !data && (
          <ErrorState error={subscription.error} onRetry={() => void subscription.refetch()} />
        )}
        {data && (
          <SubscriptionCard
            subscription={data}
            onPay={() => setOpened('pay')}
            onEditBilling={() => setOpened('billing')}
          />
        )}
      </PageBody>
      <Suspense fallback={null}>
        {data && opened === 'pay' && (
          <CheckoutDialog
            opened
            onClose={() => setOpened(null)}
            subscription={data}
            invoice={data.open.find(({ kind }) => kind === 'plan') ?? null}
          />
        )}
        {data && opened === 'billing' && <BillingForm opened onClose={() => setOpened(null)} billing={data.billing} />}
      </Suspense>
    </Page>
  )
}

type CardProps = { subscription: Subscription; onPay: () => void; onEditBilling: () => void }
function SubscriptionCard({ subscription, onPay, onEditBilling }: CardProps) {
  const words = useTexts(texts)
  const common = useTexts(moneyTexts)
  const { user } = useSession()
  const { plan, price, months, dueDate, billing } = subscription
  return (
    <section className={classes.card}>
      <SubscriptionStatus subscription={subscription} />
      <dl className={classes.facts}>
        <div>
          <dt>{words.plan}</dt>
          <dd>
            {plan && price
              ? [
                  `${plan.name} · ${common.perMonth(formatMoney(price.value, price.currency))}`,
                  months > 1 && common.every(months),
                ]
                  .filter(Boolean)
                  .join(', ')
              : words.none}
          </dd>
        </div>
        <div>
          <dt>{words.mail}</dt>
          <dd>{user?.company.email || words.none}</dd>
        </div>
        <div>
          <dt>{words.name}</dt>
          <dd>{billing.billingName || words.none}</dd>
        </div>
      </dl>
      <div className={classes.buttons}>
        {dueDate && price && price.value > 0 && (
          <Button leftSection={<PayIcon currency={price.currency} />} onClick={onPay}>
            {words.subscribe}
          </Button>
        )}
        <Button variant="default" onClick={onEditBilling}>
          {words.edit}
        </Button>
        <Link to="/financeiro" className={classes.link}>
          {words.invoices}
        </Link>
      </div>
    </section>
  )
}

function SubscriptionStatus({ subscription }: { subscription: Subscription }) {
  const words = useTexts(texts)
  const dueDay = useFormatDueDay()
  const { dueDate, isTrial, expired, trialExpiration } = subscription
  if (!dueDate) return <InlineNotice kind="info">{words.forever}</InlineNotice>
  if (isTrial && trialExpiration) {
    const left = Math.floor((Date.parse(trialExpiration) - Date.now()) / 86_400_000)
    const said = expired || left < 0 ? words.trialOver : left === 0 ? words.trialToday : words.trial(left)
    return <InlineNotice kind={left < 5 ? 'warn' : 'info'}>{said}</InlineNotice>
  }
  return (
    <InlineNotice kind={expired ? 'danger' : 'info'}>
      {expired ? words.expired(dueDay(dueDate)) : words.active(dueDay(dueDate))}
    </InlineNotice>
  )
}
