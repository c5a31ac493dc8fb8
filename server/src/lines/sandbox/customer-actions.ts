import type { Scope } from '../../kernel/data/scope.ts'
import type { SandboxExtra, UndeliveredRow } from './events.ts'

/** An action of a customer, or of the owner on the linked phone. Each action is one row. */
export type CustomerAction = {
  id: string
  chat: string
  /** The customer's number, and the name that the customer chose. */
  from: string
  name: string | null
  group: string | null
  fromCustomer: boolean
  kind: string
  body: string
  extra: SandboxExtra
  media: { mediaPath: string; mediaName: string; mediaType: string } | null
  quotedId: string | null
  at: Date
}

const performActionSql = `
  with line as (
    select id, "companyId" from whatsapps where id = $1 and "companyId" = $2 and provider = 'sandbox'
  ), customer as (
    insert into "sandboxCustomers" ("companyId", "whatsappId", number, name)
    select "companyId", id, $3, coalesce($4::text, $3) from line on conflict do nothing
  ), renamed as (
    update "sandboxCustomers" c set name = $4 from line where c."whatsappId" = line.id and c.number = $3 and c.name <> $4
  ), crowd as (
    insert into "sandboxCustomers" ("companyId", "whatsappId", number, name, "isGroup", members)
    select "companyId", id, $5::text, $5, true, array[$3] from line where $5 is not null on conflict do nothing
  ), joined as (
    update "sandboxCustomers" c set members = array_append(c.members, $3)
    from line where c."whatsappId" = line.id and c.number = $5 and not $3 = any(c.members)
  ), target as (
    update "sandboxMessages" m set
      reaction = case when $9 = 'reaction' then nullif($10, '') else m.reaction end,
      body = case when $9 = 'edit' then $10 else m.body end,
      "isEdited" = m."isEdited" or $9 = 'edit',
      "isDeleted" = m."isDeleted" or $9 = 'delete'
    from line where m."whatsappId" = line.id and m.id = $6
  ), deed as (
    insert into "sandboxMessages" ("companyId", "whatsappId", chat, id, "fromCustomer", author, kind, body, content,
      "mediaPath", "mediaName", "mediaType", "quotedId", ack, at, delivered)
    select "companyId", id, coalesce($5, $3), $7, $8, case when $5 is not null and $8 then $3 end, $9, $10, $11::jsonb,
      $12, $13, $14, $15, 2, $16, false
    from line on conflict do nothing returning seq
  )
  select (select count(*) from line)::int as lines, (select count(*) from deed)::int as fresh,
         pg_notify('recado', 'sandbox ' || $1)`

/** Stores the action and wakes the line. A second action with the same id is ignored. One round trip, for load tests. */
export async function performCustomerAction(
  scope: Scope,
  whatsappId: number,
  action: CustomerAction,
): Promise<{ isLineFound: boolean; isNew: boolean }> {
  const { media } = action
  const [row] = await scope.deps.database.queryPrepared<{ lines: number; fresh: number }>(
    scope.companyId,
    'sandbox-deed',
    performActionSql,
    [
      whatsappId,
      scope.companyId,
      action.from,
      action.name,
      action.group,
      action.extra.targetId ?? null,
      action.id,
      action.fromCustomer,
      action.kind,
      action.body,
      JSON.stringify(action.extra),
      media?.mediaPath ?? null,
      media?.mediaName ?? null,
      media?.mediaType ?? null,
      action.quotedId,
      action.at,
    ],
  )
  return { isLineFound: row?.lines === 1, isNew: row?.fresh === 1 }
}

/** The rows of this test phone that have not reached the line yet, oldest first. */
export const loadUndelivered = (scope: Scope, whatsappId: number, maxRows: number): Promise<UndeliveredRow[]> =>
  scope.deps.database.queryPrepared<UndeliveredRow>(
    scope.companyId,
    'sandbox-waiting',
    `select m.*, c.name, g.name as "chatName" from "sandboxMessages" m
     left join "sandboxCustomers" c on c."whatsappId" = m."whatsappId" and c.number = coalesce(m.author, m.chat)
     left join "sandboxCustomers" g on g."whatsappId" = m."whatsappId" and g.number = m.chat
     where m."whatsappId" = $1 and not m.delivered order by m.seq limit $2`,
    [whatsappId, maxRows],
  )

/**
 * Marks rows as delivered. Processed acknowledgements are deleted; other rows stay on the phone, with two ticks if they
 * arrived.
 */
export async function markDelivered(scope: Scope, seqs: number[], arrived: number[]): Promise<void> {
  await scope.deps.database.queryPrepared(
    scope.companyId,
    'sandbox-delivered',
    `with ticks as (delete from "sandboxMessages" where seq = any($1) and kind = 'ack')
     update "sandboxMessages" set delivered = true, ack = case when seq = any($2) then greatest(ack, 3) else ack end
     where seq = any($1) and kind <> 'ack'`,
    [seqs, arrived],
  )
}

/** The customer opens the chat: all messages from the desk become read, and the line gets the event. */
export async function markReadByCustomer(scope: Scope, whatsappId: number, chat: string, id: string): Promise<void> {
  const rows = await scope.db
    .updateTable('sandboxMessages')
    .set({ ack: 4 })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('chat', '=', chat)
    .where('fromCustomer', '=', false)
    .where('kind', '!=', 'ack')
    .where('ack', '<', 4)
    .returning('id')
    .execute()
  if (!rows.length) return
  const extra: SandboxExtra = { ids: rows.map((r) => r.id), acks: [4] }
  await scope.db
    .insertInto('sandboxMessages')
    .values({
      companyId: scope.companyId,
      whatsappId,
      chat,
      id,
      fromCustomer: true,
      author: null,
      kind: 'ack',
      content: JSON.stringify(extra),
      mediaPath: null,
      mediaName: null,
      mediaType: null,
      quotedId: null,
      reaction: null,
      at: scope.now(),
      delivered: false,
    })
    .execute()
  await scope.signal('sandbox', whatsappId)
}
