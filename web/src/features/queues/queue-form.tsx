import { queueOptionsApi } from '@recado/contract/queue-options'
import type { Queue } from '@recado/contract/queues'
import { ticketsApi } from '@recado/contract/tickets'
import { usersApi } from '@recado/contract/users'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { callApi } from '../../lib/api.ts'
import { toast } from '../../lib/toast.ts'
import { useLines } from '../../parts/line/use-lines.ts'
import { useQueues } from '../../parts/use-queues.ts'
import type { FormSlot } from '../../records/records-page.tsx'
import { QueueEditor } from './queue-editor.tsx'

/** The form opens after everything it shows has loaded: fields must not change while the user types. */
export function QueueForm(slot: FormSlot<Queue>) {
  const id = slot.row?.id
  const queues = useQueues()
  const options = useQuery({
    queryKey: ['queue-options', id, 'form'],
    queryFn: ({ signal }) => callApi(queueOptionsApi.list, { query: { queueId: id } }, { signal }),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const lines = useLines()
  const users = useQuery({
    queryKey: ['users', 'of-queues'],
    queryFn: ({ signal }) => callApi(usersApi.everyone, { query: {} }, { signal }),
    staleTime: 0,
  })
  const waiting = useQuery({
    queryKey: ['tickets-without-queue'],
    queryFn: ({ signal }) => callApi(ticketsApi.withoutQueue, {}, { signal }),
    enabled: id === undefined,
    staleTime: 0,
  })
  const error = queues.error ?? options.error ?? lines.error ?? users.error ?? waiting.error
  const giveUp = useEffectEvent(() => {
    toast.error(error)
    slot.onClose()
  })
  useEffect(() => {
    if (error) giveUp()
  }, [error])
  const stored = id === undefined ? [] : options.data
  const waitingByLine = id === undefined ? waiting.data : []
  if (!queues.data || !stored || !lines.data || !users.data || !waitingByLine) return null
  return (
    <QueueEditor
      {...slot}
      queues={queues.data}
      storedOptions={stored}
      lines={lines.data}
      users={users.data}
      waiting={waitingByLine}
    />
  )
}
