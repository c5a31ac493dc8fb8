import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { phoneKey } from './identity.ts'

/** Every form in which a person is stored anywhere, to find all of their data. */
export type ContactReferences = {
  /** The contact, and the contacts merged into it. */
  ids: number[]
  /** The person's phone keys in lists and campaigns; for a contact without a phone key, `c:` and the contact's id. */
  keys: string[]
  /** Numbers and vendor ids, as they occur in events. */
  values: string[]
  /** The same values as chat ids. */
  chats: string[]
}

/** Minimum length of a value that is searched: a shorter value would match the data of other people. */
const minValueChars = 6
const chatDomains = ['', '@s.whatsapp.net', '@c.us', '@lid', '@g.us']

export async function loadContactReferences(scope: Scope, contactId: number): Promise<ContactReferences> {
  const { rows } = await sql<{ id: number; number: string; kind: string | null; value: string | null }>`
    with recursive them as (
      select c.id, c.number from contacts c where c."companyId" = ${scope.companyId} and c.id = ${contactId}
      union
      select c.id, c.number from contacts c join them on c."mergedInto" = them.id where c."companyId" = ${scope.companyId}
    )
    select t.id, t.number, i.kind, i.value from them t
    left join "contactIdentities" i on i."companyId" = ${scope.companyId} and i."contactId" = t.id`.execute(scope.db)
  const ids = [...new Set(rows.map(({ id }) => id))]
  const phones = rows.flatMap(({ number, kind, value }) => [number, ...(kind === 'phone' ? [value ?? ''] : [])])
  const keys = [...new Set(phones.map(phoneKey).filter(Boolean))]
  // Brazilian mobiles are written with and without their ninth digit.
  const longer = keys.filter((key) => /^55\d{10}$/.test(key)).map((key) => `${key.slice(0, 4)}9${key.slice(4)}`)
  const said = [...phones, ...keys, ...longer, ...rows.map(({ value }) => value ?? '')]
  const values = [...new Set(said.filter((value) => value.length >= minValueChars))]
  return {
    ids,
    keys: [...keys, ...ids.map((id) => `c:${id}`)],
    values,
    chats: values.flatMap((value) => chatDomains.map((domain) => value + domain)),
  }
}

/** Whether the text of a column contains one of these values. */
export const containsAnyText = (column: string, values: string[]) => sql<boolean>`exists (
  select from unnest(${values}::text[]) said where strpos(${sql.raw(column)}::text, said) > 0)`
