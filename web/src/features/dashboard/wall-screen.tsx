import { ActionIcon } from '@mantine/core'
import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { IconX } from '@tabler/icons-react'
import { useEffect, useEffectEvent } from 'react'
import { formatNumber, formatTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { averageFirstAnswer, averageWait, formatDuration, formatLongDay } from './metrics.ts'
import { queueGoalsTexts } from './queue-goals-texts.ts'
import { texts } from './texts.ts'
import { useNowEverySecond } from './use-now-every-second.ts'
import classes from './wall-screen.module.css'
import { wallScreenTexts } from './wall-screen-texts.ts'

const keptShare = (kept: number, lateCount: number) =>
  kept + lateCount ? `${Math.floor((kept / (kept + lateCount)) * 100)} %` : '–'

/** The wall display, readable from across the room: large, no controls, and no customer data except numbers. */
export function WallScreen({ view, onClose }: { view: DashboardView; onClose: () => void }) {
  const words = useTexts(texts)
  const ownWords = useTexts(wallScreenTexts)
  const goals = useTexts(queueGoalsTexts)
  const now = useNowEverySecond()
  useCloseOnEscape(onClose)
  const { sums, queues, attendants } = view
  const waited = view.now.oldestAt ? Math.max(0, (now - Date.parse(view.now.oldestAt)) / 1000) : null
  const lateCount = queues.reduce((all, { lateNow }) => all + lateNow, 0)
  const soon = queues.reduce((all, { soonNow }) => all + soonNow, 0)
  const promised =
    lateCount + soon > 0 || queues.some(({ answerGoal, resolveGoal }) => answerGoal !== null || resolveGoal !== null)
  const onlineAgents = attendants.filter(({ online }) => online)
  const days =
    view.from === view.to ? formatLongDay(view.from) : `${formatLongDay(view.from)} – ${formatLongDay(view.to)}`
  const tiles = [
    {
      name: words.pending,
      value: formatNumber(view.now.pending),
      line: waited === null ? words.nobodyWaits : words.oldest(formatDuration(waited)),
      mood: waited === null ? undefined : 'warn',
    },
    { name: words.open, value: formatNumber(view.now.open), line: words.online(onlineAgents.length) },
    { name: words.resolved, value: formatNumber(sums.resolved), line: days },
    { name: words.wait, value: formatDuration(averageWait(sums)), line: days },
    { name: words.answer, value: formatDuration(averageFirstAnswer(sums)), line: days },
    promised
      ? {
          name: goals.risk,
          value: formatNumber(soon + lateCount),
          line: lateCount ? goals.lateOnes(formatNumber(lateCount)) : ownWords.nothingLate,
          mood: lateCount ? 'bad' : soon ? 'warn' : undefined,
        }
      : { name: words.came, value: formatNumber(sums.came), line: days },
  ]
  return (
    <section className={classes.wall} aria-label={ownWords.title}>
      <header className={classes.head}>
        <time>{formatTime(now)}</time>
        <ActionIcon
          size={40}
          variant="subtle"
          className={classes.close ?? ''}
          aria-label={ownWords.close}
          onClick={onClose}
        >
          <IconX size={24} stroke={1.75} />
        </ActionIcon>
      </header>
      <section className={classes.tiles} aria-label={words.counters}>
        {tiles.map(({ name, value, line, mood }) => (
          <div key={name} className={classes.tile} data-mood={mood}>
            <span>{name}</span>
            <b>{value}</b>
            <small>{line}</small>
          </div>
        ))}
      </section>
      <div className={classes.lists}>
        <section aria-label={words.queues}>
          <h2>
            {words.queues} {promised && <small>{goals.kept.answer}</small>}
          </h2>
          <ul>
            {queues
              .toSorted((a, b) => b.lateNow - a.lateNow || b.soonNow - a.soonNow || b.came - a.came)
              .slice(0, 8)
              .map((queue) => (
                <li key={queue.id}>
                  <ColorDot color={queue.color} size={18} />
                  <span>{queue.name}</span>
                  <em>{ownWords.cameAndResolved(formatNumber(queue.came), formatNumber(queue.resolved))}</em>
                  {promised && <strong>{keptShare(queue.answerKept, queue.answerLate)}</strong>}
                </li>
              ))}
          </ul>
        </section>
        <section aria-label={words.agents}>
          <h2>{words.agents}</h2>
          <ul>
            {attendants
              .toSorted((a, b) => Number(b.online) - Number(a.online) || b.now - a.now)
              .slice(0, 8)
              .map((one) => (
                <li key={one.id} data-away={!one.online || undefined}>
                  <PersonAvatar id={one.id} name={one.name} size={32} />
                  <span>{one.name}</span>
                  <em>{one.online ? words.isOnline : words.isOffline}</em>
                  <strong>{ownWords.has(formatNumber(one.now))}</strong>
                </li>
              ))}
          </ul>
        </section>
      </div>
    </section>
  )
}

/** Closes wall mode on Escape, and when the browser leaves full screen. */
function useCloseOnEscape(onClose: () => void): void {
  const leave = useEffectEvent(onClose)
  useEffect(() => {
    const onChange = () => !document.fullscreenElement && leave()
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && leave()
    document.addEventListener('fullscreenchange', onChange)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('fullscreenchange', onChange)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
}
