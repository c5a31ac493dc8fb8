import { type Queue, queuesApi } from '@recado/contract/queues'
import { useRef } from 'react'
import { callApi } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { moveIdBeside, moveIdTo } from '../../parts/reorder-ids.ts'

export type ReorderQueues = {
  /** Moves a queue one position up or down. */
  step: (queue: Queue, by: number) => void
  /** Moves a queue to the drop position: before or after another queue. */
  drop: (queue: Queue, other: number, after: boolean) => void
}

/** Reorders the queues. The stored order returns to every list by live events. */
export function useReorderQueues(): ReorderQueues {
  const last = useRef<Promise<void>>(Promise.resolve())
  const once = async (arrange: (ids: number[]) => number[]) => {
    try {
      // The order is loaded again, because another user may have moved the queues in the meantime.
      const queues = await callApi(queuesApi.list)
      await callApi(queuesApi.order, { body: { ids: arrange(queues.map(({ id }) => id)) } })
    } catch (error) {
      toast.error(error)
    }
  }
  // Moves run one after another: two key presses mean two positions.
  const rearrange = (arrange: (ids: number[]) => number[]) => {
    last.current = last.current.then(() => once(arrange))
  }
  return {
    step: (queue, by) => rearrange((ids) => moveIdTo(ids, queue.id, ids.indexOf(queue.id) + by)),
    drop: (queue, other, after) => rearrange((ids) => moveIdBeside(ids, queue.id, other, after)),
  }
}
