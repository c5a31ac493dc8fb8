import { Button } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import type { Customer } from '@recado/contract/sandbox'
import type { Happening } from '@recado/contract/tickets'
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconBell,
  IconCheck,
  IconChecks,
  IconCopyOff,
  IconDeviceMobile,
  IconEyeOff,
  IconMessage2,
  IconMoodSmile,
  IconPaperclip,
  IconPencil,
  IconPhone,
  IconQuestionMark,
  IconTicket,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { number, time } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { type Entry, storyOf } from './happened.ts'
import classes from './inside.module.css'
import page from './phone-page.module.css'
import { stepTexts } from './step-texts.ts'
import { texts } from './texts.ts'
import { useMessages } from './use-sandbox.ts'
import { lastTicketOf, useTicketPath } from './use-ticket-path.ts'

type Props = {
  line: Connection
  person: Customer | undefined
  query: UseQueryResult<Happening[]>
  onBack: () => void
}

/** What the house did about this customer, step by step, each with its reason. */
export function InsidePanel({ line, person, query, onBack }: Props) {
  const words = useTexts(texts)
  const ticket = lastTicketOf(query.data)
  return (
    <section className={page.card} aria-label={words.inside}>
      <div className={`${page.cardHead} ${classes.head}`}>
        <h2 className={page.cardTitle}>{words.inside}</h2>
        {ticket !== undefined && <TicketLink id={ticket} />}
        <Button
          className={page.step ?? ''}
          variant="default"
          size="xs"
          leftSection={<IconDeviceMobile size={15} stroke={1.75} />}
          aria-label={words.toPhone}
          onClick={onBack}
        >
          {words.phone}
        </Button>
      </div>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {person && query.data && query.data.length > 0 && (
        <Story key={person.number} line={line} person={person} happenings={query.data} />
      )}
      {(!person || query.data?.length === 0) && <EmptyState title={words.nothingYet} line={words.nothingYetLine} />}
    </section>
  )
}

function TicketLink({ id }: { id: number }) {
  const words = useTexts(texts)
  const path = useTicketPath(id)
  return (
    <Link to={path} className={classes.ticket ?? ''}>
      {words.ticket(number(id))}
    </Link>
  )
}

function Story({ line, person, happenings }: { line: Connection; person: Customer; happenings: Happening[] }) {
  const words = useTexts(stepTexts)
  const { inside: label, kinds } = useTexts(texts)
  const { messages } = useMessages(line.id, person.number)
  const story = storyOf(happenings, {
    words,
    line: line.name,
    time: clock,
    messages,
    kindOf: (kind) => kinds[kind] ?? kind,
  })
  const box = useEnd()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className={page.scroll} tabIndex={0} aria-label={label}>
      <ol className={classes.story}>
        {story.map((entry) => (
          <Line key={entry.key} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

const clock = (at: string) => `${time(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`

const icons: Record<string, typeof IconBell> = {
  message: IconMessage2,
  contact: IconUserCheck,
  ticket: IconTicket,
  opened: IconTicket,
  media: IconPaperclip,
  unknown: IconQuestionMark,
  ignored: IconEyeOff,
  nothing: IconEyeOff,
  duplicate: IconCopyOff,
  told: IconBell,
  ticked: IconChecks,
  edited: IconPencil,
  deleted: IconTrash,
  reacted: IconMoodSmile,
  call: IconPhone,
  accepted: IconUserCheck,
  returned: IconArrowBackUp,
  reopened: IconArrowBackUp,
  resolved: IconCheck,
  transferred: IconArrowsExchange,
}

function Line({ entry }: { entry: Entry }) {
  const Icon = icons[entry.step] ?? IconMessage2
  return (
    <li className={classes.entry} data-odd={entry.odd || undefined} data-step={entry.step}>
      <span className={classes.icon} aria-hidden="true">
        <Icon size={15} stroke={2} />
      </span>
      <div className={classes.words}>
        <div className={classes.title}>{entry.title}</div>
        {entry.detail && <div className={classes.detail}>{entry.detail}</div>}
        {entry.why && <div className={classes.why}>{entry.why}</div>}
      </div>
    </li>
  )
}

/** The newest stands last: it is scrolled to when it comes, unless somebody reads further up. */
function useEnd() {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current: element } = box
    if (!element?.firstElementChild) return
    let atEnd = true
    const onScroll = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 80
    }
    // Also when the panel itself comes into sight, as a step of a small screen.
    const watch = new ResizeObserver(() => {
      if (atEnd) element.scrollTop = element.scrollHeight
    })
    watch.observe(element.firstElementChild)
    watch.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [])
  return box
}
