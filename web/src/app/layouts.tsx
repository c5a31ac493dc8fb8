import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { ApiError } from '../lib/api.ts'
import { useSession } from '../lib/session.tsx'
import { readToken } from '../lib/storage.ts'
import { defineTexts, useTexts } from '../lib/texts.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { CenteredScreen, Splash } from '../ui/splash.tsx'

const texts = defineTexts({
  es: { lost: 'No encontramos el servidor' },
  pt: { lost: 'Não encontramos o servidor' },
  en: { lost: "We can't reach the server" },
})

const loadShell = () => import('./shell/shell.tsx')
const LockedCompanyPage = lazy(() =>
  import('./locked-company/locked-company-page.tsx').then((module) => ({ default: module.LockedCompanyPage })),
)
const Shell = lazy(() => loadShell().then((module) => ({ default: module.Shell })))
// A user who is still logged in needs the shell at once: it loads while the session is renewed.
if (readToken()) void loadShell()

/** Login, sign-up and reset: only for users who are not logged in. */
export function PublicLayout() {
  const { status } = useSession()
  const { search } = useLocation()
  if (status === 'in') return <Redirect to={nextPath(search)} />
  return <Suspense fallback={<Splash />}>{status === 'loading' ? <Splash /> : <Outlet />}</Suspense>
}

/** All other pages: only for logged-in users. Others log in first and return to the page they wanted. */
export function PrivateLayout() {
  const words = useTexts(texts)
  const { status, left, reload, user } = useSession()
  const { href, pathname } = useLocation()
  if (status === 'out')
    return <Redirect to={left || isHome(pathname) ? '/login' : `/login?next=${encodeURIComponent(href)}`} />
  if (status === 'lost')
    return (
      <CenteredScreen>
        <ErrorState title={words.lost} error={new ApiError('ERR_OFFLINE', 0)} onRetry={reload} />
      </CenteredScreen>
    )
  if (status === 'loading') return <Splash />
  if (user?.company.expired)
    return (
      <Suspense fallback={<Splash />}>
        <LockedCompanyPage />
      </Suspense>
    )
  return (
    <Suspense fallback={<Splash />}>
      <Shell>
        <Outlet />
      </Shell>
    </Suspense>
  )
}

const isHome = (path: string) => path === '/' || path === '/tickets'

/** The router's Navigate navigates again on every render, and each navigation renders. This component navigates once. */
function Redirect({ to }: { to: string }) {
  const navigate = useNavigate()
  // The target depends on the current location, which changes when the user leaves: only the first result counts.
  const [href] = useState(to)
  useEffect(() => {
    void navigate({ href, replace: true })
  }, [navigate, href])
  return <Splash />
}

/** Accepts only a path of this app: a link must not redirect a fresh session to another site. */
function nextPath(search: object): string {
  const next = (search as { next?: unknown }).next
  return typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : '/tickets'
}

export function RouteErrorPage() {
  return (
    <CenteredScreen>
      <ErrorState error={null} onRetry={() => location.reload()} />
    </CenteredScreen>
  )
}
