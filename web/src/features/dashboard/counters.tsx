import type { DashboardView, FactKind, Spread } from '@recado/contract/dashboard/dashboard'
import {
  IconArrowRight,
  IconCircleCheck,
  IconClockHour4,
  IconHourglass,
  IconMessages,
  IconTrendingDown,
  IconTrendingUp,
  IconUserPlus,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import classes from './dashboard.module.css'
import { Meaning, Means } from './meaning.tsx'
import type { Meant } from './means.tsx'
import { answerOf, duration, nextOf, rateOf, shareIn, talkOf, waitOf } from './measure.ts'
import { texts, type Words } from './texts.ts'
import { useClock } from './use-clock.ts'
import { useReader } from './use-reader.ts'

type Show = (kind: FactKind) => void
type Props = { view: DashboardView; onShow: Show }

const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

/** The six of the first look. */
export function Counters({ view, onShow }: Props) {
  const words = useTexts(texts)
  const { now, sums, before, attendants } = view
  // Contacts are the company's: who sees a part of it sees how soon they answer.
  const { isWhole, isAgent } = useReader()
  return (
    <section className={classes.counters} data-own={isAgent || undefined} aria-label={words.counters}>
      <Counter name="open" icon={<IconMessages {...icon} />} value={number(now.open)} onShow={() => onShow('open')}>
        {!isAgent && words.online(attendants.filter(({ online }) => online).length)}
      </Counter>
      {/* Who waits is nobody's yet. */}
      {!isAgent && (
        <Counter
          name="pending"
          icon={<IconHourglass {...icon} />}
          value={number(now.pending)}
          onShow={() => onShow('pending')}
        >
          {now.oldestAt ? <Oldest since={now.oldestAt} /> : words.nobodyWaits}
        </Counter>
      )}
      <Counter
        name="resolved"
        icon={<IconCircleCheck {...icon} />}
        value={number(sums.resolved)}
        onShow={() => onShow('resolved')}
      >
        <Change now={sums.resolved} before={before?.sums.resolved} up="good" />
      </Counter>
      {isWhole ? (
        <Counter name="contacts" icon={<IconUserPlus {...icon} />} value={number(view.newContacts)} to="/contacts">
          <Change now={view.newContacts} before={before?.newContacts} up="good" />
        </Counter>
      ) : (
        <Counter
          name="answer"
          icon={<IconClockHour4 {...icon} />}
          value={duration(answerOf(sums))}
          onShow={() => onShow('answer')}
        >
          <Middle of={view.answer} />
          <Change now={answerOf(sums)} before={before && answerOf(before.sums)} up="bad" as={duration} />
        </Counter>
      )}
      <Counter
        name="talk"
        icon={<IconClockHour4 {...icon} />}
        value={duration(talkOf(sums))}
        onShow={() => onShow('talk')}
      >
        <Middle of={view.talk} />
        <Change now={talkOf(sums)} before={before && talkOf(before.sums)} up="bad" as={duration} />
      </Counter>
      <Counter
        name="wait"
        icon={<IconHourglass {...icon} />}
        value={duration(waitOf(sums))}
        onShow={() => onShow('wait')}
      >
        <Middle of={view.wait} />
        <Change now={waitOf(sums)} before={before && waitOf(before.sums)} up="bad" as={duration} />
      </Counter>
    </section>
  )
}

/** It grows while nothing else happens. */
function Oldest({ since }: { since: string }) {
  const words = useTexts(texts)
  const waited = (useClock() - Date.parse(since)) / 1000
  return <span data-mood="warn">{words.oldest(duration(Math.max(0, waited)))}</span>
}

const asRate = (rate: number) => number(Math.round(rate * 10) / 10, 1)
const came = ['came', 'again', 'transferred'] as const
const handed = ['transferred', 'returned'] as const

/** And more for the second. */
export function MoreCounters({ view: { sums, before, answer, next }, onShow }: Props) {
  const words = useTexts(texts)
  const { isWhole, isAgent } = useReader()
  const rate = rateOf(sums)
  const ratedBefore = before && rateOf(before.sums)
  // What comes is nobody's yet, and what a bot ends nobody's at all; how soon they answer, the others have seen above.
  const counted = isAgent ? handed : isWhole ? came : [...came, 'returned' as const]
  return (
    <section className={classes.counters} data-small data-own={isAgent || undefined} aria-label={words.counters}>
      {counted.map((name) => (
        <Counter key={name} name={name} value={number(sums[name])} onShow={() => onShow(name)}>
          <Change now={sums[name]} before={before?.sums[name]} up={name === 'came' ? 'good' : 'bad'} />
        </Counter>
      ))}
      <Counter
        name="once"
        value={`${number(sums.once)} · ${shareIn(sums.once, sums.resolved)}`}
        onShow={() => onShow('once')}
      >
        <Change now={sums.once} before={before?.sums.once} up="good" />
      </Counter>
      {isWhole && (
        <Counter name="answer" value={duration(answerOf(sums))} onShow={() => onShow('answer')}>
          <Middle of={answer} />
          <Change now={answerOf(sums)} before={before && answerOf(before.sums)} up="bad" as={duration} />
        </Counter>
      )}
      <Counter name="next" value={duration(nextOf(sums))} onShow={() => onShow('next')}>
        <Middle of={next} />
        <Change now={nextOf(sums)} before={before && nextOf(before.sums)} up="bad" as={duration} />
      </Counter>
      {!isAgent && (
        <Counter
          name="alone"
          value={`${number(sums.alone)} · ${shareIn(sums.alone, sums.resolved)}`}
          onShow={() => onShow('alone')}
        >
          <Change now={sums.alone} before={before?.sums.alone} up="good" />
        </Counter>
      )}
      <Counter name="rating" value={rate === null ? '–' : asRate(rate)} onShow={() => onShow('rate')}>
        {words.ofThree(sums.rated)}
        {ratedBefore !== null && <span>{words.was(asRate(ratedBefore))}</span>}
      </Counter>
    </section>
  )
}

type CounterProps = {
  name: Meant & keyof Words
  icon?: ReactNode
  value: string
  onShow?: () => void
  /** Another screen has what is behind it. */
  to?: '/contacts'
  children?: ReactNode
}

/** A number, what it means behind an (i), and the tickets behind it when it is pressed. */
function Counter({ name, icon, value, onShow, to, children }: CounterProps) {
  const words = useTexts(texts)
  return (
    <div className={classes.counter}>
      <span className={classes.name}>
        {icon}
        <span>{words[name]}</span>
        <Meaning of={words[name]}>
          <Means of={name} />
        </Meaning>
      </span>
      {onShow ? (
        <button type="button" className={classes.value} aria-label={`${words[name]}: ${value}`} onClick={onShow}>
          {value}
        </button>
      ) : to ? (
        <Link to={to} className={classes.value} aria-label={`${words[name]}: ${value}`}>
          {value}
        </Link>
      ) : (
        <b className={classes.value}>{value}</b>
      )}
      <span className={classes.under}>{children}</span>
    </div>
  )
}

/** What is in the middle, and what nine of ten stay within: each in one piece. */
function Middle({ of: { median, ninety } }: { of: Spread }) {
  const words = useTexts(texts)
  if (median === null) return null
  return (
    <span className={classes.pieces}>
      <span>{words.median(duration(median))}</span> <span>{words.ninety(duration(ninety))}</span>
    </span>
  )
}

type ChangeProps = {
  now: number | null
  before: number | null | undefined
  /** Whether more of it is good or bad: colours go by that, not by the direction. */
  up: 'good' | 'bad'
  as?: (value: number) => string
}

function Change({ now, before, up, as = number }: ChangeProps) {
  const words = useTexts(texts)
  if (before === null || before === undefined || now === null) return null
  const more = now - before
  if (Math.round(more) === 0)
    return (
      <span className={classes.change}>
        <IconArrowRight size={14} stroke={2} aria-hidden="true" /> {words.same}
      </span>
    )
  const Icon = more > 0 ? IconTrendingUp : IconTrendingDown
  const sign = more > 0 ? '+' : '−'
  const size = as === number ? shareOf(Math.abs(more), before) : as(Math.abs(more))
  return (
    <span className={classes.change} data-mood={more > 0 === (up === 'good') ? 'good' : 'bad'}>
      <Icon size={14} stroke={2} aria-hidden="true" /> {sign}
      {size} <small>{words.was(as(before))}</small>
    </span>
  )
}
const shareOf = (more: number, before: number) =>
  before ? `${number(Math.round((more / before) * 100))} %` : number(more)
