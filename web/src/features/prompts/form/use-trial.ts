import { type PromptWrite, type TryReply, tryApi } from '@recado/contract/machines/prompts'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { toast } from '../../../lib/toast.ts'

export type Turn = { key: number; at: number } & ({ from: 'customer'; text: string } | { from: 'bot'; reply: TryReply })
export type Trial = {
  turns: Turn[]
  busy: boolean
  /** Who has the customer from here on. */
  next: TryReply['next']
  /** False where nothing was sent: what was typed stays. `onLost`: it got no answer and can be said again. */
  say: (text: string, onLost: () => void) => boolean
  restart: () => void
}
type Given = { id: number | undefined; draft: () => PromptWrite | null }

/** A conversation with the draft, as it is when each turn is taken. */
export function useTrial({ id, draft }: Given): Trial {
  const [turns, setTurns] = useState<Turn[]>([])
  const [busy, setBusy] = useState(false)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  const ask = async (all: Turn[], body: PromptWrite, onLost: () => void) => {
    const cancel = new AbortController()
    asking.current = cancel
    setBusy(true)
    try {
      const reply = await call(
        tryApi.tryIt,
        {
          body: {
            ...(id !== undefined && { id }),
            draft: body,
            turns: all
              .map(saidIn)
              .filter(({ text }) => text !== '')
              .slice(-100),
          },
        },
        { signal: cancel.signal },
      )
      setTurns([...all, { key: all.length, at: Date.now(), from: 'bot', reply }])
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
    busy,
    next: last?.from === 'bot' ? last.reply.next : 'machine',
    say: (text, onLost) => {
      const body = draft()
      if (!body || busy) return false
      const all: Turn[] = [...turns, { key: turns.length, at: Date.now(), from: 'customer', text }]
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

const saidIn = (turn: Turn) => ({
  from: turn.from,
  text: (turn.from === 'bot' ? turn.reply.say.join('\n') : turn.text).slice(0, 4096),
})
