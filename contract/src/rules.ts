/**
 * Who may do what: one table, read by the server for every call and by the web for every control.
 * Names with a page before the colon are the spec's own.
 */
export const profiles = ['user', 'supervisor', 'admin'] as const
export type Profile = (typeof profiles)[number]

export const rules = {
  'dashboard:view': ['admin'],
  'figures-page:view': ['supervisor', 'user'],
  'drawer-admin-items:view': ['admin'],
  'tickets-manager:showall': ['admin'],
  'tickets:all': ['admin'],
  'tickets:lead': ['admin', 'supervisor'],
  'ticket-options:deleteTicket': ['admin'],
  'contacts-page:deleteContact': ['admin', 'supervisor'],
  'contacts-page:erase': ['admin'],
  /** Deleted contacts: see them, bring them back, delete them for good. */
  'contacts-page:restore': ['admin'],
  /** Of contacts whose conversations one does not see: answers go to the new number. */
  'contacts-page:changeNumber': ['admin'],
  'connections-page:addConnection': ['admin'],
  'connections-page:actionButtons': ['admin'],
  'connections-page:editOrDeleteConnection': ['admin'],
  'user-modal:editProfile': ['admin'],
  'user-modal:editQueues': ['admin'],
  'users-page:manage': ['admin'],
  'tags-page:kanban': ['admin', 'supervisor'],
  'quick-messages-page:editAll': ['admin'],
  'files-page:edit': ['admin'],
  'settings-page:edit': ['admin'],
  'queues-page:edit': ['admin'],
  'sandbox-page:use': ['admin'],
  'campaigns-page:manage': ['admin'],
  /** A customer said stop: whoever takes that back answers for it. */
  'campaign-stops:undo': ['admin'],
  'prompts-page:edit': ['admin'],
  'integrations-page:edit': ['admin'],
  'messages-api-page:manage': ['admin'],
  'financeiro-page:pay': ['admin'],
} as const satisfies Record<string, readonly Profile[]>

export type Rule = keyof typeof rules

export type UserAccess = { profile: Profile; super: boolean }

/** The super user works inside their own company as an admin; only `super` endpoints look at the flag. */
export function can(who: Pick<UserAccess, 'profile'>, rule: Rule): boolean {
  return (rules[rule] as readonly Profile[]).includes(who.profile)
}
