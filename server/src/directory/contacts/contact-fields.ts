import type { Scope } from '../../kernel/data/scope.ts'

export type ContactField = { id?: number | undefined; name: string; value: string }

/** Saves the fields of the form. A field that another user removed meanwhile is created again. */
export async function setContactFields(scope: Scope, contactId: number, wanted: ContactField[]): Promise<void> {
  const own = { companyId: scope.companyId, contactId }
  const present = await scope.db
    .selectFrom('contactFields')
    .select('id')
    .where('companyId', '=', own.companyId)
    .where('contactId', '=', contactId)
    .execute()
  const known = new Set(present.map((f) => f.id))
  const kept = wanted.filter((f) => f.id && known.delete(f.id))
  const fresh = wanted.filter((f) => !kept.includes(f))
  if (known.size)
    await scope.db
      .deleteFrom('contactFields')
      .where('companyId', '=', own.companyId)
      .where('id', 'in', [...known])
      .execute()
  for (const { id, name, value } of kept)
    await scope.db
      .updateTable('contactFields')
      .set({ name, value })
      .where('companyId', '=', own.companyId)
      .where('id', '=', id as number)
      .execute()
  if (fresh.length)
    await scope.db
      .insertInto('contactFields')
      .values(fresh.map(({ name, value }) => ({ ...own, name, value })))
      .execute()
}
