import type { BotReply } from '../../directory/integrations/bot-reply.ts'
import { type BotWebhookBody, parseWebhookReply } from '../../directory/integrations/bot-webhook.ts'
import { matchChoices } from '../../directory/integrations/choices.ts'
import type { IntegrationRow } from '../../directory/integrations/integrations.ts'
import type { ImmediateAction } from '../bot-actions/bot.ts'
import { type CustomerMessage, loadCustomerMessagesWithFiles } from './customer-messages.ts'
import type { IntegrationRequest } from './integration-request.ts'
import { toIntegrationAction } from './requests.ts'
import { type BotSession, sessionChange } from './session.ts'
import { attemptDelivery, DeliveryInProgressError, insertDeliveries, loadDeliveries } from './webhook-deliveries.ts'

/**
 * One turn with n8n or a webhook: every message is sent in order, and the actions in the answers are performed. If the
 * service does not answer, delivery is retried later (webhook-deliveries.ts); by then agents have the ticket.
 */
export async function runWebhookTurn(
  request: IntegrationRequest,
  it: IntegrationRow,
  before: BotSession | null,
): Promise<ImmediateAction> {
  const { scope, ticket, signal, timeoutMs } = request
  const received = await loadCustomerMessagesWithFiles(scope, ticket.id, before?.upTo, signal)
  const news = received.map((one, n) => ({
    heard: one,
    body: buildWebhookBody(request, it, one, before, !before && n === 0),
  }))
  await insertDeliveries(scope, it.id, ticket.id, news)
  const replies: BotReply[] = []
  for (const one of await loadDeliveries(
    scope,
    it.id,
    ticket.id,
    received.map(({ id }) => id),
  )) {
    const answer = one.state === 'done' ? one.answer : await attemptDelivery(scope, it, one, { timeoutMs, signal })
    if (answer === null) throw new DeliveryInProgressError('an earlier message is still being delivered')
    const reply = received.some(({ id }) => id === Number(one.messageId)) ? parseWebhookReply(answer) : null
    if (reply) replies.push(reply)
  }
  const reply = mergeReplies(replies)
  const choices = reply.pieces.flatMap((piece) => (piece.kind === 'text' ? (piece.choices ?? []) : []))
  const upTo = received.at(-1)?.id ?? before?.upTo
  const stateChange = sessionChange({
    of: it.id,
    at: scope.now().toISOString(),
    choices,
    ...(upTo !== undefined && { upTo }),
  })
  const why = !replies.length ? 'told' : reply.transfer ? 'handed-over' : reply.closesTicket ? 'ended' : 'answered'
  return toIntegrationAction(request, it, reply, { stateChange: stateChange, why })
}

/** Merges several answers in order; the last transfer wins. */
function mergeReplies(all: BotReply[]): BotReply {
  const transfer = all.findLast((one) => one.transfer)?.transfer
  return {
    pieces: all.flatMap(({ pieces }) => pieces),
    tagIds: [...new Set(all.flatMap(({ tagIds }) => tagIds))],
    closesTicket: all.some(({ closesTicket: ends }) => ends),
    ...(transfer && { transfer }),
  }
}

type WebhookBodyDraft = Omit<BotWebhookBody, 'id' | 'company'>

function buildWebhookBody(
  { ticket }: IntegrationRequest,
  it: IntegrationRow,
  received: CustomerMessage,
  before: BotSession | null,
  isFirst: boolean,
): WebhookBodyDraft {
  const { id, uuid, number, status, queue, contact, whatsapp, whatsappId } = ticket
  const picked = before?.choices.length ? matchChoices(received.body, before.choices, false) : null
  return {
    version: 1,
    event: isFirst ? 'conversation.started' : 'message.received',
    at: new Date(received.createdAt).toISOString(),
    integration: { id: it.id, name: it.name },
    ticket: { id, uuid, number, status, queue: queue && { id: queue.id, name: queue.name } },
    contact: { id: contact.id, name: contact.name, number: contact.number, email: contact.email },
    message: {
      id: String(received.id),
      at: new Date(received.createdAt).toISOString(),
      type: received.mediaType ?? 'conversation',
      body: received.body,
      choice: picked?.[0] ?? null,
      media: received.mediaPath ? { url: '', name: received.mediaName ?? 'file' } : null,
    },
    line: whatsappId === null ? null : { id: whatsappId, name: whatsapp?.name ?? '' },
  }
}
