import { topics } from '@recado/contract/live'
import { macrosApi } from '@recado/contract/macros/macros'
import type { Message } from '@recado/contract/messages'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../../lib/api.ts'
import { useLiveTopic, useResync } from '../../../lib/live.ts'
import { useRefetchQuery } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { macroTexts } from '../../macros/texts.ts'
import classes from '../../message/bubble/message-bubble.module.css'

type Props = { ticketId: number; message: Message }

/** The user's steps that run once this message is sent, which has failed. A retry that succeeds runs them. */
export default function WaitingSteps({ ticketId, message }: Props) {
  const words = useTexts(macroTexts)
  const queryKey = ['macro-runs', ticketId]
  const again = useRefetchQuery(queryKey)
  useLiveTopic(topics.macroRun, ({ run }) => run.ticketId === ticketId && again())
  useResync(again)
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(macrosApi.runs, { params: { ticketId } }, { signal }),
    // Another message may have failed since the answer for an earlier one was cached.
    refetchOnMount: 'always',
  })
  const run = data?.runs.find(({ messageId }) => messageId === message.id)
  if (!run) return null
  const count = run.steps.filter(({ state }) => state === 'waiting').length
  const discard = async () => {
    try {
      await callApi(macrosApi.cancelRun, { params: { id: run.id } })
      toast.ok(words.discarded(count))
    } catch (error) {
      toast.error(error)
    }
    again()
  }
  return (
    <div className={classes.failure} data-quiet>
      <IconStack2 size={15} stroke={1.75} aria-hidden="true" />
      <span>{words.waits(count)}</span>
      <button type="button" onClick={() => void discard()}>
        {words.discardSteps(count)}
      </button>
    </div>
  )
}
