import { SegmentedControl } from '@mantine/core'
import type { Volume } from '@recado/contract/dashboard/more'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { Card } from '../card.tsx'
import cards from '../dashboard.module.css'
import { useKept } from '../use-kept.ts'
import classes from './more.module.css'
import type { Show } from './show.ts'
import { moreTexts } from './texts.ts'

type By = 'tags' | 'queues'
type Props = { volumes: Record<By, Volume[]>; onShow: Show }

/** What has no queue stands under 0. */
const placeOf = (by: By, id: number) => (by === 'tags' ? { tagId: id } : id ? { queueId: id } : { noQueue: true })

/** How much each tag, and each queue, had. */
export function Volumes({ volumes, onShow }: Props) {
  const words = useTexts(moreTexts)
  const [chosen, setBy] = useKept('by')
  const by: By = chosen === 'queues' ? 'queues' : 'tags'
  const all = volumes[by]
  const top = Math.max(1, ...all.map(({ came, before }) => Math.max(came, before ?? 0)))
  const nameOf = ({ name }: Volume) => name || words.noQueue
  const rows = [
    [words.name, words.came, words.resolved, words.before],
    ...all.map((one) => [nameOf(one), one.came, one.resolved, one.before ?? '']),
  ]
  return (
    <Card
      title={words.volumes}
      line={by === 'tags' ? words.volumesByTag : words.volumesByQueue}
      means={words.means.volumes}
      rows={rows}
      tools={
        <SegmentedControl
          size="xs"
          aria-label={words.volumes}
          value={by}
          onChange={(value) => setBy(value === 'queues' ? value : undefined)}
          data={[
            { value: 'tags', label: words.tags },
            { value: 'queues', label: words.queues },
          ]}
        />
      }
    >
      {!all.length && <p className={cards.quiet}>{words.quiet}</p>}
      <ol className={classes.volumes}>
        {all.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onShow({ kind: 'came', ...placeOf(by, one.id) })}>
              <span>
                {one.color && <ColorDot color={one.color} />} {nameOf(one)}
              </span>
              <i aria-hidden="true">
                <b style={{ width: `${(one.came / top) * 100}%` }} />
                {one.before !== null && <u style={{ width: `${(one.before / top) * 100}%` }} />}
              </i>
              <strong>{number(one.came)}</strong>
              <small>
                {words.resolvedOf(one.resolved)}
                {one.before !== null && ` · ${words.was(number(one.before))}`}
              </small>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  )
}
