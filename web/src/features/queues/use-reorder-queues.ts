import { type Queue, queuesApi } from '@recado/contract/queues'
import { useRef } from 'react'
import { callApi } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { moveIdBeside, moveIdTo } from './reorder-ids.ts'

export type ReorderQueues = {
  /** One place up or down. */
  step: (queue: Queue, by: number) => void
  /** To where it was let go: before or after another one. */
  drop: (queue: Queue, other: number, after: boolean) => void
}

/** Puts the queues in another order. What the server stores comes back to every list by itself. */
export function useReorderQueues(): ReorderQueues {
  const last = useRef<Promise<void>>(Promise.resolve())
  const once = async (arrange: (ids: number[]) => number[]) => {
    try {
      // Read anew: somebody else may have moved them meanwhile.
      const queues = await callApi(queuesApi.list)
      await callApi(queuesApi.order, { body: { ids: arrange(queues.map(({ id }) => id)) } })
    } catch (error) {
      toast.error(error)
    }
  }
  // One after the other: who presses a key twice means two places.
  const rearrange = (arrange: (ids: number[]) => number[]) => {
    last.current = last.current.then(() => once(arrange))
  }
  return {
    step: (queue, by) => rearrange((ids) => moveIdTo(ids, queue.id, ids.indexOf(queue.id) + by)),
    drop: (queue, other, after) => rearrange((ids) => moveIdBeside(ids, queue.id, other, after)),
  }
}
