import { type RouteComponent, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { type ScreenGate, screenRefusalReason } from '../lib/screen.ts'
import { useSession } from '../lib/session.tsx'
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

/** The delay before the redirect (spec, section 9). */
const redirectDelayMs = 1000

/** The company's reports and the user's own reports are the same page at two paths. */
const twinPages: Record<string, '/' | '/figures'> = { '/': '/figures', '/figures': '/' }

export function withScreenGate(Component: RouteComponent, gate: ScreenGate | undefined): RouteComponent {
  if (!gate) return Component
  const Gated = () => (
    <ScreenGuard gate={gate}>
      <Component />
    </ScreenGuard>
  )
  return Object.assign(Gated, { preload: (Component as { preload?: () => Promise<void> }).preload })
}

function ScreenGuard({ gate, children }: { gate: ScreenGate; children: ReactNode }) {
  const refusalReason = useRefusal(gate)
  const navigate = useNavigate()
  useEffect(() => {
    if (!refusalReason) return
    // A shared link to a report opens at the other path for users who read reports there.
    const twin = twinPages[location.pathname]
    if (twin && location.search) return void navigate({ to: twin, search: true as never, replace: true })
    // Users without a dashboard go from the home page to their tickets, without a message.
    if (location.pathname === '/') return void navigate({ to: '/tickets', replace: true })
    const words = currentTexts(texts)
    if (refusalReason === 'plan') toast.warn(words.plan, words.going, { id: 'gate' })
    else toast.info(words.people, words.going, { id: 'gate' })
    const timer = setTimeout(() => navigate({ to: '/', replace: true }), redirectDelayMs)
    return () => clearTimeout(timer)
  }, [refusalReason, navigate])
  return refusalReason ? null : children
}

/** Why this user may not see the page. While the plan is unknown nothing is refused here; the server still checks. */
function useRefusal(gate: ScreenGate): 'plan' | 'people' | null {
  const { user, plan } = useSession()
  const refusalReason = user ? screenRefusalReason(gate, user, plan) : 'people'
  return refusalReason === 'unknown' ? null : refusalReason
}
