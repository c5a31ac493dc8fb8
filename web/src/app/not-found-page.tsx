import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { defineTexts, useTexts } from '../lib/texts.ts'
import { Bubbles } from '../ui/bubbles.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

const texts = defineTexts({
  es: {
    title: 'Esta página no existe',
    line: 'Quizás el enlace cambió o la dirección tiene un error.',
    home: 'Ir al inicio',
  },
  pt: {
    title: 'Esta página não existe',
    line: 'Talvez o link tenha mudado ou o endereço tenha um erro.',
    home: 'Ir para o início',
  },
  en: {
    title: 'Page not found',
    line: "The link may have changed, or there's a typo in the address.",
    home: 'Go home',
  },
})

export function NotFoundPage() {
  const words = useTexts(texts)
  const navigate = useNavigate()
  return (
    <Page>
      <EmptyState heading="h1" title={words.title} line={words.line} icon={<Bubbles size={80} />}>
        <Button onClick={() => navigate({ to: '/' })}>{words.home}</Button>
      </EmptyState>
    </Page>
  )
}
