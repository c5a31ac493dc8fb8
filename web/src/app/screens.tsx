import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { Gate } from './gate.tsx'

type Screen = { path: string; component: RouteComponent; gate?: Gate }

/** Every screen behind the login. One line here, and its entry in the menu appears. */
export const screens: Screen[] = [
  {
    path: '/tickets/{-$ticketId}',
    component: lazyRouteComponent(() => import('../features/tickets/tickets-page.tsx'), 'TicketsPage'),
  },
  {
    path: '/quick-messages',
    component: lazyRouteComponent(
      () => import('../features/quick-messages/quick-messages-page.tsx'),
      'QuickMessagesPage',
    ),
  },
  {
    path: '/todolist',
    component: lazyRouteComponent(() => import('../features/todo-list/todo-list-page.tsx'), 'TodoListPage'),
  },
  {
    path: '/contacts',
    component: lazyRouteComponent(() => import('../features/contacts/contacts-page.tsx'), 'ContactsPage'),
  },
  { path: '/tags', component: lazyRouteComponent(() => import('../features/tags/tags-page.tsx'), 'TagsPage') },
  { path: '/helps', component: lazyRouteComponent(() => import('../features/helps/helps-page.tsx'), 'HelpsPage') },
  {
    path: '/announcements',
    component: lazyRouteComponent(
      () => import('../features/announcements/announcements-page.tsx'),
      'AnnouncementsPage',
    ),
    gate: { super: true },
  },
  {
    path: '/connections',
    component: lazyRouteComponent(() => import('../features/connections/connections-page.tsx'), 'ConnectionsPage'),
    gate: { rule: 'drawer-admin-items:view' },
  },
  {
    path: '/phone',
    component: lazyRouteComponent(() => import('../features/phone/phone-page.tsx'), 'PhonePage'),
    gate: { rule: 'sandbox-page:use' },
  },
  {
    path: '/files',
    component: lazyRouteComponent(() => import('../features/files/files-page.tsx'), 'FilesPage'),
    gate: { rule: 'drawer-admin-items:view' },
  },
  {
    path: '/queues',
    component: lazyRouteComponent(() => import('../features/queues/queues-page.tsx'), 'QueuesPage'),
    gate: { rule: 'drawer-admin-items:view' },
  },
  {
    path: '/users',
    component: lazyRouteComponent(() => import('../features/users/users-page.tsx'), 'UsersPage'),
    gate: { rule: 'drawer-admin-items:view' },
  },
  {
    path: '/settings',
    component: lazyRouteComponent(() => import('../features/settings/settings-page.tsx'), 'SettingsPage'),
    gate: { rule: 'drawer-admin-items:view' },
  },
]

/** `{-$id}` at the end is the part of an address that may be missing. */
export const exists = (path: string): boolean => screens.some((screen) => screen.path.replace(/\/\{-.*/, '') === path)
