import type { Connection } from '@recado/contract/connections'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import type { TicketEvent } from '@recado/contract/tickets'
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconBell,
  IconCheck,
  IconChecks,
  IconClock,
  IconCopyOff,
  IconEyeOff,
  IconMessage2,
  IconMoodSmile,
  IconPaperclip,
  IconPencil,
  IconPhone,
  IconQuestionMark,
  IconRobot,
  IconRobotOff,
  IconStar,
  IconTicket,
  IconTrash,
  IconUserCheck,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import { usePhoneMessages } from '../use-sandbox.ts'
import { buildTrace, type TraceEntry } from './build-trace.ts'
import classes from './trace.module.css'
import { traceStepTexts } from './trace-step-texts.ts'

/** The steps of the trace, oldest first. */
export function TraceList({
  line,
  person,
  events,
}: {
  line: Connection
  person: SandboxCustomer
  events: TicketEvent[]
}) {
  const words = useTexts(traceStepTexts)
  const { inside: label, kinds } = useTexts(texts)
  const { messages } = usePhoneMessages(line.id, person.number)
  const trace = buildTrace(events, {
    words,
    line: line.name,
    time: formatTimeWithSeconds,
    messages,
    kindOf: (kind) => kinds[kind] ?? kind,
  })
  const box = useStickToEnd()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className={page.scroll} tabIndex={0} aria-label={label}>
      <ol className={classes.story}>
        {trace.map((entry) => (
          <TraceLine key={entry.key} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

const formatTimeWithSeconds = (at: string) => `${formatTime(at)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`

const icons: Record<string, typeof IconBell> = {
  message: IconMessage2,
  contact: IconUserCheck,
  ticket: IconTicket,
  opened: IconTicket,
  media: IconPaperclip,
  unknown: IconQuestionMark,
  ignored: IconEyeOff,
  nothing: IconEyeOff,
  'set-aside': IconQuestionMark,
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
  menu: IconRobot,
  greeting: IconRobot,
  silent: IconRobotOff,
  asked: IconRobot,
  prompt: IconRobot,
  integration: IconRobot,
  hours: IconClock,
  rating: IconStar,
}

function TraceLine({ entry }: { entry: TraceEntry }) {
  const words = useTexts(texts)
  const Icon = icons[entry.step] ?? IconMessage2
  return (
    <li
      className={classes.entry}
      data-odd={entry.isUnusual || undefined}
      data-step={entry.step}
      title={entry.trace && words.traceId(entry.trace)}
    >
      <span className={classes.icon} aria-hidden="true">
        <Icon size={15} stroke={2} />
      </span>
      <div className={classes.words}>
        <div className={classes.title}>{entry.title}</div>
        {entry.detail && <div className={classes.detail}>{entry.detail}</div>}
        {entry.reason && <div className={classes.why}>{entry.reason}</div>}
      </div>
    </li>
  )
}

/** Scrolls to the newest entry when it arrives, unless the user has scrolled up. */
function useStickToEnd() {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current: element } = box
    if (!element?.firstElementChild) return
    let atEnd = true
    const onScroll = () => {
      atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 80
    }
    // This also runs when the panel itself becomes visible, as a step on a small screen.
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
