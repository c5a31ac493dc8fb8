import { type BinaryNode, getStatusFromReceiptType, proto } from 'baileys'
import type { InboundEvent } from '../line.ts'

const { DELIVERY_ACK, READ, PLAYED } = proto.WebMessageInfo.Status
const acks = new Map<unknown, 3 | 4 | 5>([
  [DELIVERY_ACK, 3],
  [READ, 4],
  [PLAYED, 5],
])

/**
 * The ticks of a receipt, taken from the receipt itself: the library tells them in one of two events, whichever is
 * faster, and not at all while it waits for old history. They are matched by id, since a message to a number is
 * answered by a hidden id. In a group one member's tick is not everybody's: of them only "arrived" is told.
 */
export function ticksOf({ attrs, content }: BinaryNode): InboundEvent[] {
  const ack = acks.get(getStatusFromReceiptType(attrs.type))
  const inGroup = attrs.from?.endsWith('@g.us')
  // `recipient`: another device of our own read something.
  if (!ack || attrs.recipient || (inGroup && ack > 3)) return []
  const list = Array.isArray(content) ? content.find(({ tag }) => tag === 'list') : undefined
  const more = Array.isArray(list?.content) ? list.content.map((item) => item.attrs.id) : []
  const at = new Date(Number(attrs.t ?? 0) * 1000 || Date.now()).toISOString()
  return [attrs.id, ...more].flatMap((targetId) =>
    targetId ? [{ kind: 'ack' as const, id: `${targetId}:ack:${ack}`, chat: attrs.from ?? '', at, targetId, ack }] : [],
  )
}
