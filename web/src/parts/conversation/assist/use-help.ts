import { type Assisted, assistApi, type Manner } from '@recado/contract/machines/assist'
import type { Ticket } from '@recado/contract/tickets'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, callLines } from '../../../lib/api.ts'
import { toast } from '../../../lib/toast.ts'
import { readDraft, writeDraft } from '../../message/box/drafts.ts'
import { draftOf } from '../outgoing/places.ts'

export type Wish = { kind: 'suggest' } | { kind: 'rewrite'; manner: Manner } | { kind: 'translate'; way: 'out' | 'in' }
type Kind = Wish['kind']
type Sources = Assisted['sources']
/** What the strip above the text shows. */
export type Help =
  | { phase: 'working'; kind: Kind }
  /** It stands in the box; what stood there before can come back. */
  | { phase: 'done'; kind: Kind; before: string; after: string; sources: Sources }
  /** They went on writing: it waits beside the box. */
  | { phase: 'held'; kind: Kind; after: string; sources: Sources }
  /** What the customer wrote, in other words. */
  | { phase: 'said'; text: string }
  | { phase: 'failed'; reason: string }

type Listening = Parameters<typeof callLines>[2]

function ask(ticketId: number, wish: Wish, draft: string, listening: Listening): Promise<Assisted> {
  const params = { ticketId }
  if (wish.kind === 'suggest') return callLines(assistApi.suggest, { params, body: { draft } }, listening)
  if (wish.kind === 'rewrite')
    return callLines(assistApi.rewrite, { params, body: { manner: wish.manner, text: draft } }, listening)
  const body = wish.way === 'out' ? { way: 'out' as const, text: draft } : { way: 'in' as const }
  return callLines(assistApi.translate, { params, body }, listening)
}

/** One wish at a time. The box stays the agent's: whatever they type while it is answered is theirs and stays. */
export function useHelp(ticket: Ticket) {
  const [help, setHelp] = useState<Help | null>(null)
  const running = useRef<{ end: () => void } | null>(null)
  const place = draftOf(ticket.id, 'reply')

  async function start(wish: Wish): Promise<void> {
    running.current?.end()
    const abort = new AbortController()
    const before = readDraft(place)
    const intoBox = !(wish.kind === 'translate' && wish.way === 'in')
    let shown = before
    let text = ''
    const untouched = () => readDraft(place) === shown
    const show = (next: string) => {
      shown = next
      writeDraft(place, next)
    }
    const mine = {
      end: () => {
        abort.abort()
        if (untouched()) show(before)
        running.current = null
        setHelp(null)
      },
    }
    running.current = mine
    const onText = (piece: string) => {
      text += piece
      if (running.current !== mine) return
      if (!intoBox) return setHelp({ phase: 'said', text })
      if (untouched()) show(text.trimStart())
      // They sent it, or took it away: the rest is not wanted.
      else if (readDraft(place) === '') mine.end()
    }
    setHelp({ phase: 'working', kind: wish.kind })
    try {
      const { text: after, sources } = await ask(ticket.id, wish, before, { signal: abort.signal, onText })
      if (running.current !== mine) return
      running.current = null
      if (!intoBox) return setHelp({ phase: 'said', text: after })
      if (!untouched()) return setHelp({ phase: 'held', kind: wish.kind, after, sources })
      show(after)
      setHelp({ phase: 'done', kind: wish.kind, before, after, sources })
    } catch (error) {
      if (running.current !== mine) return
      running.current = null
      if (untouched()) show(before)
      const reason = error instanceof ApiError && error.code === 'ERR_ASSIST_FAILED' ? String(error.more.reason) : null
      setHelp(reason === null ? null : { phase: 'failed', reason })
      if (reason === null) toast.error(error)
    }
  }

  /** Whoever leaves the ticket wants it no more, and finds the box as they left it. */
  const leave = useEffectEvent(() => running.current?.end())
  useEffect(() => () => leave(), [])

  return {
    help,
    start,
    cancel: () => running.current?.end(),
    close: () => setHelp(null),
    undo: () => {
      if (help?.phase !== 'done') return
      writeDraft(place, help.before)
      setHelp(null)
    },
    use: () => {
      if (help?.phase !== 'held') return
      const before = readDraft(place)
      writeDraft(place, help.after)
      setHelp({ ...help, phase: 'done', before })
    },
  }
}
