import { z } from 'zod'
import { get, isoDateTime, ref } from '../endpoint.ts'

/**
 * What is written down of those who steer: who did it, to what. What identifies a customer lies beside the entry
 * (`auditContacts`), so that erasing the person removes it and leaves the entry.
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
  /** With its conversations. It can be brought back for 30 days; `name` stays as long. */
  'contact.deleted',
  'contact.restored',
  /** For good: by an admin, or by the house after 30 days. */
  'contact.purged',
  /** Two contacts that had been joined are two again. */
  'contact.separated',
  /** A customer may be written to by campaigns again; `changes` has the words by which they allowed it. */
  'campaign-stop.undone',
  'company.exported',
  /** What left as a file. `name`: how many there were. */
  'export.contacts',
  'export.campaign',
  /** `name`: the number of the ticket. */
  'export.conversation',
  'export.audit',
  /** `about`: how many messages. The house did it: their time had come. */
  'retention.deleted',
  'user.created',
  'user.changed',
  'user.deleted',
  'line.created',
  'line.changed',
  /** The phone no longer knows this desk. */
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

/** What a field was and is, long texts cut; of secrets both are empty. */
export const AuditChange = z.object({ field: z.string(), from: z.string(), to: z.string() })
export type AuditChange = z.infer<typeof AuditChange>

export const AuditEntry = z.object({
  id: z.number(),
  /** One of the above; others may come. */
  deed: z.string(),
  /** The id of what it was done to. */
  about: z.number(),
  /** What that was called; of a customer, as long as they were not erased. */
  name: z.string(),
  /** Who did it. The name stays when they have left, the id is 0 then. */
  by: z.object({ id: z.number(), name: z.string() }),
  /** The key of the program that did it in their name, its id 0 after a move; null: they did it themselves. */
  key: z.object({ id: z.number(), name: z.string() }).nullable(),
  changes: z.array(AuditChange),
  at: isoDateTime,
})
export type AuditEntry = z.infer<typeof AuditEntry>

const AuditQuery = z.object({
  /** The beginning of a deed: `key`. */
  deed: z.string().max(40).default(''),
  /** Of this person. */
  userId: ref('user').optional(),
  /** A part of who did it, or of what it was done to. */
  searchParam: z.string().trim().max(100).default(''),
  /** Whose name is one of these, too, with commas between: what a screen calls otherwise. */
  named: z.string().max(1000).default(''),
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})

export const auditApi = {
  list: get('/audit', {
    about: 'Who changed what, and who logged in, newest first; `before` is the id of the last one that was read',
    access: 'settings-page:edit',
    query: AuditQuery.extend({ before: z.coerce.number().int().min(1).optional() }),
    reply: z.object({ entries: z.array(AuditEntry), hasMore: z.boolean() }),
  }),
  export: get('/audit/export', {
    about: 'The same as a table, at most the newest 50,000',
    access: 'settings-page:edit',
    query: AuditQuery,
    reply: z.string(),
    file: 'audit.csv',
  }),
}
