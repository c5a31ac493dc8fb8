import { topics } from '@recado/contract/live'
import type { SandboxFaults } from '@recado/contract/sandbox'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { LineGroupMember } from '../line.ts'
import { withDefaultBehaviour } from './bad-network.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** A change on a test phone: the id of its line, and the kind of change if it is not a message. */
    sandbox: [line: number | string]
  }
}

/**
 * The other end of a test line: the phone that is linked, and the people who write to it. These tables take the place of
 * WhatsApp's servers; only this folder writes them.
 */
export type TestPhone = { linked: boolean; behaviour: SandboxFaults }

/** An unassigned number: 555 is reserved for fiction. */
export const testLineNumber = (whatsappId: number) => `1555${String(whatsappId).padStart(7, '0')}`

export async function loadTestPhone(scope: Scope, whatsappId: number): Promise<TestPhone> {
  const row = await scope.db
    .selectFrom('sandboxPhones')
    .select(['linked', 'behaviour'])
    .where('whatsappId', '=', whatsappId)
    .executeTakeFirst()
  return { linked: row?.linked ?? false, behaviour: withDefaultBehaviour(row?.behaviour ?? {}) }
}

/** Marks the phone as linked (scanned) or unlinked, and signals the line. */
export async function setPhoneLinked(scope: Scope, whatsappId: number, linked: boolean): Promise<void> {
  await scope.db
    .insertInto('sandboxPhones')
    .values({ whatsappId, companyId: scope.companyId, linked })
    .onConflict((c) => c.columns(['companyId', 'whatsappId']).doUpdateSet({ linked }))
    .execute()
  await scope.signal('sandbox', whatsappId)
}

export async function setPhoneBehaviour(scope: Scope, whatsappId: number, behaviour: SandboxFaults): Promise<void> {
  const stored = JSON.stringify(behaviour)
  await scope.db
    .insertInto('sandboxPhones')
    .values({ whatsappId, companyId: scope.companyId, behaviour: stored })
    .onConflict((c) => c.columns(['companyId', 'whatsappId']).doUpdateSet({ behaviour: stored }))
    .execute()
}

/** Cuts the connection of the phone. The cut is not stored: if no process receives the signal, it has no effect. */
export const cutPhoneConnection = (scope: Scope, whatsappId: number): Promise<void> =>
  scope.signal('sandbox', `${whatsappId} cut`)

export const signalCustomerTyping = (scope: Scope, whatsappId: number, number: string, on: boolean): Promise<void> =>
  scope.signal('sandbox', `${whatsappId} ${on ? 'types' : 'rests'} ${number}`)

/** The desk is typing: the customer sees it for a while, or until it stops. */
export async function showDeskTyping(scope: Scope, whatsappId: number, chat: string, on: boolean): Promise<void> {
  await scope.db
    .updateTable('sandboxCustomers')
    .set({ typingUntil: on ? sql<string>`now() + interval '10 seconds'` : null })
    .where('whatsappId', '=', whatsappId)
    .where('number', '=', chat)
    .execute()
  publishPhoneChange(scope, whatsappId, chat)
}

/** Makes the phone screen reload. */
export function publishPhoneChange(scope: Scope, whatsappId: number, chat: string): void {
  scope.live(topics.sandbox, { action: 'update', whatsappId, chat }, { admins: scope.companyId })
}

export async function upsertCustomer(
  scope: Scope,
  whatsappId: number,
  customer: { number: string; name?: string; members?: string[] },
): Promise<void> {
  const { number, name = number, members } = customer
  await scope.db
    .insertInto('sandboxCustomers')
    .values({
      companyId: scope.companyId,
      whatsappId,
      number,
      name,
      isGroup: members !== undefined,
      members: members ?? [],
      typingUntil: null,
    })
    .onConflict((c) =>
      customer.name === undefined
        ? c.doNothing()
        : c.columns(['companyId', 'whatsappId', 'number']).doUpdateSet({ name, ...(members && { members }) }),
    )
    .execute()
}

export async function listSandboxCustomers(
  scope: Scope,
  whatsappId: number,
): Promise<{ number: string; name: string }[]> {
  return scope.db
    .selectFrom('sandboxCustomers')
    .select(['number', 'name'])
    .where('whatsappId', '=', whatsappId)
    .where('isGroup', '=', false)
    .orderBy('name')
    .execute()
}

/** The members of a group: the people it was created with, the first of whom is its admin, and the line itself. */
export async function listSandboxGroupMembers(
  scope: Scope,
  whatsappId: number,
  group: string,
): Promise<LineGroupMember[]> {
  const { rows } = await sql<{ number: string; name: string | null }>`
    select m.number, c.name
    from "sandboxCustomers" g cross join unnest(g.members) with ordinality as m (number, place)
      left join "sandboxCustomers" c on c."whatsappId" = g."whatsappId" and c.number = m.number
    where g."companyId" = ${scope.companyId} and g."whatsappId" = ${whatsappId} and g.number = ${group} and g."isGroup"
    order by m.place`.execute(scope.db)
  const people = rows.map(({ number, name }, place) => ({
    who: { phone: number },
    // WhatsApp shows a person without a name by number, so the name stays empty.
    name: name === number ? '' : (name ?? ''),
    isAdmin: place === 0,
    isMe: false,
  }))
  return [...people, { who: { phone: testLineNumber(whatsappId) }, name: '', isAdmin: false, isMe: true }]
}

/** The chat that an address belongs to: a number, a group, or a hidden id. */
export async function findChatNumber(scope: Scope, whatsappId: number, address: string): Promise<string> {
  const user = address.split('@')[0] ?? ''
  if (!address.endsWith('@lid')) {
    const known = await scope.db
      .selectFrom('sandboxCustomers')
      .select('number')
      .where('whatsappId', '=', whatsappId)
      .where('number', '=', user)
      .executeTakeFirst()
    if (known) return user
  }
  const { rows } = await sql<{ who: string }>`
    select coalesce(author, chat) as who from "sandboxMessages"
    where "whatsappId" = ${whatsappId} and content->>'lid' = ${user} order by seq desc limit 1`.execute(scope.db)
  return rows[0]?.who ?? user
}

/** The files stored on a test phone. */
export async function listPhoneFiles(scope: Scope, whatsappId: number): Promise<(string | null)[]> {
  const rows = await scope.db
    .selectFrom('sandboxMessages')
    .select('mediaPath')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('mediaPath', 'is not', null)
    .execute()
  return rows.map((r) => r.mediaPath)
}
