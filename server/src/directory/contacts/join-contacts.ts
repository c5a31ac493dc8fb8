import type { contactDuplicatesApi, JoinSide } from '@recado/contract/contact-duplicates/contact-duplicates'
import type { ParsedInput, Reply } from '@recado/contract/endpoint'
import { sql } from 'kysely'
import { writeContactAudit } from '../../accounts/api-access/audit.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { type ContactRow, findContact, presentContactDetail, waitForContactTurn } from './contact-store.ts'
import { phoneKey } from './identity.ts'
import { mergeContacts } from './merge-contacts.ts'
import { assertSeesConversations } from './write-contact.ts'

type JoinBody = ParsedInput<typeof contactDuplicatesApi.join>['body']

/** Two contacts side by side, and what joining them would do. */
export async function compareContacts(
  scope: Scope,
  id: number,
  otherId: number,
  desk: ContactDeskActions,
): Promise<Reply<typeof contactDuplicatesApi.compare>> {
  const [kept, other] = await findJoinable(scope, id, otherId, desk)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from tickets where "companyId" = ${scope.companyId} and "contactId" in (${id}, ${otherId})
        and status in ('open', 'pending') and "whatsappId" is not null
      group by "whatsappId" having count(*) > 1
    ) lines`.execute(scope.db)
  return {
    kept: await presentSide(scope, kept),
    other: await presentSide(scope, other),
    closedTickets: rows[0]?.n ?? 0,
  }
}

async function presentSide(scope: Scope, contact: ContactRow): Promise<JoinSide> {
  const { rows } = await sql<Omit<JoinSide, 'contact'>>`
    select coalesce((select array_agg(value order by value) from "contactIdentities"
        where "companyId" = c."companyId" and "contactId" = c.id and kind = 'phone'), '{}') as numbers,
      (select count(*)::int from tickets where "companyId" = c."companyId" and "contactId" = c.id) as "ticketCount",
      exists (select from "campaignStops" where "companyId" = c."companyId" and "contactId" = c.id) as "isOptedOut"
    from contacts c where c."companyId" = ${scope.companyId} and c.id = ${contact.id}`.execute(scope.db)
  const { numbers, ...counts } = rows[0] as Omit<JoinSide, 'contact'>
  // Keys lack the ninth digit of Brazilian numbers; the contact's own number has it.
  const ownKey = phoneKey(contact.number)
  return {
    contact: await presentContactDetail(scope, contact),
    numbers: numbers.map((key) => (key === ownKey ? contact.number : key)),
    ...counts,
  }
}

/** Joins another contact into this one. It can be undone as every merge. */
export async function joinContacts(
  scope: Scope,
  id: number,
  { otherId, ...choices }: JoinBody,
  desk: ContactDeskActions,
): Promise<Reply<typeof contactDuplicatesApi.join>> {
  await waitForContactTurn(scope)
  const [, other] = await findJoinable(scope, id, otherId, desk)
  await writeContactAudit(scope, 'contact.joined', other)
  const merge = await mergeContacts(scope, id, otherId, 'by-hand', desk, choices)
  return { contact: await presentContactDetail(scope, merge.kept), mergeId: merge.id }
}

/** Remembers that two contacts are different people, as if they had been joined and separated again. */
export async function dismissDuplicate(
  scope: Scope,
  id: number,
  otherId: number,
  desk: ContactDeskActions,
): Promise<void> {
  await waitForContactTurn(scope)
  await findJoinable(scope, id, otherId, desk)
  const at = scope.now()
  const moved = { identities: [], tickets: [], closed: [], notes: [], fields: [], senders: [], filled: {} }
  await scope.db
    .insertInto('contactMerges')
    .values({
      ...{ companyId: scope.companyId, keptId: Math.min(id, otherId), mergedId: Math.max(id, otherId) },
      ...{ reason: 'different', moved: JSON.stringify(moved), at, undoneAt: at },
    })
    .execute()
}

/** Two different people whose conversations the caller sees: joining shows each to the readers of the other. */
async function findJoinable(
  scope: Scope,
  id: number,
  otherId: number,
  desk: ContactDeskActions,
): Promise<[ContactRow, ContactRow]> {
  const pair: [ContactRow, ContactRow] = [await findContact(scope, id, false), await findContact(scope, otherId, false)]
  if (id === otherId || pair.some(({ isGroup }) => isGroup)) throw new AppError('ERR_CONTACT_JOIN')
  await assertSeesConversations(scope, [id, otherId], desk)
  return pair
}
