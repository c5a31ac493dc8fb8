import { Button, Progress } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import type { TicketBatch } from '@recado/contract/tickets/ticket-batches'
import { IconAlertTriangle, IconArrowBackUp, IconCheck, IconEye, IconMessageOff } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type CSSProperties, useEffect, useState } from 'react'
import { ApiError, type FailureCode } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { isInOverlay, isTextField } from '../../../lib/shortcut-keys.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ContactAvatar } from '../../../parts/contact-avatar.tsx'
import classes from './selection-pane.module.css'
import { selectionTexts } from './texts.ts'

export function BatchProgress({ batch, onStop }: { batch: TicketBatch; onStop: () => void }) {
  const words = useTexts(selectionTexts)
  const isUndoing = batch.state === 'undoing'
  const [handled, total] = isUndoing ? [batch.undone, batch.done] : [batch.done + batch.refused, batch.total]
  const label = isUndoing ? words.undoing : words.working
  return (
    <div className={classes.block} role="status">
      <h2 className={classes.title}>{label}</h2>
      <p className={classes.about}>{words.running(handled, total)}</p>
      <Progress value={total === 0 ? 100 : (handled / total) * 100} aria-label={label} />
      {!isUndoing && (
        <div>
          <Button variant="default" onClick={onStop}>
            {words.stop}
          </Button>
        </div>
      )}
    </div>
  )
}

type ResultProps = {
  batch: TicketBatch
  tickets: ReadonlyMap<number, Ticket>
  onUndo: () => void
  onClose: () => void
}

/** What was done and what was refused, with the reasons. */
export function BatchResult({ batch, tickets, onUndo, onClose }: ResultProps) {
  const words = useTexts(selectionTexts)
  useShortcut('Escape', onClose, { label: words.ready, isAllowedAt: (target) => target === document.body })
  const isUndone = batch.state === 'undone'
  const title = isUndone
    ? words.undone(batch.undone)
    : [words.done[batch.kind](batch.done), batch.refused > 0 && words.refused(batch.refused)].filter(Boolean).join(', ')
  return (
    <div className={classes.block} role="status">
      <div className={classes.result}>
        <span className={classes.tile} data-refused={batch.done === 0 || undefined}>
          {batch.done === 0 ? <IconAlertTriangle size={22} stroke={1.75} /> : <IconCheck size={22} stroke={1.75} />}
        </span>
        <div className={classes.words}>
          <h2 className={classes.title}>{title}</h2>
          {batch.state === 'stopped' && <p className={classes.about}>{words.stopped}</p>}
        </div>
        {batch.undoUntil && <UndoButton until={batch.undoUntil} count={batch.done} onUndo={onUndo} />}
      </div>
      {batch.refusals.length > 0 && <Refusals batch={batch} tickets={tickets} isUndone={isUndone} />}
      {batch.unsent.length > 0 && <UnsentMessages batch={batch} />}
      <div>
        <Button variant="default" onClick={onClose}>
          {words.ready}
        </Button>
      </div>
    </div>
  )
}

const invisibleCode = 'ERR_NO_TICKET_FOUND'
/** How many refused tickets are listed; the others are counted by their reason. */
const maxListed = 20

function Refusals({
  batch,
  tickets,
  isUndone,
}: {
  batch: TicketBatch
  tickets: ReadonlyMap<number, Ticket>
  isUndone: boolean
}) {
  const words = useTexts(selectionTexts)
  const errorText = useErrorText()
  const navigate = useNavigate()
  const describe = (code: string) =>
    code === invisibleCode ? words.notVisible : errorText(new ApiError(code as FailureCode, 409))
  const count = batch.reasons.reduce((sum, reason) => sum + reason.count, 0)
  const listed = batch.refusals.slice(0, maxListed)
  return (
    <section className={classes.refusals}>
      <h3 className={classes.refusalsTitle}>
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />
        {isUndone ? words.notUndone(count) : words.stillChecked(count)}
      </h3>
      <ul className={classes.list}>
        {count > maxListed
          ? batch.reasons.map(({ code, count: n }) => (
              <li key={code} className={classes.refusal}>
                <span className={classes.words}>{describe(code)}</span>
                <strong>{n}</strong>
              </li>
            ))
          : listed.map(({ ticketId, code }) => {
              const ticket = tickets.get(ticketId)
              return (
                <li key={ticketId} className={classes.refusal}>
                  {ticket && <ContactAvatar contact={ticket.contact} size={28} isGroup={ticket.isGroup} />}
                  <span className={classes.words}>
                    <strong>{ticket?.contact.name ?? words.ticket}</strong>
                    <span className={classes.reason}>{describe(code)}</span>
                  </span>
                  {ticket && code !== invisibleCode && (
                    <Button
                      variant="default"
                      size="compact-sm"
                      leftSection={<IconEye size={16} stroke={1.75} />}
                      onClick={() => void navigate({ href: `/tickets/${ticket.uuid}` })}
                    >
                      {words.open}
                    </Button>
                  )}
                </li>
              )
            })}
      </ul>
    </section>
  )
}

/** Tickets that were closed without the message that was asked for. */
function UnsentMessages({ batch: { unsent } }: { batch: TicketBatch }) {
  const words = useTexts(selectionTexts)
  return (
    <section className={classes.refusals}>
      <h3 className={classes.refusalsTitle}>
        <IconMessageOff size={18} stroke={1.75} aria-hidden="true" />
        {words.unsent(unsent.reduce((sum, { count }) => sum + count, 0))}
      </h3>
      <ul className={classes.list}>
        {unsent.map(({ reason, count }) => (
          <li key={reason} className={classes.refusal}>
            <span className={classes.words}>{words.unsentReasons[reason]}</span>
            <strong>{count}</strong>
          </li>
        ))}
      </ul>
    </section>
  )
}

const undoSeconds = 20
/** Undoes the batch while the ring runs; also Ctrl Z. */
function UndoButton({ until, count, onUndo }: { until: string; count: number; onUndo: () => void }) {
  const words = useTexts(selectionTexts)
  const left = useSecondsLeft(until)
  useShortcut('mod+z', left > 0 ? onUndo : null, {
    label: words.undo(count),
    isActive: left > 0,
    isAllowedAt: (target) => !isTextField(target) && !isInOverlay(target),
  })
  if (left <= 0) return null
  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={18} stroke={1.75} />}
      rightSection={
        <span className={classes.ring} style={{ '--left': left / undoSeconds } as CSSProperties} aria-hidden="true">
          {left}
        </span>
      }
      onClick={onUndo}
    >
      {words.undo(count)}
    </Button>
  )
}

/** Counts from the moment at which the result is shown: the clocks of the browser and the server may differ. */
function useSecondsLeft(until: string): number {
  const [left, setLeft] = useState(undoSeconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins again for another batch.
  useEffect(() => {
    setLeft(undoSeconds)
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [until])
  return left
}
