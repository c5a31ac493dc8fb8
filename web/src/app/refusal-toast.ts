import { currentTexts, defineTexts } from '../lib/texts.ts'
import { toast } from '../lib/toast.ts'

const texts = defineTexts({
  es: {
    plan: 'El plan de tu empresa no incluye esta página',
    people: 'Tu cuenta no tiene acceso a esta página',
    going: 'Te llevamos al inicio.',
  },
  pt: {
    plan: 'O plano da sua empresa não inclui esta página',
    people: 'Sua conta não tem acesso a esta página',
    going: 'Vamos levar você ao início.',
  },
  en: {
    plan: "Your company's plan doesn't include this page",
    people: "Your account doesn't have access to this page",
    going: 'Taking you home.',
  },
})

/** Says why a user may not see a page. Loaded on demand: the login page carries everything that the router imports. */
export function toastRefusal(reason: 'plan' | 'people'): void {
  const words = currentTexts(texts)
  if (reason === 'plan') toast.warn(words.plan, words.going, { id: 'gate' })
  else toast.info(words.people, words.going, { id: 'gate' })
}
