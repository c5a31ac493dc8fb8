import { Button, Modal, Switch, TextInput } from '@mantine/core'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import {
  IconBell,
  IconCalendar,
  IconCalendarWeek,
  IconClock,
  IconClockPause,
  IconMessageReply,
  IconNote,
  IconSunrise,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { formatReturn, nameIsoDay } from '../../ticket/snooze/format-return.ts'
import { parseSnoozeTime } from '../../ticket/snooze/parse-snooze-time.ts'
import { snoozeTexts } from '../../ticket/snooze/texts.ts'
import { useSnoozeActions } from '../../ticket/snooze/use-snooze-actions.ts'
import classes from './choice-dialog.module.css'
import { useFocusReturn } from './use-focus-return.ts'

type SnoozeChoices = { until: string | null; wakesOnMessage: boolean; note: string }
type Props = {
  ticket: Ticket
  opened: boolean
  onClose: () => void
  /** Instead of snoozing the ticket, whose queue only offers its times. */
  onSnooze?: (how: SnoozeChoices) => void
}
const hourMs = 3_600_000
const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Chooses until when a ticket is out of the way: typed, ready choices in the queue's hours, or a day and time. */
export function SnoozeDialog({ ticket, opened, onClose: close, onSnooze }: Props) {
  const words = useTexts(snoozeTexts)
  const actions = useSnoozeActions()
  const returnFocus = useFocusReturn()
  const [now] = useState(() => new Date())
  const [typed, setTyped] = useState('')
  const [wakesOnMessage, setWakesOnMessage] = useState(ticket.snooze?.wakesOnMessage ?? true)
  const [note, setNote] = useState(ticket.snooze?.note ?? '')
  const [picked, setPicked] = useState<string | null>(null)
  const { data: times } = useQuery({
    queryKey: ['snooze-times', ticket.id],
    queryFn: ({ signal }) => callApi(ticketsApi.snoozeTimes, { params: { id: ticket.id } }, { signal }),
    staleTime: 0,
  })
  const zone = times?.timezone ?? browserZone()
  const opensAt = times ? toWallTime(new Date(times.tomorrow.at), zone).slice(11, 16) : '09:00'
  const parsed = typed.trim() === '' ? null : parseSnoozeTime(typed, { now, zone, opensAt })
  const onClose = () => {
    close()
    returnFocus()
  }
  const snooze = (until: string | null) => {
    onClose()
    const how = { until, wakesOnMessage: until === null || wakesOnMessage, note: note.trim() }
    if (onSnooze) onSnooze(how)
    else void actions.snooze(ticket, how)
  }
  const pick = () => {
    const at = picked && dateOfWallTime(picked.slice(0, 16), zone)
    if (at && at.getTime() > Date.now()) snooze(at.toISOString())
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    // Enter in a text field takes the typed time.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && event.target.type === 'text' && parsed)
      return snooze(parsed.toISOString())
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')]
    const at = stops.indexOf(document.activeElement as HTMLElement)
    if (!by || at < 0) return
    event.preventDefault()
    stops.at((at + by + stops.length) % stops.length)?.focus()
  }
  const inOneHour = new Date(now.getTime() + hourMs).toISOString()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.title}
      size={380}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the fields and buttons inside. */}
      <div onKeyDown={onKeyDown}>
        <TextInput
          className={classes.field ?? ''}
          data-autofocus
          data-stop
          aria-label={words.input}
          placeholder={words.placeholder}
          leftSection={<IconClockPause size={18} stroke={1.75} />}
          value={typed}
          maxLength={60}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={typed.trim() !== '' && !parsed && words.notUnderstood}
        />
        <div className={classes.choices}>
          {parsed && (
            <SnoozeChoice
              icon={IconClock}
              label={formatReturn(parsed.toISOString())}
              onChoose={() => snooze(parsed.toISOString())}
            />
          )}
          <SnoozeChoice
            icon={IconClock}
            label={words.inOneHour}
            time={formatReturn(inOneHour)}
            onChoose={() => snooze(inOneHour)}
          />
          {times && (
            <>
              <SnoozeChoice
                icon={IconSunrise}
                label={words.tomorrow}
                time={formatReturn(times.tomorrow.at)}
                hint={
                  times.tomorrow.holiday
                    ? words.holiday(nameIsoDay(times.tomorrow.holiday))
                    : times.queue && words.opens(times.queue, formatTime(times.tomorrow.at))
                }
                onChoose={() => snooze(times.tomorrow.at)}
              />
              <SnoozeChoice
                icon={IconCalendarWeek}
                label={words.nextWeek}
                time={formatReturn(times.nextWeek.at)}
                hint={times.nextWeek.holiday && words.holiday(nameIsoDay(times.nextWeek.holiday))}
                onChoose={() => snooze(times.nextWeek.at)}
              />
            </>
          )}
          <SnoozeChoice
            icon={IconMessageReply}
            label={words.untilMessage}
            hint={words.noDate}
            onChoose={() => snooze(null)}
          />
          {picked === null ? (
            <SnoozeChoice
              icon={IconCalendar}
              label={words.pick}
              onChoose={() => setPicked(toWallTime(new Date(times?.tomorrow.at ?? inOneHour), zone))}
            />
          ) : (
            <div className={classes.pick}>
              <TextInput
                type="datetime-local"
                aria-label={`${words.pick} (${zone})`}
                value={picked.slice(0, 16)}
                min={toWallTime(now, zone).slice(0, 16)}
                onChange={(event) => setPicked(event.currentTarget.value)}
              />
              <Button onClick={pick}>{words.confirm}</Button>
            </div>
          )}
          {ticket.snooze && !onSnooze && (
            <SnoozeChoice
              icon={IconBell}
              label={words.wake}
              onChoose={() => {
                onClose()
                void actions.unsnooze(ticket)
              }}
            />
          )}
        </div>
        <div className={classes.options}>
          <Switch
            label={words.wakesOnMessage}
            labelPosition="left"
            checked={wakesOnMessage}
            onChange={(event) => setWakesOnMessage(event.currentTarget.checked)}
          />
          <TextInput
            variant="unstyled"
            leftSection={<IconNote size={16} stroke={1.75} />}
            aria-label={words.note}
            placeholder={words.note}
            value={note}
            maxLength={200}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        </div>
      </div>
    </Modal>
  )
}

type ChoiceProps = {
  icon: typeof IconClock
  label: string
  time?: string
  hint?: string | null
  onChoose: () => void
}

function SnoozeChoice({ icon: Icon, label, time, hint, onChoose }: ChoiceProps) {
  return (
    <button type="button" className={classes.choice} data-stop onClick={onChoose}>
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <span className={classes.word}>
        {label}
        {hint && <small className={classes.hint}>{hint}</small>}
      </span>
      {time && <span className={classes.time}>{time}</span>}
    </button>
  )
}
