import { groupKey, toIdentityKeys } from '../src/directory/contacts/identity.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { splitIntoBatches } from './batches.ts'
import type { DemoCustomer } from './customers.ts'
import { lineForLanguage } from './demo-company.ts'
import type { DemoFixtures } from './fixtures.ts'

/** Contacts with all their identities and notes, in the order of their first message. */
export async function writeContacts(
  { db, companyId }: Scope,
  first: Map<DemoCustomer, Date>,
  fixtures: DemoFixtures,
): Promise<Map<DemoCustomer, number>> {
  const people = [...first.keys()]
  const line = (one: DemoCustomer) => fixtures.lines.get(lineForLanguage(one.language)) ?? 0
  const ids = new Map<DemoCustomer, number>()
  for (const batch of splitIntoBatches(people)) {
    const rows = await db
      .insertInto('contacts')
      .values(
        batch.map((one) => ({
          ...{ companyId, name: one.name, number: one.number, email: one.email, isGroup: one.isGroup },
          ...{ profilePicUrl: null, whatsappId: line(one), mergedInto: null },
          ...{ createdAt: first.get(one), updatedAt: first.get(one) },
        })),
      )
      .returning('id')
      .execute()
    for (const [i, one] of batch.entries()) ids.set(one, rows[i]?.id ?? 0)
  }
  const keys = people.flatMap((one) => {
    const found = one.isGroup ? [groupKey(one.number)] : toIdentityKeys({ phone: one.number })
    return found.flatMap((key) => (key ? [{ ...key, companyId, contactId: ids.get(one) ?? 0 }] : []))
  })
  const fields = people.flatMap((one) =>
    one.fields.map((field) => ({ ...field, companyId, contactId: ids.get(one) ?? 0 })),
  )
  for (const batch of splitIntoBatches(keys)) await db.insertInto('contactIdentities').values(batch).execute()
  for (const batch of splitIntoBatches(fields)) await db.insertInto('contactFields').values(batch).execute()
  const known = people.map((one) => ({
    ...{ companyId, whatsappId: line(one), number: one.number, name: one.name, isGroup: one.isGroup },
    ...{ members: one.members.map((m) => m.number), typingUntil: null, createdAt: first.get(one) },
  }))
  for (const batch of splitIntoBatches(known)) await db.insertInto('sandboxCustomers').values(batch).execute()
  return ids
}
