import { sql } from 'kysely'
import {
  enqueueWebhookEvents,
  isoTimestampSql,
  traceRows,
  type WithTrace,
  withTrace,
} from '../../directory/webhooks/webhook-events.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** The delivery state in the words of the API. For a customer's message: whether the team has read it. */
const messageStateSql = `case
    when not m."fromMe" then case when m.read then 'read' else 'delivered' end
    when m.state = 'failed' then 'failed' when m.state in ('queued', 'sending') then 'queued'
    when m.ack >= 4 then 'read' when m.ack = 3 then 'delivered' else 'sent'
  end`

/**
 * Messages as integrations get them (contract: ApiMessage): `m` is the message, `c` its contact, `k` the API key that sent
 * it. A deleted message has no text. The event is stored with its contact and erased with that contact.
 */
export const webhookMessageSql = `
  m.id as n, case when m."ticketId" is null then 'c' || m."contactId" else 't' || m."ticketId" end as lane,
  m."ticketId", case when m."senderId" is null then m."contactId" else m."senderId" end as "contactId", json_build_object(
    'id', m.id::text, 'state', ${messageStateSql}, 'error', case when m.state = 'failed' then coalesce(m.error, '') else '' end,
    'fromMe', m."fromMe", 'number', c.number, 'contactId', m."contactId", 'whatsappId', m."whatsappId",
    'ticketId', m."ticketId", 'body', case when m."isDeleted" then '' else m.body end, 'mediaType', m."mediaType",
    'mediaUrl', null, 'mediaName', case when m."isDeleted" then null else m."mediaName" end,
    'apiKey', case when k.id is not null then json_build_object('id', k.id, 'name', k.name) end,
    'createdAt', ${isoTimestampSql('m."createdAt"')}, 'stateAt', ${isoTimestampSql('m."ackAt"')}
  ) as data,
  case when m."mediaPath" is not null and not m."isDeleted"
    then json_build_object('mediaPath', m."mediaPath", 'mediaName', m."mediaName") end as file`

export const webhookMessageJoins = `
  join contacts c on c."companyId" = m."companyId" and c.id = m."contactId"
  left join "apiKeys" k on k."companyId" = m."companyId" and k.id = m."apiKeyId"`

/** Publishes new messages, or their delivery state, to webhooks. */
export async function publishMessageWebhooks(
  scope: Scope,
  type: 'message.created' | 'message.state',
  ids: (number | string)[],
): Promise<void> {
  if (ids.length && scope.deps.webhookInterest.wants(scope.companyId, type))
    await scope.load(webhookPublishers[type], withTrace(ids))
}

const webhookPublishers = {
  'message.created': makeWebhookPublisher('message.created'),
  'message.state': makeWebhookPublisher('message.state'),
}
function makeWebhookPublisher(type: 'message.created' | 'message.state') {
  return async (scope: Scope, all: WithTrace<(number | string)[]>[]): Promise<undefined[]> => {
    await enqueueWebhookEvents(
      scope,
      type,
      // Acknowledgements come in batches, so the trace id of the message is used, not that of the batch.
      () => sql`select ${sql.raw(webhookMessageSql)}, coalesce(because.trace, m.trace) as trace
        from ${traceRows(all)} join messages m on m."companyId" = ${scope.companyId} and m.id = because.id
        ${sql.raw(webhookMessageJoins)}`,
    )
    return all.map(() => undefined)
  }
}
