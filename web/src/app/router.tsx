import {
  type RouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { EntryLayout, PrivateLayout, RouteFailed } from './entrances.tsx'
import { type Gate, gated } from './gate.tsx'

type Screen = { path: string; component: RouteComponent; gate?: Gate }

/** Every screen behind the login. One line here, and its entry in the menu appears. */
export const screens: Screen[] = [
  { path: '/quick-messages', component: lazyRouteComponent(() => import('../features/quick-messages/quick-messages-page.tsx'), 'QuickMessagesPage') },
  { path: '/todolist', component: lazyRouteComponent(() => import('../features/todo-list/todo-list-page.tsx'), 'TodoListPage') },
  { path: '/tags', component: lazyRouteComponent(() => import('../features/tags/tags-page.tsx'), 'TagsPage') },
  { path: '/helps', component: lazyRouteComponent(() => import('../features/helps/helps-page.tsx'), 'HelpsPage') },
  { path: '/announcements', component: lazyRouteComponent(() => import('../features/announcements/announcements-page.tsx'), 'AnnouncementsPage'), gate: { super: true } },
  { path: '/files', component: lazyRouteComponent(() => import('../features/files/files-page.tsx'), 'FilesPage'), gate: { rule: 'drawer-admin-items:view' } },
  { path: '/users', component: lazyRouteComponent(() => import('../features/users/users-page.tsx'), 'UsersPage'), gate: { rule: 'drawer-admin-items:view' } },
  { path: '/settings', component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'), gate: { rule: 'drawer-admin-items:view' } },
]

const root = createRootRoute()

const entry = createRoute({ getParentRoute: () => root, id: 'entry', component: EntryLayout })
const entryRoutes = [
  { path: '/login', component: lazyRouteComponent(() => import('../features/login/login-page.tsx'), 'LoginPage') },
  { path: '/signup', component: lazyRouteComponent(() => import('../features/signup/signup-page.tsx'), 'SignupPage') },
  { path: '/forgetpsw', component: lazyRouteComponent(() => import('../features/forgot-password/forgot-password-page.tsx'), 'ForgotPasswordPage') },
].map((route) => createRoute({ getParentRoute: () => entry, ...route }))

const desk = createRoute({ getParentRoute: () => root, id: 'desk', component: PrivateLayout })
const home = createRoute({ getParentRoute: () => desk, path: '/', beforeLoad: () => { throw redirect({ to: '/tickets', replace: true }) } })
const welcome = createRoute({ getParentRoute: () => desk, path: '/tickets', component: lazyRouteComponent(() => import('./welcome-page.tsx'), 'WelcomePage') })
const nowhere = createRoute({ getParentRoute: () => desk, path: '$', component: lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage') })
const deskRoutes = screens.map(({ path, component, gate }) =>
  createRoute({ getParentRoute: () => desk, path, component: gate ? gated(component, gate) : component }),
)

export const router = createRouter({
  routeTree: root.addChildren([entry.addChildren(entryRoutes), desk.addChildren([home, welcome, ...deskRoutes, nowhere])]),
  defaultPreload: 'intent',
  // A screen's code arrives in a blink; until then the screen before it stays, with a line on top that says so.
  defaultPendingMs: 60_000,
  defaultErrorComponent: RouteFailed,
})
