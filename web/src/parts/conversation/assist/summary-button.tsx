import { Button } from '@mantine/core'
import { assistApi } from '@recado/contract/ai/assist'
import type { Ticket } from '@recado/contract/tickets'
import { IconSparkles } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { callApiStream } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { texts } from './texts.ts'
import { useAssistState } from './use-assist-state.ts'

type Props = {
  ticket: Ticket
  /** What stands in the note, read when it is needed: somebody may be writing. */
  note: string
  onWrite: (note: string) => void
}

/** Beside the note of a hand-over: what happened so far, put into it. A second press takes it back. */
export function SummaryButton({ ticket, note, onWrite }: Props) {
  const words = useTexts(texts)
  const { on } = useAssistState(ticket.id, ticket.contactId)
  const [busy, setBusy] = useState(false)
  const abort = useRef<AbortController | null>(null)
  const now = useRef(note)
  now.current = note
  useEffect(() => () => abort.current?.abort(), [])
  if (!on) return null

  async function start(): Promise<void> {
    const mine = new AbortController()
    abort.current = mine
    setBusy(true)
    // Below what was written already. Whoever goes on writing keeps their words, and it comes after them at the end.
    const before = now.current.trimEnd()
    let shown = now.current
    let text = ''
    const joined = () => [before, text.trim()].filter(Boolean).join('\n\n')
    const show = () => {
      shown = joined()
      now.current = shown
      onWrite(shown)
    }
    const onText = (piece: string) => {
      text += piece
      if (now.current === shown) show()
    }
    try {
      const body = { why: 'transfer' } as const
      const params = { ticketId: ticket.id }
      const answer = await callApiStream(assistApi.summarise, { params, body }, { signal: mine.signal, onText })
      text = answer.text
      if (now.current === shown) show()
      else onWrite([now.current.trimEnd(), text].join('\n\n'))
    } catch (error) {
      if (now.current === shown) onWrite(before)
      toast.error(error, words.notSummed)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      style={{ alignSelf: 'flex-start' }}
      leftSection={<IconSparkles size={16} stroke={1.75} />}
      onClick={() => (busy ? abort.current?.abort() : void start())}
    >
      {busy ? `${words.summarising} ${words.cancel}` : words.summarise}
    </Button>
  )
}
