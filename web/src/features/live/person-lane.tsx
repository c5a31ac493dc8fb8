import { useDroppable } from '@dnd-kit/core'
import { ActionIcon } from '@mantine/core'
import type { LivePerson } from '@recado/contract/routing/live'
import { IconDots } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { availabilityTexts } from '../../parts/availability-texts.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { formatWait } from './format-wait.ts'
import classes from './live.module.css'
import { isAway, isFull, personState } from './person-state.ts'
import { type LiveTexts, liveTexts } from './texts.ts'
import { type CardActions, HeldCard } from './ticket-card.tsx'
import { type CarryTicket, describeGiving } from './use-carry-ticket.ts'

/** With more places than this the segments would not fit, so that only the number is shown. */
const maxSegments = 12

type LaneProps = {
  person: LivePerson
  now: number
  carried: CarryTicket['carried']
  actions: CardActions
  onChangeState: (person: LivePerson) => void
}

/** One person: their state, their load, and the tickets they attend. */
export function PersonLane({ person, now, carried, actions, onChangeState }: LaneProps) {
  const words = useTexts(liveTexts)
  const { setNodeRef } = useDroppable({ id: `person-${person.id}`, data: { personId: person.id } })
  const isTarget = carried?.overId === person.id && carried.holderId !== person.id
  const state = useStateText(person, now)
  const isRefused = isAway(person) || person.availability === 'break' || isFull(person)
  return (
    <section
      ref={setNodeRef}
      className={classes.lane}
      aria-label={words.laneOf(person.name, state, formatLoad(person, words))}
      data-target={isTarget || undefined}
    >
      <header className={classes.laneHead}>
        <PersonAvatar
          id={person.id}
          name={person.name}
          size={32}
          online={person.online}
          availability={person.availability}
        />
        <div className={classes.laneWords}>
          <h2 className={classes.laneName} title={person.name}>
            {person.name}
          </h2>
          <p className={classes.laneState} title={state}>
            {state}
          </p>
        </div>
        <ActionIcon size={28} aria-label={words.change(person.name)} onClick={() => onChangeState(person)}>
          <IconDots size={17} stroke={1.75} />
        </ActionIcon>
      </header>
      <Load person={person} />
      <ul className={classes.cards}>
        {isTarget && (
          <li className={classes.slot} data-refused={isRefused || undefined}>
            {!isAway(person) && <b>{words.give(person.name)}</b>}
            <span>{describeGiving(person, words)}</span>
          </li>
        )}
        {person.tickets.map((ticket) => (
          <HeldCard
            key={ticket.id}
            held={{ ticket, holderId: person.id }}
            now={now}
            carriedBy={carried?.ticket.id === ticket.id ? carried.by : undefined}
            actions={actions}
          />
        ))}
        {person.tickets.length === 0 && !isTarget && <li className={classes.none}>{words.noTickets}</li>}
        {person.ticketCount > person.tickets.length && (
          <li className={classes.none}>{words.more(person.ticketCount - person.tickets.length)}</li>
        )}
      </ul>
    </section>
  )
}

/** The state, its reason and how long it has lasted. */
export function useStateText(person: LivePerson, now: number): string {
  const words = useTexts(liveTexts)
  const names = useTexts(availabilityTexts)
  const state = personState(person)
  if (state === 'offline') return words.offline
  if (!person.onShift && state === 'available') return words.offShift
  const long = formatWait(now - Date.parse(person.availabilitySince), words)
  return [person.availabilityReason || names[state], long].join(' · ')
}

const formatLoad = (person: LivePerson, words: LiveTexts): string =>
  person.capacity === null
    ? words.loadOpen(person.open)
    : isFull(person)
      ? `${words.load(person.places, person.capacity)}, ${words.full}`
      : words.load(person.places, person.capacity)

/** One segment per place; at the limit the word says so, not only the colour. */
export function Load({ person }: { person: LivePerson }) {
  const words = useTexts(liveTexts)
  const { places, capacity } = person
  const full = isFull(person)
  return (
    <div className={classes.load} data-full={full || undefined}>
      <span className={classes.segments} aria-hidden="true">
        {capacity !== null &&
          capacity <= maxSegments &&
          Array.from({ length: capacity }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places are all alike
            <i key={place} data-taken={place < places || undefined} />
          ))}
      </span>
      <span>{full ? `${words.load(places, capacity ?? places)} · ${words.full}` : formatLoad(person, words)}</span>
    </div>
  )
}
