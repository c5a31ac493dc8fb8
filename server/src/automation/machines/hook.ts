import { chosen } from '../../directory/machines/choosing.ts'
import type { IntegrationRow } from '../../directory/machines/integrations.ts'
import type { Reply } from '../../directory/machines/reply.ts'
import { replyIn, type WebhookBody } from '../../directory/machines/webhook.ts'
import type { Act } from '../bots/bot.ts'
import { attempt, deliveriesOf, StillTelling, writeDeliveries } from './deliveries.ts'
import { type Heard, heardWhole } from './heard.ts'
import { kept, type Session } from './session.ts'
import type { Talk } from './talking.ts'
import { actOf } from './wishes.ts'

/**
 * One turn with n8n or a webhook: it is told of every message, in their order, and what its answers want is done. One
 * that does not answer is told later (deliveries.ts); the customer is with people by then.
 */
export async function hook(talk: Talk, it: IntegrationRow, before: Session | null): Promise<Act> {
  const { scope, ticket, signal, timeoutMs } = talk
  const heard = await heardWhole(scope, ticket.id, before?.upTo, signal)
  const news = heard.map((one, n) => ({ heard: one, body: bodyOf(talk, it, one, before, !before && n === 0) }))
  await writeDeliveries(scope, it.id, ticket.id, news)
  const replies: Reply[] = []
  for (const one of await deliveriesOf(
    scope,
    it.id,
    ticket.id,
    heard.map(({ id }) => id),
  )) {
    const answer = one.state === 'done' ? one.answer : await attempt(scope, it, one, { timeoutMs, signal })
    if (answer === null) throw new StillTelling('it is just being told of an earlier message')
    const reply = heard.some(({ id }) => id === Number(one.messageId)) ? replyIn(answer) : null
    if (reply) replies.push(reply)
  }
  const reply = together(replies)
  const choices = reply.pieces.flatMap((piece) => (piece.kind === 'text' ? (piece.choices ?? []) : []))
  const upTo = heard.at(-1)?.id ?? before?.upTo
  const marks = kept({ of: it.id, at: scope.now().toISOString(), choices, ...(upTo !== undefined && { upTo }) })
  const why = !replies.length ? 'told' : reply.transfer ? 'handed-over' : reply.ends ? 'ended' : 'answered'
  return actOf(talk, it, reply, { marks, why })
}

/** What several answers want, one after the other; where the ticket goes the last of them says. */
function together(all: Reply[]): Reply {
  const transfer = all.findLast((one) => one.transfer)?.transfer
  return {
    pieces: all.flatMap(({ pieces }) => pieces),
    tagIds: [...new Set(all.flatMap(({ tagIds }) => tagIds))],
    ends: all.some(({ ends }) => ends),
    ...(transfer && { transfer }),
  }
}

type Body = Omit<WebhookBody, 'id' | 'company'>

function bodyOf({ ticket }: Talk, it: IntegrationRow, heard: Heard, before: Session | null, isFirst: boolean): Body {
  const { id, uuid, number, status, queue, contact, whatsapp, whatsappId } = ticket
  const picked = before?.choices.length ? chosen(heard.body, before.choices, false) : null
  return {
    version: 1,
    event: isFirst ? 'conversation.started' : 'message.received',
    at: new Date(heard.createdAt).toISOString(),
    integration: { id: it.id, name: it.name },
    ticket: { id, uuid, number, status, queue: queue && { id: queue.id, name: queue.name } },
    contact: { id: contact.id, name: contact.name, number: contact.number, email: contact.email },
    message: {
      id: String(heard.id),
      at: new Date(heard.createdAt).toISOString(),
      type: heard.mediaType ?? 'conversation',
      body: heard.body,
      choice: picked?.[0] ?? null,
      media: heard.mediaPath ? { url: '', name: heard.mediaName ?? 'file' } : null,
    },
    line: whatsappId === null ? null : { id: whatsappId, name: whatsapp?.name ?? '' },
  }
}
