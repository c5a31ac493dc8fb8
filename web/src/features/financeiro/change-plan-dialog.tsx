import { Select } from '@mantine/core'
import type { Invoice } from '@recado/contract/money/invoices'
import { type Subscription, subscriptionApi } from '@recado/contract/money/subscription'
import { findPlanPrice, plansApi } from '@recado/contract/plans'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useErrorText } from '../../lib/errors.ts'
import { formatMoney } from '../../lib/money/format-money.ts'
import { useFormatDueDay } from '../../lib/session.tsx'
import { defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { SheetForm } from '../../ui/sheet.tsx'
import classes from './financeiro.module.css'

const texts = defineTexts({
  es: {
    title: 'Cambiar de plan',
    pick: 'Nuevo plan',
    none: 'No hay otro plan.',
    now: (sum: string, days: number) => `Pagas ${sum} ahora por los ${days} días que quedan. El plan cambia al pagar.`,
    atOnce: 'Cambia enseguida, sin pagar nada ahora.',
    extra: (days: number, until: string) => `Lo que ya pagaste alcanza para ${days} días más: hasta el ${until}.`,
    after: (sum: string) => `Después, ${sum} por periodo.`,
    first: 'Quita primero lo que excede el plan:',
    tooMany: { users: 'usuarios', connections: 'líneas', queues: 'colas' },
    have: (name: string, have: number, most: number) => `${name}: tienes ${have}, el plan permite ${most}`,
    verb: 'Cambiar',
    pay: 'Ir a pagar',
    changed: 'Plan cambiado',
  },
  pt: {
    title: 'Mudar de plano',
    pick: 'Novo plano',
    none: 'Não há outro plano.',
    now: (sum, days) => `Você paga ${sum} agora pelos ${days} dias que restam. O plano muda ao pagar.`,
    atOnce: 'Muda na hora, sem pagar nada agora.',
    extra: (days, until) => `O que você já pagou rende mais ${days} dias: até ${until}.`,
    after: (sum) => `Depois, ${sum} por período.`,
    first: 'Remova antes o que excede o plano:',
    tooMany: { users: 'usuários', connections: 'linhas', queues: 'filas' },
    have: (name, have, most) => `${name}: você tem ${have}, o plano permite ${most}`,
    verb: 'Mudar',
    pay: 'Ir pagar',
    changed: 'Plano alterado',
  },
  en: {
    title: 'Change plan',
    pick: 'New plan',
    none: "There's no other plan.",
    now: (sum, days) => `You pay ${sum} now for the ${days} days left. The plan changes once you pay.`,
    atOnce: 'It changes right away, with nothing to pay now.',
    extra: (days, until) => `What you've already paid covers ${days} more days: until ${until}.`,
    after: (sum) => `After that, ${sum} per period.`,
    first: "First remove what's over the limit:",
    tooMany: { users: 'users', connections: 'lines', queues: 'queues' },
    have: (name, have, most) => `${name}: you have ${have}, the plan allows ${most}`,
    verb: 'Change',
    pay: 'Go to payment',
    changed: 'Plan changed',
  },
})

type Props = { onClose: () => void; subscription: Subscription; onInvoice: (invoice: Invoice) => void }

/** A preview of a plan change before it is confirmed. */
export function ChangePlanDialog({ onClose, subscription, onInvoice }: Props) {
  const words = useTexts(texts)
  const dueDay = useFormatDueDay()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [picked, setPicked] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => callApi(plansApi.all), staleTime: 0 })
  // A plan without a price in the company's currency cannot be bought.
  const { currency } = subscription
  const otherPlans = (plans.data ?? []).flatMap((plan) => {
    const value = findPlanPrice(plan, currency)
    return value === null || plan.id === subscription.plan?.id ? [] : [{ id: plan.id, name: plan.name, value }]
  })
  const preview = useQuery({
    queryKey: ['money', 'plan', picked],
    queryFn: () => callApi(subscriptionApi.planChange, { params: { id: Number(picked) } }),
    enabled: picked !== null,
  })
  const { data } = preview
  const change = async () => {
    setBusy(true)
    try {
      const { invoice } = await callApi(subscriptionApi.changePlan, { params: { id: Number(picked) } })
      await client.invalidateQueries({ queryKey: ['money'] })
      if (invoice) return onInvoice(invoice)
      toast.ok(words.changed)
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
      title={words.title}
      size={480}
      submitLabel={data?.value ? words.pay : words.verb}
      isBusy={busy}
      disabled={!data || data.tooMany.length > 0}
      onSubmit={() => void change()}
    >
      {plans.data && !otherPlans.length ? (
        <InlineNotice kind="info">{words.none}</InlineNotice>
      ) : (
        <Select
          label={words.pick}
          value={picked}
          onChange={setPicked}
          data={otherPlans.map(({ id, name, value }) => ({
            value: String(id),
            label: `${name} · ${formatMoney(value, currency)}`,
          }))}
        />
      )}
      {preview.isError && <InlineNotice kind="danger">{errorText(preview.error)}</InlineNotice>}
      {data && data.tooMany.length > 0 && (
        <InlineNotice kind="warn">
          {words.first}
          {data.tooMany.map(({ kind, have, most }) => (
            <div key={kind}>{words.have(words.tooMany[kind], have, most)}</div>
          ))}
        </InlineNotice>
      )}
      {data && data.tooMany.length === 0 && (
        <div className={classes.preview}>
          <p>{data.value ? words.now(formatMoney(data.value, data.currency), data.days) : words.atOnce}</p>
          {data.extraDays > 0 && <p>{words.extra(data.extraDays, dueDay(data.dueDate))}</p>}
          <p>{words.after(formatMoney(data.nextValue, data.currency))}</p>
        </div>
      )}
    </SheetForm>
  )
}
