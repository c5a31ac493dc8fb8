import { z } from 'zod'
import { get, iso } from '../kit.ts'

/** What is written down of those who steer: who did it, to what. Never with anything that identifies a customer. */
export const auditDeeds = [
  'key.created',
  'key.revoked',
  'webhook.created',
  'webhook.deleted',
  'contact.exported',
  'contact.erased',
  'company.exported',
] as const
export type AuditDeed = (typeof auditDeeds)[number]

export const AuditEntry = z.object({
  id: z.number(),
  /** One of the above; others may come. */
  deed: z.string(),
  /** The id of what it was done to. */
  about: z.number(),
  /** What that was called, where that names no customer. */
  name: z.string(),
  /** Who did it. The name stays when they have left, the id is 0 then. */
  by: z.object({ id: z.number(), name: z.string() }),
  at: iso,
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const auditApi = {
  list: get('/audit', {
    about:
      'Who did what to keys, webhooks and contacts, newest first; `before` is the id of the last one that was read',
    access: 'settings-page:edit',
    query: z.object({
      before: z.coerce.number().int().min(1).optional(),
      /** The beginning of a deed: `key`. */
      deed: z.string().max(40).default(''),
    }),
    reply: z.object({ entries: z.array(AuditEntry), hasMore: z.boolean() }),
  }),
}
