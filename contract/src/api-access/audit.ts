import { z } from 'zod'
import { beforeId, get, isoDateTime, ref } from '../endpoint.ts'

/**
 * Audited actions: who did what to which object. Data that identifies a customer is stored beside the entry
 * (`auditContacts`), so that erasing the person removes the data and leaves the entry.
 */
export const auditActions = [
  'key.created',
  'key.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.renewed',
  'webhook.deleted',
  'contact.exported',
  'contact.erased',
  /** `name`: the contact. `changes`: the old and the new number. */
  'contact.renumbered',
  /** The contact was deleted with its conversations. It can be restored for 30 days; `name` is kept for as long. */
  'contact.deleted',
  'contact.restored',
  /** The contact was deleted permanently, by an admin or automatically after 30 days. */
  'contact.purged',
  /** Two merged contacts were split. */
  'contact.joined',
  'contact.separated',
  /** A customer may receive campaigns again; `changes` has the customer's words of consent. */
  'campaign-stop.undone',
  'company.exported',
  /** File exports. `name`: the number of rows. */
  'export.contacts',
  'export.campaign',
  /** `name`: the ticket number. */
  'export.conversation',
  'export.audit',
  /** `about`: the number of messages that the retention period deleted automatically. */
  'retention.deleted',
  'user.created',
  'user.changed',
  'user.deleted',
  'line.created',
  'line.changed',
  /** A user unlinked the phone from this desk. */
  'line.unlinked',
  'line.deleted',
  'line.moved',
  'setting.changed',
  'flow.published',
  'flow.changed',
  'flow.deleted',
  'two-factor.on',
  'two-factor.off',
  'passkey.added',
  'passkey.removed',
  'login.done',
  'login.refused',
] as const
export type AuditAction = (typeof auditActions)[number]

/** The old and new value of a field, long texts cut; for secrets both are empty. */
export const AuditChange = z.object({ field: z.string(), from: z.string(), to: z.string() })
export type AuditChange = z.infer<typeof AuditChange>

export const AuditEntry = z.object({
  id: z.number(),
  /** One of `auditActions`; later releases may add more. */
  deed: z.string(),
  /** The id of the object. */
  about: z.number(),
  /** The object's name; a customer's name is removed when the customer is erased. */
  name: z.string(),
  /** The author. When the user is deleted, the name stays and the id becomes 0. */
  by: z.object({ id: z.number(), name: z.string() }),
  /** The API key that acted for the author (id 0 after an import); null: the author acted without a key. */
  key: z.object({ id: z.number(), name: z.string() }).nullable(),
  changes: z.array(AuditChange),
  at: isoDateTime,
})
export type AuditEntry = z.infer<typeof AuditEntry>

const AuditQuery = z.object({
  /** The beginning of an action's name: `key`. */
  deed: z.string().max(40).default(''),
  /** Only actions of this user. */
  userId: ref('user').optional(),
  /** A part of the author's or the object's name. */
  searchParam: z.string().trim().max(100).default(''),
  /** Further names to match, separated by commas: a screen may show an object under a translated name. */
  named: z.string().max(1000).default(''),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})

export const auditApi = {
  list: get('/audit', {
    about: 'Changes and logins with their author, newest first; `before` is the id of the last entry that was read',
    access: 'settings-page:edit',
    query: AuditQuery.extend({ before: beforeId }),
    reply: z.object({ entries: z.array(AuditEntry), hasMore: z.boolean() }),
  }),
  export: get('/audit/export', {
    about: 'The same as a table, at most the newest 50,000 entries',
    access: 'settings-page:edit',
    query: AuditQuery,
    reply: z.string(),
    file: 'audit.csv',
  }),
}
