import type { DashboardView, QueueReport, ReportFactKind } from '@recado/contract/dashboard/dashboard'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import classes from './dashboard.module.css'
import { LazyMetricDefinition } from './metric-info.tsx'
import { averageTalkTime, averageWait, formatDuration } from './metrics.ts'
import { NumberButton } from './number-button.tsx'
import { ReportCard } from './report-card.tsx'
import { texts } from './texts.ts'

type QueuesProps = { view: DashboardView; isOwn: boolean; onShow: (kind: ReportFactKind, queueId: number) => void }

/** Results per queue. */
export function QueuesTable({ view: { queues }, isOwn, onShow }: QueuesProps) {
  const words = useTexts(texts)
  if (!queues.length) return null
  // An agent's report has no arrivals: a ticket belongs to nobody until it is accepted.
  const arrived = isOwn ? [] : [words.came]
  const head = [words.name, ...arrived, words.resolved, words.wait, words.talk, words.transferred]
  return (
    <ReportCard
      title={words.queues}
      line={<CountBadge value={queues.length} />}
      definition={<LazyMetricDefinition metric="queues" />}
      rows={[
        head,
        ...queues.map((queue) => [
          ...[
            queue.name,
            ...(isOwn ? [] : [queue.came]),
            queue.resolved,
            queue.waits ? formatDuration(averageWait(queue)) : '',
          ],
          ...[queue.talks ? formatDuration(averageTalkTime(queue)) : '', queue.transferred],
        ]),
      ]}
      isTable
    >
      <div className={classes.scroll}>
        <table className={classes.table} data-stack>
          <thead>
            <tr>
              {head.map((name) => (
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
                  <button
                    type="button"
                    className={classes.person}
                    onClick={() => onShow(isOwn ? 'resolved' : 'came', queue.id)}
                  >
                    <ColorDot color={queue.color} />
                    <span>{queue.name}</span>
                  </button>
                </td>
                {queueMetrics(queue, isOwn).map(([kind, value]) => (
                  <td key={kind} data-label={words[kind]}>
                    {value === null ? (
                      '–'
                    ) : (
                      <NumberButton rowName={queue.name} columnName={words[kind]} onShow={() => onShow(kind, queue.id)}>
                        {value}
                      </NumberButton>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ReportCard>
  )
}

type QueueMetric = 'came' | 'resolved' | 'wait' | 'talk' | 'transferred'
/** Each figure with the facts behind it. An agent's report has no arrivals. */
const queueMetrics = (queue: QueueReport, isOwn: boolean): [QueueMetric, string | null][] => [
  ...(isOwn ? [] : [['came', formatNumber(queue.came)] as [QueueMetric, string]]),
  ['resolved', formatNumber(queue.resolved)],
  ['wait', queue.waits ? formatDuration(averageWait(queue)) : null],
  ['talk', queue.talks ? formatDuration(averageTalkTime(queue)) : null],
  ['transferred', formatNumber(queue.transferred)],
]
