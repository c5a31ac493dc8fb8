import type { DashboardView, FactKind, QueueFigures } from '@recado/contract/dashboard/dashboard'
import { IconClock, IconClockExclamation } from '@tabler/icons-react'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { Card } from './card.tsx'
import classes from './dashboard.module.css'
import goalClasses from './goals.module.css'
import { goalsTexts } from './goals-texts.ts'
import { Means } from './meaning.tsx'
import { duration } from './measure.ts'
import { texts } from './texts.ts'

type Show = (kind: FactKind, queueId: number) => void
const promises = ['answer', 'resolve'] as const
type Promised = (typeof promises)[number]

/** What was kept of what was promised; null where nothing came of it yet. */
const keptOf = (queue: QueueFigures, kind: Promised): number | null => {
  const [kept, late] = [queue[`${kind}Kept`], queue[`${kind}Late`]]
  return kept + late ? Math.floor((kept / (kept + late)) * 100) : null
}
const counts = (queue: QueueFigures) =>
  queue.answerGoal !== null || queue.resolveGoal !== null || promises.some((kind) => keptOf(queue, kind) !== null)

/** What queues promised their customers, and what became of it. */
export function Goals({ view, onShow }: { view: DashboardView; onShow: Show }) {
  const shared = useTexts(texts)
  const words = useTexts(goalsTexts)
  const queues = view.queues.filter(counts)
  if (!queues.length) return null
  const head = [shared.name, ...promises.flatMap((kind) => [words[kind], words.kept[kind], words.late[kind]])]
  const rows = [
    [...head, words.risk],
    ...queues.map((queue) => [
      queue.name,
      ...promises.flatMap((kind) => [promiseOf(queue, kind), queue[`${kind}Kept`], queue[`${kind}Late`]]),
      queue.soonNow + queue.lateNow,
    ]),
  ]
  return (
    <Card title={words.title} line={words.line} means={<Means of="goals" />} rows={rows}>
      <div className={classes.scroll}>
        <table className={classes.table} data-stack>
          <thead>
            <tr>
              {[shared.name, words.answer, words.resolve, words.risk].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {queues.map((queue) => (
              <tr key={queue.id}>
                <td>
                  <span className={classes.person} data-still>
                    <ColorDot color={queue.color} />
                    <span>{queue.name}</span>
                  </span>
                </td>
                {promises.map((kind) => (
                  <td key={kind} data-label={words[kind]}>
                    <Kept {...{ queue, kind, onShow }} />
                  </td>
                ))}
                <td data-beside>
                  <Risk queue={queue} onShow={onShow} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function promiseOf(queue: QueueFigures, kind: Promised): string {
  const minutes = queue[`${kind}Goal`]
  return minutes === null ? '' : duration(minutes * 60)
}

function Kept({ queue, kind, onShow }: { queue: QueueFigures; kind: Promised; onShow: Show }) {
  const words = useTexts(goalsTexts)
  const share = keptOf(queue, kind)
  const promise = promiseOf(queue, kind)
  const late = queue[`${kind}Late`]
  if (share === null) return <span className={classes.unrated}>{promise ? words.notYet(promise) : words.none}</span>
  return (
    <span className={goalClasses.kept} data-low={share < 90 || undefined}>
      <i aria-hidden="true">
        <b style={{ width: `${share}%` }} />
      </i>
      <button type="button" onClick={() => onShow(`${kind}Kept`, queue.id)}>
        {number(share)} %
      </button>
      {promise && <small>{words.in(promise)}</small>}
      {late > 0 && (
        <button type="button" data-late onClick={() => onShow(`${kind}Late`, queue.id)}>
          {words.lateOnes(number(late))}
        </button>
      )}
    </span>
  )
}

/** What is nearly late, or late, at this moment. */
function Risk({ queue: { id, soonNow, lateNow }, onShow }: { queue: QueueFigures; onShow: Show }) {
  const words = useTexts(goalsTexts)
  if (!soonNow && !lateNow) return <span className={classes.unrated}>{words.nobody}</span>
  return (
    <span className={goalClasses.risks}>
      {soonNow > 0 && (
        <button
          type="button"
          data-mood="soon"
          aria-label={`${words.risk}: ${words.soonOnes(number(soonNow))}`}
          onClick={() => onShow('soonNow', id)}
        >
          <IconClock size={14} stroke={2} aria-hidden="true" /> {words.soonOnes(number(soonNow))}
        </button>
      )}
      {lateNow > 0 && (
        <button
          type="button"
          data-mood="late"
          aria-label={`${words.risk}: ${words.lateOnes(number(lateNow))}`}
          onClick={() => onShow('lateNow', id)}
        >
          <IconClockExclamation size={14} stroke={2} aria-hidden="true" /> {words.lateOnes(number(lateNow))}
        </button>
      )}
    </span>
  )
}
