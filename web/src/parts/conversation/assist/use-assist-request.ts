import { type AssistReply, assistApi, type RewriteStyle } from '@recado/contract/ai/assist'
import type { Ticket } from '@recado/contract/tickets'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, callApiStream } from '../../../lib/api.ts'
import { toast } from '../../../lib/toast.ts'
import { readDraft, writeDraft } from '../../message/composer/drafts.ts'
import { draftKey } from '../outgoing/composer-keys.ts'

export type AssistRequest =
  | { kind: 'suggest' }
  | { kind: 'rewrite'; style: RewriteStyle }
  | { kind: 'translate'; direction: 'out' | 'in' }
type RequestKind = AssistRequest['kind']
type Sources = AssistReply['sources']
/** The state of the strip above the text. */
export type AssistStatus =
  | { phase: 'working'; kind: RequestKind }
  /** The result is in the composer; the previous text can be restored. */
  | { phase: 'done'; kind: RequestKind; before: string; after: string; sources: Sources }
  /** The user kept typing: the result waits beside the composer. */
  | { phase: 'held'; kind: RequestKind; after: string; sources: Sources }
  /** A translation of the customer's message. */
  | { phase: 'said'; text: string }
  | { phase: 'failed'; reason: string }

type StreamOptions = Parameters<typeof callApiStream>[2]

function sendAssistRequest(
  ticketId: number,
  wish: AssistRequest,
  draft: string,
  listening: StreamOptions,
): Promise<AssistReply> {
  const params = { ticketId }
  if (wish.kind === 'suggest') return callApiStream(assistApi.suggest, { params, body: { draft } }, listening)
  if (wish.kind === 'rewrite')
    return callApiStream(assistApi.rewrite, { params, body: { manner: wish.style, text: draft } }, listening)
  const body = wish.direction === 'out' ? { way: 'out' as const, text: draft } : { way: 'in' as const }
  return callApiStream(assistApi.translate, { params, body }, listening)
}

/** One request at a time. Text typed by the agent during the request is never replaced. */
export function useAssistRequest(ticket: Ticket) {
  const [help, setHelp] = useState<AssistStatus | null>(null)
  const running = useRef<{ end: () => void } | null>(null)
  const place = draftKey(ticket.id, 'reply')

  async function start(wish: AssistRequest): Promise<void> {
    running.current?.end()
    const abort = new AbortController()
    const before = readDraft(place)
    const intoBox = !(wish.kind === 'translate' && wish.direction === 'in')
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
      // The text was sent or removed: cancel the rest.
      else if (readDraft(place) === '') mine.end()
    }
    setHelp({ phase: 'working', kind: wish.kind })
    try {
      const { text: after, sources } = await sendAssistRequest(ticket.id, wish, before, {
        signal: abort.signal,
        onText,
      })
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
      const reason =
        error instanceof ApiError && error.code === 'ERR_ASSIST_FAILED' ? String(error.details.reason) : null
      setHelp(reason === null ? null : { phase: 'failed', reason })
      if (reason === null) toast.error(error)
    }
  }

  /** Leaving the ticket cancels the request and restores the composer. */
  const leave = useEffectEvent(() => running.current?.end())
  useEffect(() => () => leave(), [])

  return {
    status: help,
    start,
    cancel: () => running.current?.end(),
    close: () => setHelp(null),
    undo: () => {
      if (help?.phase !== 'done') return
      writeDraft(place, help.before)
      setHelp(null)
    },
    insertResult: () => {
      if (help?.phase !== 'held') return
      const before = readDraft(place)
      writeDraft(place, help.after)
      setHelp({ ...help, phase: 'done', before })
    },
  }
}
