import type { Queue } from '@recado/contract/queues'

type OrderedQueue = Pick<Queue, 'id' | 'orderQueue'>

/** Sorts queues as in the customer's menu; queues without a position come last. */
export function compareQueues(a: OrderedQueue, b: OrderedQueue): number {
  if (a.orderQueue === b.orderQueue) return a.id - b.id
  if (a.orderQueue === null) return 1
  return b.orderQueue === null ? -1 : a.orderQueue - b.orderQueue || a.id - b.id
}
