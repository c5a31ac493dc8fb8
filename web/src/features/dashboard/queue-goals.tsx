import type { DashboardView, QueueReport, ReportFactKind } from '@recado/contract/dashboard/dashboard'
import { IconClock, IconClockExclamation } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import classes from './dashboard.module.css'
import { LazyMetricDefinition } from './metric-info.tsx'
import { formatDuration } from './metrics.ts'
import goalClasses from './queue-goals.module.css'
import { queueGoalsTexts } from './queue-goals-texts.ts'
import { ReportCard } from './report-card.tsx'
import { texts } from './texts.ts'

type OnShowTickets = (kind: ReportFactKind, queueId: number) => void
const goalKinds = ['answer', 'resolve'] as const
type GoalKind = (typeof goalKinds)[number]

/** The share of goals that were met; null when there is no result yet. */
const keptPercent = (queue: QueueReport, kind: GoalKind): number | null => {
  const [kept, lateCount] = [queue[`${kind}Kept`], queue[`${kind}Late`]]
  return kept + lateCount ? Math.floor((kept / (kept + lateCount)) * 100) : null
}
/** A queue may have goals for some priorities only. */
const hasGoals = (queue: QueueReport) =>
  queue.soonNow + queue.lateNow > 0 ||
  queue.answerGoal !== null ||
  queue.resolveGoal !== null ||
  goalKinds.some((kind) => keptPercent(queue, kind) !== null)

/** The queues' goals and their results. */
export function QueueGoals({ view, onShow }: { view: DashboardView; onShow: OnShowTickets }) {
  const shared = useTexts(texts)
  const words = useTexts(queueGoalsTexts)
  const queues = view.queues.filter(hasGoals)
  if (!queues.length) return null
  const head = [shared.name, ...goalKinds.flatMap((kind) => [words[kind], words.kept[kind], words.late[kind]])]
  const rows = [
    [...head, words.risk],
    ...queues.map((queue) => [
      queue.name,
      ...goalKinds.flatMap((kind) => [formatGoal(queue, kind), queue[`${kind}Kept`], queue[`${kind}Late`]]),
      queue.soonNow + queue.lateNow,
    ]),
  ]
  return (
    <ReportCard title={words.title} line={words.line} definition={<LazyMetricDefinition metric="goals" />} rows={rows}>
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
                {goalKinds.map((kind) => (
                  <td key={kind} data-label={words[kind]}>
                    <KeptShare {...{ queue, kind, onShow }} />
                  </td>
                ))}
                <td data-beside>
                  <AtRiskNow queue={queue} onShow={onShow} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ReportCard>
  )
}

function formatGoal(queue: QueueReport, kind: GoalKind): string {
  const minutes = queue[`${kind}Goal`]
  return minutes === null ? '' : formatDuration(minutes * 60)
}

function KeptShare({ queue, kind, onShow }: { queue: QueueReport; kind: GoalKind; onShow: OnShowTickets }) {
  const words = useTexts(queueGoalsTexts)
  const share = keptPercent(queue, kind)
  const promise = formatGoal(queue, kind)
  const lateCount = queue[`${kind}Late`]
  if (share === null) return <span className={classes.unrated}>{promise ? words.notYet(promise) : words.none}</span>
  return (
    <span className={goalClasses.kept} data-low={share < 90 || undefined}>
      <i aria-hidden="true">
        <b style={{ width: `${share}%` }} />
      </i>
      <button type="button" onClick={() => onShow(`${kind}Kept`, queue.id)}>
        {formatNumber(share)} %
      </button>
      {promise && <small>{words.in(promise)}</small>}
      {lateCount > 0 && (
        <button type="button" data-late onClick={() => onShow(`${kind}Late`, queue.id)}>
          {words.lateOnes(formatNumber(lateCount))}
        </button>
      )}
    </span>
  )
}

/** Tickets that are nearly late or late right now. */
function AtRiskNow({ queue: { id, soonNow, lateNow }, onShow }: { queue: QueueReport; onShow: OnShowTickets }) {
  const words = useTexts(queueGoalsTexts)
  if (!soonNow && !lateNow) return <span className={classes.unrated}>{words.nobody}</span>
  return (
    <span className={goalClasses.risks}>
      {soonNow > 0 && (
        <button
          type="button"
          data-mood="soon"
          aria-label={`${words.risk}: ${words.soonOnes(formatNumber(soonNow))}`}
          onClick={() => onShow('soonNow', id)}
        >
          <IconClock size={14} stroke={2} aria-hidden="true" /> {words.soonOnes(formatNumber(soonNow))}
        </button>
      )}
      {lateNow > 0 && (
        <button
          type="button"
          data-mood="late"
          aria-label={`${words.risk}: ${words.lateOnes(formatNumber(lateNow))}`}
          onClick={() => onShow('lateNow', id)}
        >
          <IconClockExclamation size={14} stroke={2} aria-hidden="true" /> {words.lateOnes(formatNumber(lateNow))}
        </button>
      )}
    </span>
  )
}
