/**
 * The permission table, read by the server for every call and by the web client for every control.
 * Names with a page before the colon come from the spec.
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
  /** Deleted contacts: list, restore, delete permanently. */
  'contacts-page:restore': ['admin'],
  /** Change the number of contacts whose conversations the user cannot see: answers go to the new number. */
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
  /** Reverts a customer's opt-out; the user who does it is responsible for it. */
  'campaign-stops:undo': ['admin'],
  'flows-page:edit': ['admin'],
  'prompts-page:edit': ['admin'],
  'integrations-page:edit': ['admin'],
  'messages-api-page:manage': ['admin'],
  'financeiro-page:pay': ['admin'],
} as const satisfies Record<string, readonly Profile[]>

export type Rule = keyof typeof rules

export type UserAccess = { profile: Profile; super: boolean }

/** Within their own company the super user is an admin; only `super` endpoints check the flag. */
export function can(who: Pick<UserAccess, 'profile'>, rule: Rule): boolean {
  return (rules[rule] as readonly Profile[]).includes(who.profile)
}
