import { Button } from '@mantine/core'
import { IconLogout, IconMessages, IconRefresh } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { formatDayIn } from '../../lib/format.ts'
import { formatMoney } from '../../lib/money/format-money.ts'
import { formatPaidUntil, useSession } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { canCheckOut, PayIcon } from '../../parts/checkout/payment-method.tsx'
import { AuthPageLayout } from '../../ui/auth-page-layout.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { useLockedSubscription } from './use-locked-subscription.ts'

const texts = defineTexts({
  es: {
    title: 'La suscripción venció',
    line: (company: string, day: string) => `${company} estaba paga hasta el ${day}.`,
    trial: (day: string) => `La prueba gratis terminó el ${day}.`,
    plan: (name: string, price: string) => `Plan ${name}: ${price}.`,
    pay: 'Págala para seguir. Tus conversaciones siguen guardadas, y lo que te escriben también.',
    byHand:
      'Renueva con quien administra esta plataforma. Tus conversaciones siguen guardadas, y lo que te escriben también.',
    open: (id: number, sum: string, day: string) => `Factura #${id}: ${sum}, vencía el ${day}.`,
    payNow: (sum: string) => `Pagar ${sum}`,
    read: 'Leer las conversaciones',
    again: 'Ya está renovada',
    still: 'Todavía figura vencida.',
    leave: 'Cerrar sesión',
  },
  pt: {
    title: 'A assinatura venceu',
    line: (company, day) => `${company} estava paga até ${day}.`,
    trial: (day) => `O teste grátis terminou em ${day}.`,
    plan: (name, price) => `Plano ${name}: ${price}.`,
    pay: 'Pague para continuar. Suas conversas continuam guardadas, e o que escrevem também.',
    byHand: 'Renove com quem administra esta plataforma. Suas conversas continuam guardadas, e o que escrevem também.',
    open: (id, sum, day) => `Fatura #${id}: ${sum}, vencia em ${day}.`,
    payNow: (sum) => `Pagar ${sum}`,
    read: 'Ler as conversas',
    again: 'Já foi renovada',
    still: 'Ainda consta como vencida.',
    leave: 'Sair',
  },
  en: {
    title: 'Your subscription has expired',
    line: (company, day) => `${company} was paid up to ${day}.`,
    trial: (day) => `The free trial ended on ${day}.`,
    plan: (name, price) => `Plan ${name}: ${price}.`,
    pay: 'Pay it to keep working. Your conversations are safe, and so is everything customers send in the meantime.',
    byHand:
      "Renew it with your platform's administrator. Your conversations are safe, and so is everything customers send in the meantime.",
    open: (id, sum, day) => `Invoice #${id}: ${sum}, due on ${day}.`,
    payNow: (sum) => `Pay ${sum}`,
    read: 'Read the conversations',
    again: "I've renewed it",
    still: 'It still shows as expired.',
    leave: 'Log out',
  },
})

const CheckoutDialog = lazy(() =>
  import('../../parts/checkout/checkout-dialog.tsx').then((module) => ({ default: module.CheckoutDialog })),
)

/** The page for users who can pay for an expired company: expiry date, open invoice, payment and logout. */
export function ExpiredPage({ onOpenReadOnly }: { onOpenReadOnly: () => void }) {
  const words = useTexts(texts)
  const { user, reload, logout } = useSession()
  const [checkState, setCheckState] = useState<'no' | 'asking' | 'yes'>('no')
  const [paying, setPaying] = useState(false)
  // After a payment on this page the user first sees the confirmation, and continues from there.
  const data = useLockedSubscription(paying)
  if (!user) return null
  const { name, trialExpiration, settings } = user.company
  const invoice = data?.open.find(({ kind }) => kind === 'plan') ?? data?.open[0]
  const price = data?.price
  const sum = invoice ?? price
  const canPay = data && sum && price && price.value > 0 && canCheckOut(data, sum.currency)
  const zone = settings.find(({ key }) => key === 'timezone')?.value
  const checkAgain = async () => {
    setCheckState('asking')
    await reload()
    setCheckState('yes')
  }
  return (
    <AuthPageLayout
      title={words.title}
      line={words.line(name, formatPaidUntil(user))}
      onSubmit={() => void checkAgain()}
    >
      <InlineNotice kind="warn">
        {trialExpiration && `${words.trial(formatDayIn(trialExpiration, zone))} `}
        {data?.plan &&
          `${words.plan(data.plan.name, formatMoney(data.price?.value ?? 0, data.price?.currency ?? data.currency))} `}
        {invoice &&
          `${words.open(invoice.id, formatMoney(invoice.value, invoice.currency), formatDayIn(invoice.dueDate, zone))} `}
        {canPay ? words.pay : words.byHand}
      </InlineNotice>
      {checkState === 'yes' && <InlineNotice kind="danger">{words.still}</InlineNotice>}
      {canPay && (
        <Button size="md" leftSection={<PayIcon currency={sum.currency} size={18} />} onClick={() => setPaying(true)}>
          {words.payNow(formatMoney(sum.value, sum.currency))}
        </Button>
      )}
      <Button
        type="submit"
        variant={canPay ? 'default' : 'filled'}
        size="md"
        loading={checkState === 'asking'}
        leftSection={<IconRefresh size={18} stroke={1.75} />}
      >
        {words.again}
      </Button>
      <Button
        variant="default"
        size="md"
        leftSection={<IconMessages size={18} stroke={1.75} />}
        onClick={onOpenReadOnly}
      >
        {words.read}
      </Button>
      <Button
        variant="default"
        size="md"
        leftSection={<IconLogout size={18} stroke={1.75} />}
        onClick={() => void logout()}
      >
        {words.leave}
      </Button>
      <Suspense fallback={null}>
        {data && paying && (
          <CheckoutDialog opened onClose={() => setPaying(false)} subscription={data} invoice={invoice ?? null} />
        )}
      </Suspense>
    </AuthPageLayout>
  )
}
