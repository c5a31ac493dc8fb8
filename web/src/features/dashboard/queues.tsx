import type { DashboardView, FactKind, QueueFigures } from '@recado/contract/dashboard/dashboard'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { Count } from '../../ui/count.tsx'
import { Card } from './card.tsx'
import classes from './dashboard.module.css'
import { Figure } from './figure.tsx'
import { Means } from './meaning.tsx'
import { duration, talkOf, waitOf } from './measure.ts'
import { texts } from './texts.ts'

type QueuesProps = { view: DashboardView; isOwn: boolean; onShow: (kind: FactKind, queueId: number) => void }

/** How the work went in each queue. */
export function Queues({ view: { queues }, isOwn, onShow }: QueuesProps) {
  const words = useTexts(texts)
  if (!queues.length) return null
  // Nothing comes to one person: it is nobody's until they take it.
  const arrived = isOwn ? [] : [words.came]
  const head = [words.name, ...arrived, words.resolved, words.wait, words.talk, words.transferred]
  return (
    <Card
      title={words.queues}
      line={<Count value={queues.length} />}
      means={<Means of="queues" />}
      rows={[
        head,
        ...queues.map((queue) => [
          ...[queue.name, ...(isOwn ? [] : [queue.came]), queue.resolved, queue.waits ? duration(waitOf(queue)) : ''],
          ...[queue.talks ? duration(talkOf(queue)) : '', queue.transferred],
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
                {figuresOf(queue, isOwn).map(([kind, value]) => (
                  <td key={kind} data-label={words[kind]}>
                    {value === null ? (
                      '–'
                    ) : (
                      <Figure of={queue.name} what={words[kind]} onShow={() => onShow(kind, queue.id)}>
                        {value}
                      </Figure>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

type Shown = 'came' | 'resolved' | 'wait' | 'talk' | 'transferred'
/** Each with the facts behind it. Nothing comes to one person: it is nobody's until they take it. */
const figuresOf = (queue: QueueFigures, isOwn: boolean): [Shown, string | null][] => [
  ...(isOwn ? [] : [['came', number(queue.came)] as [Shown, string]]),
  ['resolved', number(queue.resolved)],
  ['wait', queue.waits ? duration(waitOf(queue)) : null],
  ['talk', queue.talks ? duration(talkOf(queue)) : null],
  ['transferred', number(queue.transferred)],
]
