import { Button } from '@mantine/core'
import { plansApi } from '@recado/contract/plans'
import { IconLogout, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../lib/api.ts'
import { useCan } from '../lib/can.tsx'
import { dayIn, money } from '../lib/format.ts'
import { paidUntil, useSession } from '../lib/session.tsx'
import { defineTexts, useTexts } from '../lib/texts.ts'
import { FrontDoor } from '../ui/front-door.tsx'
import { Notice } from '../ui/notice.tsx'

const texts = defineTexts({
  es: {
    title: 'La suscripción venció',
    line: (company: string, day: string) => `${company} estaba paga hasta el ${day}.`,
    trial: (day: string) => `La prueba gratis terminó el ${day}.`,
    plan: (name: string, price: string) => `Plan ${name}: ${price}.`,
    pay: 'Renueva con quien administra esta plataforma. Tus conversaciones siguen guardadas, y lo que te escriben también.',
    ask: 'Pide a quien administra tu empresa que la renueve. Tus conversaciones siguen guardadas.',
    again: 'Ya está renovada',
    still: 'Todavía figura vencida.',
    leave: 'Cerrar sesión',
  },
  pt: {
    title: 'A assinatura venceu',
    line: (company, day) => `${company} estava paga até ${day}.`,
    trial: (day) => `O teste grátis terminou em ${day}.`,
    plan: (name, price) => `Plano ${name}: ${price}.`,
    pay: 'Renove com quem administra esta plataforma. Suas conversas continuam guardadas, e o que escrevem também.',
    ask: 'Peça a quem administra sua empresa que a renove. Suas conversas continuam guardadas.',
    again: 'Já foi renovada',
    still: 'Ainda consta como vencida.',
    leave: 'Sair',
  },
  en: {
    title: 'The subscription has expired',
    line: (company, day) => `${company} was paid up to ${day}.`,
    trial: (day) => `The free trial ended on ${day}.`,
    plan: (name, price) => `Plan ${name}: ${price}.`,
    pay: 'Renew it with whoever runs this platform. Your conversations are kept, and so is what customers write.',
    ask: 'Ask an admin of your company to renew it. Your conversations are kept.',
    again: 'It has been renewed',
    still: 'It is still expired.',
    leave: 'Log out',
  },
})

/** All that somebody of a company sees that has not paid: since when, what to do, and the way out. */
export function ExpiredPage() {
  const words = useTexts(texts)
  const { user, reload, logout } = useSession()
  const mayPay = useCan()('financeiro-page:pay')
  const [asked, setAsked] = useState<'no' | 'asking' | 'yes'>('no')
  const plans = useQuery({ queryKey: ['plans'], queryFn: () => call(plansApi.all), enabled: mayPay })
  // Renewed elsewhere, perhaps: whoever comes back to this tab need not ask.
  useEffect(() => {
    const look = () => void reload()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [reload])
  if (!user) return null
  const { name, trialExpiration, settings, planId } = user.company
  const plan = plans.data?.find(({ id }) => id === planId)
  const zone = settings.find(({ key }) => key === 'timezone')?.value
  const again = async () => {
    setAsked('asking')
    await reload()
    setAsked('yes')
  }
  return (
    <FrontDoor title={words.title} line={words.line(name, paidUntil(user))} onSubmit={() => void again()}>
      <Notice kind="warn">
        {trialExpiration && `${words.trial(dayIn(trialExpiration, zone))} `}
        {plan && `${words.plan(plan.name, money(plan.value))} `}
        {mayPay ? words.pay : words.ask}
      </Notice>
      {asked === 'yes' && <Notice kind="danger">{words.still}</Notice>}
      <Button
        type="submit"
        size="md"
        loading={asked === 'asking'}
        leftSection={<IconRefresh size={18} stroke={1.75} />}
      >
        {words.again}
      </Button>
      <Button
        variant="default"
        size="md"
        leftSection={<IconLogout size={18} stroke={1.75} />}
        onClick={() => void logout()}
      >
        {words.leave}
      </Button>
    </FrontDoor>
  )
}
