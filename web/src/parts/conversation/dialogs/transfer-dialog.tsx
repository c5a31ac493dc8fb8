import { Select } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import type { User } from '@recado/contract/users'
import { useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { toSelectOptions } from '../../../ui/select-options.ts'
import { SheetForm } from '../../../ui/sheet.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import { useLines } from '../../line/use-lines.ts'
import { MentionArea } from '../../mentions/mention-area.tsx'
import { useMentions } from '../../mentions/use-mentions.ts'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import { holderFromError } from '../../ticket/ticket-holder.ts'
import { toastTicketHolder } from '../../ticket/toasts.ts'
import { useQueues } from '../../use-queues.ts'
import { SummaryButton } from '../assist/summary-button.tsx'
import classes from './dialogs.module.css'
import { ticketDialogTexts } from './texts.ts'
import { UserSearch } from './user-search.tsx'

type Props = { ticket: Ticket; opened: boolean; onClose: () => void }
type NamedRecord = { id: number; name: string }

/** Transfers a ticket to a queue, where it is pending, or to an agent, who is assigned at once. */
export function TransferDialog({ ticket, opened, onClose }: Props) {
  const words = useTexts(ticketDialogTexts)
  const actions = useTicketActions()
  const [user, setUser] = useState<User | null>(null)
  const [queueId, setQueueId] = useState<string | null>(null)
  const [lineId, setLineId] = useState<string | null>(ticket.whatsappId === null ? null : String(ticket.whatsappId))
  const [note, setNote] = useState('')
  const area = useRef<HTMLTextAreaElement>(null)
  const mentions = useMentions({
    ticketId: ticket.id,
    queueId: queueId === null ? undefined : Number(queueId),
    isEnabled: true,
    text: note,
    element: () => area.current,
  })
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const all = useQueues(opened)
  const lines = useLines(opened).data ?? []
  const noQueues = all.data?.length === 0
  // An agent accepts tickets in their own queues; an agent without queues, in all queues.
  const queuesOf = (one: User | null): NamedRecord[] => (one?.queues.length ? one.queues : (all.data ?? []))
  const queues = queuesOf(user)
  // A person gets the ticket in its queue, unless another queue is chosen.
  const needsQueue = !user

  function choose(next: User | null): void {
    setUser(next)
    const its = queuesOf(next)
    if (next && its.length === 1) setQueueId(String(its[0]?.id))
    else if (!its.some((queue) => String(queue.id) === queueId)) setQueueId(null)
  }
  async function send(): Promise<void> {
    setWasSubmitted(true)
    if ((needsQueue && !queueId) || !lineId || busy) return
    setBusy(true)
    try {
      await actions.transfer(ticket, {
        ...(queueId !== null && { queueId: Number(queueId) }),
        whatsappId: Number(lineId),
        userId: user?.id ?? null,
        note: note.trim(),
        mentions: await mentions.findMentioned(note),
      })
      onClose()
    } catch (error) {
      const holder = holderFromError(error)
      if (holder) toastTicketHolder(holder, false)
      else toast.error(error)
      setBusy(false)
    }
  }
  return (
    <SheetForm
      opened={opened}
      onClose={onClose}
      size={300}
      title={words.transferTitle}
      submitLabel={words.transfer}
      isBusy={busy}
      onSubmit={() => void send()}
    >
      <p className={classes.about}>
        {ticket.contact.name} <span>#{formatNumber(ticket.number)}</span>
      </p>
      <UserSearch user={user} onChange={choose} />
      <Select
        label={words.queue}
        required={needsQueue}
        placeholder={user ? words.sameQueue : words.choose}
        clearable={!needsQueue}
        searchable={queues.length > 8}
        data={toSelectOptions(queues)}
        value={queueId}
        onChange={setQueueId}
        error={
          wasSubmitted &&
          needsQueue &&
          !queueId && <FieldError>{noQueues ? words.noQueues : words.queueMissing}</FieldError>
        }
      />
      <Select
        label={words.line}
        required
        placeholder={words.choose}
        searchable={lines.length > 8}
        data={toSelectOptions(lines)}
        value={lineId}
        onChange={setLineId}
        error={wasSubmitted && !lineId && <FieldError>{words.lineMissing}</FieldError>}
      />
      <MentionArea
        areaRef={area}
        mentions={mentions}
        onChange={setNote}
        label={words.note}
        description={words.noteHelp}
        inputWrapperOrder={['label', 'input', 'description']}
        autosize
        minRows={2}
        maxRows={6}
        value={note}
      />
      <SummaryButton ticket={ticket} note={note} onChange={setNote} />
    </SheetForm>
  )
}
