import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { PrivateLayout, PublicLayout, RouteErrorPage } from './layouts.tsx'
import { withScreenGate } from './screen-gate.tsx'
import { screens } from './screens.ts'

const root = createRootRoute()

const entry = createRoute({ getParentRoute: () => root, id: 'entry', component: PublicLayout })
const entryRoutes = [
  { path: '/login', component: lazyRouteComponent(() => import('../features/login/login-page.tsx'), 'LoginPage') },
  { path: '/signup', component: lazyRouteComponent(() => import('../features/signup/signup-page.tsx'), 'SignupPage') },
  {
    path: '/forgetpsw',
    component: lazyRouteComponent(
      () => import('../features/forgot-password/forgot-password-page.tsx'),
      'ForgotPasswordPage',
    ),
  },
  {
    path: '/invitation',
    component: lazyRouteComponent(() => import('../features/invitation/invitation-page.tsx'), 'InvitationPage'),
  },
].map((route) => createRoute({ getParentRoute: () => entry, ...route }))

const desk = createRoute({ getParentRoute: () => root, id: 'desk', component: PrivateLayout })
const notFoundRoute = createRoute({
  getParentRoute: () => desk,
  path: '$',
  component: lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage'),
})
const deskRoutes = screens.map(({ path, page, gate }) =>
  createRoute({ getParentRoute: () => desk, path, component: withScreenGate(page, gate) }),
)

export const router = createRouter({
  routeTree: root.addChildren([entry.addChildren(entryRoutes), desk.addChildren([...deskRoutes, notFoundRoute])]),
  defaultPreload: 'intent',
  // A screen's code loads quickly; until then the previous screen stays, with a loading bar on top.
  defaultPendingMs: 60_000,
  defaultErrorComponent: RouteErrorPage,
})
