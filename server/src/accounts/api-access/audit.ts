import { isDeepStrictEqual } from 'node:util'
import { type AuditAction, type AuditChange, type AuditEntry, auditApi } from '@recado/contract/api-access/audit'
import type { ParsedInput } from '@recado/contract/endpoint'
import { toCsv } from '@recado/contract/text/csv'
import { fold } from '@recado/contract/text/fold'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { route } from '../../kernel/http/routes.ts'
import { loadCompanyTimeZone } from '../settings.ts'

const pageSize = 50
/** The limit that the contract documents. */
const maxExportedEntries = 50_000

/** Long values are cut to this length, which is enough to recognize a text. */
const maxValueChars = 200

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(describeValue).join(', ').slice(0, maxValueChars)
  return value === null || value === undefined ? '' : String(value).slice(0, maxValueChars)
}

/** The changed fields. For hidden fields only the fact of the change is recorded. */
export function diffAuditFields<T extends object>(before: T, after: T, hidden: (keyof T)[] = []): AuditChange[] {
  // jsonb does not keep the order of keys, so compare parsed values.
  const isSame = (field: keyof T) => isDeepStrictEqual(before[field] ?? null, after[field] ?? null)
  return (Object.keys(after) as (keyof T & string)[])
    .filter((field) => !isSame(field))
    .map((field) => {
      const [from, to] = hidden.includes(field) ? ['', ''] : [describeValue(before[field]), describeValue(after[field])]
      return { field, from, to }
    })
}

/** The audit entry for a changed password: neither value is recorded. */
export const passwordAuditChange: AuditChange = { field: 'password', from: '', to: '' }

/** Records a change with its changed fields; if nothing changed, nothing is recorded. */
export async function writeAuditChanges(
  scope: Scope,
  action: AuditAction,
  about: number,
  name: string,
  changes: AuditChange[],
): Promise<void> {
  if (changes.length) await writeAudit(scope, action, about, name, scope.person, changes)
}

/** The author: a user, or an API key acting in a user's name. */
type AuditAuthor = { id: number | null; name: string; companyId?: number; key?: { id: number; name: string } }

/** Records an action in its transaction. `name` must not be a customer's name: see `writeContactAudit`. */
export async function writeAudit(
  scope: Scope,
  action: AuditAction,
  about: number,
  name = '',
  /** The author of the action. A job acts in the name of the user who requested it. */
  author: AuditAuthor | null = scope.person,
  changes: AuditChange[] = [],
): Promise<number> {
  const { companyId } = scope
  // The super user is not a user of this company, so only their name is recorded.
  const userId = author && (author.companyId ?? companyId) === companyId ? author.id : null
  const { id } = await scope.db
    .insertInto('audit')
    .values({
      ...{ companyId, deed: action, about, name, userId, userName: author?.name ?? '', at: scope.now() },
      ...{ keyId: author?.key?.id ?? null, keyName: author?.key?.name ?? '' },
      changes: JSON.stringify(changes),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Records an action on a customer: the customer's name and number are stored beside the entry and erased with them. */
export async function writeContactAudit(
  scope: Scope,
  action: AuditAction,
  contact: { id: number; name: string; number: string },
  changes: AuditChange[] = [],
  author: AuditAuthor | null = scope.person,
): Promise<void> {
  const auditId = await writeAudit(scope, action, contact.id, '', author)
  const name = [contact.name, formatPhone(contact.number)].filter(Boolean).join(' · ')
  await scope.db
    .insertInto('auditContacts')
    .values({
      ...{ companyId: scope.companyId, auditId, contactId: contact.id, name },
      changes: JSON.stringify(
        changes.map(({ field, from, to }) => ({ field, from: describeValue(from), to: describeValue(to) })),
      ),
    })
    .execute()
}

/** A group has an id instead of a phone number, which is longer than any phone number. */
const formatPhone = (number: string) => (/^\d{6,15}$/.test(number) ? `+${number}` : number)

/** When a contact is erased, the audit keeps only the contact's id. */
export async function eraseFromAudit(scope: Scope, contactIds: number[]): Promise<void> {
  if (!contactIds.length) return
  await scope.db
    .deleteFrom('auditContacts')
    .where('companyId', '=', scope.companyId)
    .where('contactId', 'in', contactIds)
    .execute()
}

type AuditQuery = Omit<ParsedInput<typeof auditApi.list>['query'], 'before'>

const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The matching entries, newest first. */
async function findAuditEntries(
  scope: Scope,
  filter: AuditQuery,
  before: number | undefined,
  maxEntries: number,
): Promise<AuditEntry[]> {
  const { deed: action, userId, searchParam, named, dateFrom, dateTo } = filter
  const zone = dateFrom || dateTo ? await loadCompanyTimeZone(scope) : 'UTC'
  const like = likePattern(fold(searchParam))
  const rows = await scope.db
    .selectFrom('audit')
    .leftJoin('auditContacts as c', (join) =>
      join.onRef('c.companyId', '=', 'audit.companyId').onRef('c.auditId', '=', 'audit.id'),
    )
    .selectAll('audit')
    .select(['c.name as contactName', 'c.changes as contactChanges'])
    .where('audit.companyId', '=', scope.companyId)
    .$if(before !== undefined, (q) => q.where('audit.id', '<', before as number))
    .$if(action !== '', (q) => q.where(sql<boolean>`deed like ${likePattern(action).slice(1)}`))
    .$if(userId !== undefined, (q) => q.where('userId', '=', userId as number))
    .$if(searchParam !== '', (q) =>
      q.where((eb) =>
        eb.or([
          ...['audit.name', 'c.name', 'userName', 'keyName'].map(
            (column) => sql<boolean>`fold(${sql.ref(column)}) like ${like}`,
          ),
          eb('audit.name', 'in', [searchParam, ...named.split(',').filter(Boolean)]),
        ]),
      ),
    )
    .$if(dateFrom !== undefined, (q) => q.where(sql<boolean>`at >= ${dateFrom}::date::timestamp at time zone ${zone}`))
    .$if(dateTo !== undefined, (q) => q.where(sql<boolean>`at < (${dateTo}::date + 1)::timestamp at time zone ${zone}`))
    .orderBy('audit.id', 'desc')
    .limit(maxEntries)
    .execute()
  return rows.map(
    ({ id, deed: action, about, name, userId, userName, keyId, keyName, changes, at, ...contactColumns }) => ({
      ...{ id, deed: action, about, at },
      name: contactColumns.contactName ?? name,
      changes: contactColumns.contactChanges ?? changes,
      by: { id: userId ?? 0, name: userName },
      key: keyName ? { id: keyId ?? 0, name: keyName } : null,
    }),
  )
}

export const auditRoutes = [
  route(auditApi.list, async (scope, { query: { before, ...filter } }) => {
    const entries = await findAuditEntries(scope, filter, before, pageSize + 1)
    return { entries: entries.slice(0, pageSize), hasMore: entries.length > pageSize }
  }),
  route(auditApi.export, async (scope, { query }) => {
    const entries = await findAuditEntries(scope, query, undefined, maxExportedEntries)
    await writeAudit(scope, 'export.audit', scope.companyId)
    return toCsv([
      ['at', 'by', 'key', 'deed', 'about', 'name', 'changes'],
      ...entries.map(({ at, by: author, key, deed: action, about, name, changes }) => [
        ...[at, author.name, key?.name ?? '', action, String(about), name],
        changes.map(({ field, from, to }) => (from || to ? `${field}: ${from} → ${to}` : field)).join('\n'),
      ]),
    ])
  }),
]
