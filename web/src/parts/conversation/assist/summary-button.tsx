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
  /** The current note, read when needed, because the user may be typing. */
  note: string
  onChange: (note: string) => void
}

/** The button beside a transfer note that inserts a summary. A second click removes the summary. */
export function SummaryButton({ ticket, note, onChange }: Props) {
  const words = useTexts(texts)
  const { on: isEnabled } = useAssistState(ticket.id, ticket.contactId)
  const [busy, setBusy] = useState(false)
  const abort = useRef<AbortController | null>(null)
  const now = useRef(note)
  now.current = note
  useEffect(() => () => abort.current?.abort(), [])
  if (!isEnabled) return null

  async function start(): Promise<void> {
    const abortController = new AbortController()
    abort.current = abortController
    setBusy(true)
    // The summary is appended below the existing text. If the user keeps typing, it is appended at the end.
    const before = now.current.trimEnd()
    let writtenText = now.current
    let text = ''
    const joined = () => [before, text.trim()].filter(Boolean).join('\n\n')
    const show = () => {
      writtenText = joined()
      now.current = writtenText
      onChange(writtenText)
    }
    const onText = (piece: string) => {
      text += piece
      if (now.current === writtenText) show()
    }
    try {
      const body = { why: 'transfer' } as const
      const params = { ticketId: ticket.id }
      const answer = await callApiStream(
        assistApi.summarise,
        { params, body },
        { signal: abortController.signal, onText },
      )
      text = answer.text
      if (now.current === writtenText) show()
      else onChange([now.current.trimEnd(), text].join('\n\n'))
    } catch (error) {
      if (now.current === writtenText) onChange(before)
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
