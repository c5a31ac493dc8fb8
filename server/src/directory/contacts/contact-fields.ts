import type { Scope } from '../../kernel/data/scope.ts'

export type ContactField = { id?: number | undefined; name: string; value: string }

/** As many as a form has. */
const maxContactFields = 100

/** Sets one field by its name, which is created if the contact does not have it. False: the contact has too many. */
export async function setContactField(
  scope: Scope,
  contactId: number,
  { name, value }: Pick<ContactField, 'name' | 'value'>,
): Promise<boolean> {
  const own = { companyId: scope.companyId, contactId }
  const present = await scope.db
    .selectFrom('contactFields')
    .select(['id', 'name'])
    .where('companyId', '=', own.companyId)
    .where('contactId', '=', contactId)
    .orderBy('id')
    .execute()
  const field = present.find((one) => one.name === name)
  if (!field && present.length >= maxContactFields) return false
  if (field)
    await scope.db
      .updateTable('contactFields')
      .set({ value })
      .where('companyId', '=', own.companyId)
      .where('id', '=', field.id)
      .execute()
  else
    await scope.db
      .insertInto('contactFields')
      .values({ ...own, name, value })
      .execute()
  return true
}

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
