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
/** The state of the status bar above the text. */
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
  request: AssistRequest,
  draft: string,
  listening: StreamOptions,
): Promise<AssistReply> {
  const params = { ticketId }
  if (request.kind === 'suggest') return callApiStream(assistApi.suggest, { params, body: { draft } }, listening)
  if (request.kind === 'rewrite')
    return callApiStream(assistApi.rewrite, { params, body: { manner: request.style, text: draft } }, listening)
  const body = request.direction === 'out' ? { way: 'out' as const, text: draft } : { way: 'in' as const }
  return callApiStream(assistApi.translate, { params, body }, listening)
}

/** One request at a time. Text typed by the agent during the request is never replaced. */
export function useAssistRequest(ticket: Ticket) {
  const [status, setStatus] = useState<AssistStatus | null>(null)
  const running = useRef<{ end: () => void } | null>(null)
  const key = draftKey(ticket.id, 'reply')

  async function start(request: AssistRequest): Promise<void> {
    running.current?.end()
    const abort = new AbortController()
    const before = readDraft(key)
    const intoBox = !(request.kind === 'translate' && request.direction === 'in')
    let writtenText = before
    let text = ''
    const untouched = () => readDraft(key) === writtenText
    const show = (next: string) => {
      writtenText = next
      writeDraft(key, next)
    }
    const currentRun = {
      end: () => {
        abort.abort()
        if (untouched()) show(before)
        running.current = null
        setStatus(null)
      },
    }
    running.current = currentRun
    const onText = (piece: string) => {
      text += piece
      if (running.current !== currentRun) return
      if (!intoBox) return setStatus({ phase: 'said', text })
      if (untouched()) show(text.trimStart())
      // The text was sent or removed, so the running request is cancelled.
      else if (readDraft(key) === '') currentRun.end()
    }
    setStatus({ phase: 'working', kind: request.kind })
    try {
      const { text: after, sources } = await sendAssistRequest(ticket.id, request, before, {
        signal: abort.signal,
        onText,
      })
      if (running.current !== currentRun) return
      running.current = null
      if (!intoBox) return setStatus({ phase: 'said', text: after })
      if (!untouched()) return setStatus({ phase: 'held', kind: request.kind, after, sources })
      show(after)
      setStatus({ phase: 'done', kind: request.kind, before, after, sources })
    } catch (error) {
      if (running.current !== currentRun) return
      running.current = null
      if (untouched()) show(before)
      const reason =
        error instanceof ApiError && error.code === 'ERR_ASSIST_FAILED' ? String(error.details.reason) : null
      setStatus(reason === null ? null : { phase: 'failed', reason })
      if (reason === null) toast.error(error)
    }
  }

  /** Leaving the ticket cancels the request and restores the composer. */
  const leave = useEffectEvent(() => running.current?.end())
  useEffect(() => () => leave(), [])

  return {
    status: status,
    start,
    cancel: () => running.current?.end(),
    close: () => setStatus(null),
    undo: () => {
      if (status?.phase !== 'done') return
      writeDraft(key, status.before)
      setStatus(null)
    },
    insertResult: () => {
      if (status?.phase !== 'held') return
      const before = readDraft(key)
      writeDraft(key, status.after)
      setStatus({ ...status, phase: 'done', before })
    },
  }
}
