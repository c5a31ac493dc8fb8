import { type AuditDeed, auditApi } from '@recado/contract/doors/audit'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { route } from '../../kernel/http/http.ts'

const pageSize = 50

/** Written down in the transaction that does it. `name` must not be a customer's. */
export async function writeDown(
  scope: Scope,
  deed: AuditDeed,
  about: number,
  name = '',
  /** A job does it in the name of who asked. */
  by: { id: number | null; name: string } | null = scope.person,
): Promise<void> {
  const { companyId } = scope
  await scope.db
    .insertInto('audit')
    .values({ companyId, deed, about, name, userId: by?.id ?? null, userName: by?.name ?? '', at: scope.now() })
    .execute()
}

export const auditRoutes = [
  route(auditApi.list, async (scope, { query }) => {
    const rows = await scope.db
      .selectFrom('audit')
      .selectAll()
      .where('companyId', '=', scope.companyId)
      .$if(query.before !== undefined, (q) => q.where('id', '<', query.before as number))
      .$if(query.deed !== '', (q) => q.where(sql<boolean>`starts_with(deed, ${query.deed})`))
      .orderBy('id', 'desc')
      .limit(pageSize + 1)
      .execute()
    const entries = rows.slice(0, pageSize).map(({ id, deed, about, name, userId, userName, at }) => ({
      ...{ id, deed, about, name, at },
      by: { id: userId ?? 0, name: userName },
    }))
    return { entries, hasMore: rows.length > pageSize }
  }),
]
