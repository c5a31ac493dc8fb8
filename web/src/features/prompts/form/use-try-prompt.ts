import { type PromptTryReply, type PromptWrite, promptTriesApi } from '@recado/contract/ai/prompts'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { toast } from '../../../lib/toast.ts'

export type TrialTurn = { key: number; sentAt: number } & (
  | { from: 'customer'; text: string }
  | { from: 'bot'; reply: PromptTryReply }
)
export type PromptTrial = {
  turns: TrialTurn[]
  isBusy: boolean
  /** Who handles the customer next. */
  nextHandler: PromptTryReply['next']
  /** False when nothing was sent: the input stays. `onLost`: there was no answer, and it can be sent again. */
  send: (text: string, onLost: () => void) => boolean
  restart: () => void
}
type TryPromptOptions = { id: number | undefined; draft: () => PromptWrite | null }

/** A conversation with the draft in its state at each turn. */
export function useTryPrompt({ id, draft }: TryPromptOptions): PromptTrial {
  const [turns, setTurns] = useState<TrialTurn[]>([])
  const [busy, setBusy] = useState(false)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const ask = async (all: TrialTurn[], body: PromptWrite, onLost: () => void) => {
    const cancel = new AbortController()
    asking.current = cancel
    setBusy(true)
    try {
      const reply = await callApi(
        promptTriesApi.tryIt,
        {
          body: {
            ...(id !== undefined && { id }),
            draft: body,
            turns: all
              .map(toRequestTurn)
              .filter(({ text }) => text !== '')
              .slice(-100),
          },
        },
        { signal: cancel.signal },
      )
      setTurns([...all, { key: all.length, sentAt: Date.now(), from: 'bot', reply }])
    } catch (error) {
      if (cancel.signal.aborted) return
      toast.error(error)
      setTurns(all.slice(0, -1))
      onLost()
    } finally {
      if (asking.current === cancel) setBusy(false)
    }
  }
  const last = turns.at(-1)
  return {
    turns,
    isBusy: busy,
    nextHandler: last?.from === 'bot' ? last.reply.next : 'machine',
    send: (text, onLost) => {
      const body = draft()
      if (!body || busy) return false
      const all: TrialTurn[] = [...turns, { key: turns.length, sentAt: Date.now(), from: 'customer', text }]
      setTurns(all)
      void ask(all, body, onLost)
      return true
    },
    restart: () => {
      asking.current?.abort()
      asking.current = undefined
      setTurns([])
      setBusy(false)
    },
  }
}

const toRequestTurn = (turn: TrialTurn) => ({
  from: turn.from,
  text: (turn.from === 'bot' ? turn.reply.say.join('\n') : turn.text).slice(0, 4096),
})
