import { z } from 'zod'
import { get, isoDateTime, ref } from '../endpoint.ts'

/**
 * Audited actions: who did what to which object. What identifies a customer is stored beside the entry (`auditContacts`),
 * so that erasing the person removes it and leaves the entry.
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
  /** `name`: the contact. `changes` has the number before and after. */
  'contact.renumbered',
  /** With its conversations. It can be restored for 30 days; `name` is kept as long. */
  'contact.deleted',
  'contact.restored',
  /** Permanently: by an admin, or automatically after 30 days. */
  'contact.purged',
  /** Two merged contacts were split. */
  'contact.separated',
  /** A customer may receive campaigns again; `changes` has the words by which they allowed it. */
  'campaign-stop.undone',
  'company.exported',
  /** File exports. `name`: the number of rows. */
  'export.contacts',
  'export.campaign',
  /** `name`: the ticket number. */
  'export.conversation',
  'export.audit',
  /** `about`: the number of messages. Done automatically by the retention period. */
  'retention.deleted',
  'user.created',
  'user.changed',
  'user.deleted',
  'line.created',
  'line.changed',
  /** The phone was unlinked from this desk. */
  'line.unlinked',
  'line.deleted',
  'setting.changed',
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
  /** One of the above; more may be added. */
  deed: z.string(),
  /** The id of the object. */
  about: z.number(),
  /** The object's name; for a customer, until they are erased. */
  name: z.string(),
  /** The author. The name stays when the user is deleted, and the id is 0 then. */
  by: z.object({ id: z.number(), name: z.string() }),
  /** The API key that acted in their name, its id 0 after an import; null: they did it themselves. */
  key: z.object({ id: z.number(), name: z.string() }).nullable(),
  changes: z.array(AuditChange),
  at: isoDateTime,
})
export type AuditEntry = z.infer<typeof AuditEntry>

const AuditQuery = z.object({
  /** The beginning of an action: `key`. */
  deed: z.string().max(40).default(''),
  /** By this user. */
  userId: ref('user').optional(),
  /** A part of the author's or the object's name. */
  searchParam: z.string().trim().max(100).default(''),
  /** Names to match as well, separated by commas: for objects that a screen shows under another name. */
  named: z.string().max(1000).default(''),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})

export const auditApi = {
  list: get('/audit', {
    about: 'Changes and logins with their author, newest first; `before` is the id of the last entry that was read',
    access: 'settings-page:edit',
    query: AuditQuery.extend({ before: z.coerce.number().int().min(1).optional() }),
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
