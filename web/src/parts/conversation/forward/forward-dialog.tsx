import { Anchor, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type Message, maxForwardMessages, maxForwardTargets, messagesApi } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { newClientId } from '../../../lib/client-id.ts'
import { formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { SheetForm } from '../../../ui/sheet.tsx'
import { useDelayedOpen } from '../../../ui/use-delayed-open.ts'
import { ContactAvatar } from '../../contact-avatar.tsx'
import { summarizeMessage } from '../../message/body/message-body.ts'
import { texts as messageTexts } from '../../message/texts.ts'
import { formatPhoneNumber } from '../../phone-number.ts'
import { ticketActionTexts } from '../../ticket/texts.ts'
import { holderFromError, type TicketHolder } from '../../ticket/ticket-holder.ts'
import classes from './forward.module.css'
import { forwardTexts } from './texts.ts'
import { type ForwardTarget, useForwardTargets } from './use-forward-targets.ts'

const searchDebounceMs = 300

type Props = {
  message: Message
  /** The loaded messages that can be forwarded with it, oldest first. */
  others: Message[]
  ticket: Ticket
  onClose: () => void
}

/** Selects the recipients of a forwarded message, and further messages to forward with it. */
export function ForwardDialog({ message, others, ticket, onClose }: Props) {
  const words = useTexts(forwardTexts)
  const [messageIds, setMessageIds] = useState<string[]>([])
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), searchDebounceMs)
  const [selectedTargets, setSelectedTargets] = useState<ForwardTarget[]>([])
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<TicketHolder | null>(null)
  // The id stays the same, so that a retry after a lost response does not send the message twice.
  const [clientId] = useState(newClientId)
  const { tickets, contacts, isBusy, error, retry } = useForwardTargets(ticket, search)
  const opened = useDelayedOpen(true)
  const isChosen = (one: ForwardTarget) => selectedTargets.some((other) => other.key === one.key)
  const toggle = (one: ForwardTarget) => {
    setConflict(null)
    setSelectedTargets(
      isChosen(one) ? selectedTargets.filter((other) => other.key !== one.key) : [...selectedTargets, one],
    )
  }
  const withoutSelected = (all: ForwardTarget[]) => all.filter((one) => !isChosen(one))
  const full = selectedTargets.length >= maxForwardTargets

  async function send(): Promise<void> {
    if (busy || selectedTargets.length === 0) return
    setBusy(true)
    setConflict(null)
    const body = {
      tickets: selectedTargets.flatMap((one) => one.ticketId ?? []),
      contacts: selectedTargets.flatMap((one) => (one.ticketId === null ? one.contact.id : [])),
      messageIds,
      clientId,
    }
    try {
      await callApi(messagesApi.forward, { params: { id: message.id }, body })
      toast.ok(words.done(messageIds.length + 1), words.to(selectedTargets.map((one) => one.contact.name).join(', ')))
      onClose()
    } catch (failure) {
      const holder = holderFromError(failure)
      if (holder) setConflict(holder)
      else toast.error(failure, words.nothingSent)
      setBusy(false)
    }
  }
  const group = (title: string, all: ForwardTarget[], disabled = false) =>
    all.length > 0 && (
      <fieldset className={classes.group}>
        <legend>{title}</legend>
        {all.map((one) => (
          <TargetRow
            key={one.key}
            target={one}
            isChecked={isChosen(one)}
            disabled={disabled}
            onToggle={() => toggle(one)}
          />
        ))}
      </fieldset>
    )
  const isEmpty = withoutSelected(tickets).length + withoutSelected(contacts).length === 0
  return (
    <SheetForm
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.title(messageIds.length + 1)}
      submitLabel={words.verb(selectedTargets.length)}
      isBusy={busy}
      disabled={selectedTargets.length === 0}
      onSubmit={() => void send()}
    >
      <ForwardedMessages message={message} others={others} chosenIds={messageIds} onChoose={setMessageIds} />
      {conflict && <ConflictNotice holder={conflict} targets={selectedTargets} onOpen={onClose} />}
      <TextInput
        label={words.search}
        placeholder={words.searchHint}
        data-autofocus
        autoComplete="off"
        leftSection={<IconSearch size={16} stroke={1.75} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // Enter in the search field must not submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className={classes.list}>
        {group(words.chosen, selectedTargets)}
        {group(words.open, withoutSelected(tickets), full)}
        {group(words.contacts, withoutSelected(contacts), full)}
        {full && <p className={classes.none}>{words.most(maxForwardTargets)}</p>}
        {error && isEmpty && <ErrorState title={words.failed} error={error} onRetry={retry} />}
        {isEmpty && !error && (
          <p className={classes.none} role="status">
            {isBusy
              ? words.searching
              : search === ''
                ? selectedTargets.length === 0 && words.noneOpen
                : tickets.length + contacts.length === 0 && words.nobody}
          </p>
        )}
      </div>
    </SheetForm>
  )
}

/** How many messages of the conversation are offered. */
const maxOfferedMessages = 40

type ForwardedMessagesProps = {
  message: Message
  others: Message[]
  chosenIds: string[]
  onChoose: (ids: string[]) => void
}
/** The message to forward, and on request the other messages of the conversation as a list to choose from. */
function ForwardedMessages({ message, others, chosenIds, onChoose }: ForwardedMessagesProps) {
  const words = useTexts(forwardTexts)
  const kinds = useTexts(messageTexts)
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <div className={classes.about}>
        <p>{summarizeMessage(message, kinds)}</p>
        {others.length > 1 && (
          <Anchor component="button" type="button" inherit onClick={() => setOpen(true)}>
            {words.addMessages}
          </Anchor>
        )}
      </div>
    )
  const isFull = chosenIds.length >= maxForwardMessages - 1
  const at = others.findIndex(({ id }) => id === message.id)
  const from = Math.max(0, Math.min(at - maxOfferedMessages / 2, others.length - maxOfferedMessages))
  return (
    <fieldset className={classes.messages}>
      <legend>{words.messages(chosenIds.length + 1)}</legend>
      {others.slice(from, from + maxOfferedMessages).map((one) => {
        const isFirst = one.id === message.id
        const isChecked = isFirst || chosenIds.includes(one.id)
        return (
          <label key={one.id} className={classes.message}>
            <input
              type="checkbox"
              checked={isChecked}
              disabled={isFirst || (isFull && !isChecked)}
              onChange={() => onChoose(isChecked ? chosenIds.filter((id) => id !== one.id) : [...chosenIds, one.id])}
            />
            <span>{summarizeMessage(one, kinds)}</span>
            <time dateTime={one.createdAt}>{formatTime(one.createdAt)}</time>
          </label>
        )
      })}
    </fieldset>
  )
}

type ConflictProps = { holder: TicketHolder; targets: ForwardTarget[]; onOpen: () => void }
/** Says that nobody received the message, and why. It stays in the dialog, where the selection can be changed. */
function ConflictNotice({ holder, targets, onOpen }: ConflictProps) {
  const words = useTexts(forwardTexts)
  const ticketWords = useTexts(ticketActionTexts)
  const contacts = targets.filter((one) => one.ticketId === null)
  const [only] = contacts
  const who = holder.user ? ticketWords.heldBy(holder.user.name) : ticketWords.waits
  return (
    <InlineNotice kind="danger">
      <b>{words.nothingSent}</b>{' '}
      {only && contacts.length === 1 ? words.hasTicket(only.contact.name) : words.someoneHasTicket}{' '}
      {holder.queue ? ticketWords.heldIn(who, holder.queue.name) : who}{' '}
      {holder.mayOpen && (
        <Anchor component={Link} inherit onClick={onOpen} {...({ to: `/tickets/${holder.uuid}` } as object)}>
          {ticketWords.open}
        </Anchor>
      )}
    </InlineNotice>
  )
}

type RowProps = { target: ForwardTarget; isChecked: boolean; disabled: boolean; onToggle: () => void }
function TargetRow({ target: { contact, isGroup, line, ticketId }, isChecked, disabled, onToggle }: RowProps) {
  return (
    <label className={classes.row} data-disabled={disabled || undefined}>
      <input type="checkbox" checked={isChecked} disabled={disabled} onChange={onToggle} />
      <ContactAvatar contact={contact} size={32} isGroup={isGroup} />
      <span className={classes.words}>
        <b>{contact.name}</b>
        <small>{ticketId === null ? formatPhoneNumber(line) : line}</small>
      </span>
    </label>
  )
}
