import { type RouteComponent, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { type ScreenGate, screenRefusalReason } from '../lib/screen.ts'
import { useSession } from '../lib/session.tsx'

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
    void import('./refusal-toast.ts').then(({ toastRefusal }) => toastRefusal(refusalReason))
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
