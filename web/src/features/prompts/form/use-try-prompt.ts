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
  /**
   * Sends a message to the draft. Returns false when nothing was sent, so that the input stays. `onLost`: there was no
   * answer, and the text can be sent again.
   */
  send: (text: string, onLost: () => void) => boolean
  restart: () => void
}
type TryPromptOptions = { id: number | undefined; draft: () => PromptWrite | null }

/** A conversation with the draft; each turn uses the draft's current state. */
export function useTryPrompt({ id, draft }: TryPromptOptions): PromptTrial {
  const [turns, setTurns] = useState<TrialTurn[]>([])
  const [busy, setBusy] = useState(false)
  const abortController = useRef<AbortController>(undefined)
  useEffect(() => () => abortController.current?.abort(), [])

  const requestReply = async (allTurns: TrialTurn[], body: PromptWrite, onLost: () => void) => {
    const cancel = new AbortController()
    abortController.current = cancel
    setBusy(true)
    try {
      const reply = await callApi(
        promptTriesApi.tryIt,
        {
          body: {
            ...(id !== undefined && { id }),
            draft: body,
            turns: allTurns
              .map(toRequestTurn)
              .filter(({ text }) => text !== '')
              .slice(-100),
          },
        },
        { signal: cancel.signal },
      )
      setTurns([...allTurns, { key: allTurns.length, sentAt: Date.now(), from: 'bot', reply }])
    } catch (error) {
      if (cancel.signal.aborted) return
      toast.error(error)
      setTurns(allTurns.slice(0, -1))
      onLost()
    } finally {
      if (abortController.current === cancel) setBusy(false)
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
      const allTurns: TrialTurn[] = [...turns, { key: turns.length, sentAt: Date.now(), from: 'customer', text }]
      setTurns(allTurns)
      void requestReply(allTurns, body, onLost)
      return true
    },
    restart: () => {
      abortController.current?.abort()
      abortController.current = undefined
      setTurns([])
      setBusy(false)
    },
  }
}

const toRequestTurn = (turn: TrialTurn) => ({
  from: turn.from,
  text: (turn.from === 'bot' ? turn.reply.say.join('\n') : turn.text).slice(0, 4096),
})
