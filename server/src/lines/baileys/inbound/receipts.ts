import { type BinaryNode, getStatusFromReceiptType, proto } from 'baileys'
import type { InboundEvent } from '../../line.ts'

const { DELIVERY_ACK, READ, PLAYED } = proto.WebMessageInfo.Status
const ackByStatus = new Map<unknown, 3 | 4 | 5>([
  [DELIVERY_ACK, 3],
  [READ, 4],
  [PLAYED, 5],
])

/**
 * The acknowledgements of a receipt, taken from the receipt itself: the library emits them in one of two events, whichever
 * is faster, and not at all while it waits for old history. They are matched by id, since a message to a number is
 * answered by a hidden id. In a group one member's receipt does not count for all: only "delivered" is emitted here, and
 * group-reads.ts counts whether all have read the message.
 */
export function toAckEvents({ attrs, content }: BinaryNode): InboundEvent[] {
  const ack = ackByStatus.get(getStatusFromReceiptType(attrs.type))
  const inGroup = attrs.from?.endsWith('@g.us')
  // `recipient` is set if another device of our own account read the message.
  if (!ack || attrs.recipient || (inGroup && ack > 3)) return []
  const at = new Date(Number(attrs.t ?? 0) * 1000 || Date.now()).toISOString()
  return listReceiptIds({ attrs, content }).map((targetId) => ({
    kind: 'ack' as const,
    id: `${targetId}:ack:${ack}`,
    chat: attrs.from ?? '',
    at,
    targetId,
    ack,
  }))
}

/** A group member has read a message, or listened to it. */
export const isReadByMember = ({ attrs }: Pick<BinaryNode, 'attrs'>): boolean =>
  Boolean(attrs.from?.endsWith('@g.us') && attrs.participant && !attrs.recipient) &&
  (ackByStatus.get(getStatusFromReceiptType(attrs.type)) ?? 0) > 3

/** The message ids of a receipt. */
export function listReceiptIds({ attrs, content }: Pick<BinaryNode, 'attrs' | 'content'>): string[] {
  const list = Array.isArray(content) ? content.find(({ tag }) => tag === 'list') : undefined
  const more = Array.isArray(list?.content) ? list.content.map((item) => item.attrs.id) : []
  return [attrs.id, ...more].filter((id) => id !== undefined && id !== '') as string[]
}
