import { SegmentedControl } from '@mantine/core'
import type { VolumeRow } from '@recado/contract/dashboard/report-sections'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import cards from '../dashboard.module.css'
import { ReportCard } from '../report-card.tsx'
import { useCardSetting } from '../use-card-setting.ts'
import classes from './sections.module.css'
import type { ShowTickets } from './show-tickets.ts'
import { reportSectionTexts } from './texts.ts'

type VolumeBy = 'tags' | 'queues'
type Props = { volumes: Record<VolumeBy, VolumeRow[]>; onShow: ShowTickets }

/** The ticket filter for a tag or queue. Id 0 stands for "no queue". */
const toTicketFilter = (by: VolumeBy, id: number) =>
  by === 'tags' ? { tagId: id } : id ? { queueId: id } : { noQueue: true }

/** Volume per tag and per queue. */
export function VolumeReport({ volumes, onShow }: Props) {
  const words = useTexts(reportSectionTexts)
  const [chosen, setBy] = useCardSetting('by')
  const by: VolumeBy = chosen === 'queues' ? 'queues' : 'tags'
  const all = volumes[by]
  const top = Math.max(1, ...all.map(({ came, before }) => Math.max(came, before ?? 0)))
  const nameOf = ({ name }: VolumeRow) => name || words.noQueue
  const rows = [
    [words.name, words.came, words.resolved, words.before],
    ...all.map((one) => [nameOf(one), one.came, one.resolved, one.before ?? '']),
  ]
  return (
    <ReportCard
      title={words.volumes}
      line={by === 'tags' ? words.volumesByTag : words.volumesByQueue}
      definition={words.means.volumes}
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
            <button type="button" onClick={() => onShow({ kind: 'came', ...toTicketFilter(by, one.id) })}>
              <span>
                {one.color && <ColorDot color={one.color} />} {nameOf(one)}
              </span>
              <i aria-hidden="true">
                <b style={{ width: `${(one.came / top) * 100}%` }} />
                {one.before !== null && <u style={{ width: `${(one.before / top) * 100}%` }} />}
              </i>
              <strong>{formatNumber(one.came)}</strong>
              <small>
                {words.resolvedOf(one.resolved)}
                {one.before !== null && ` · ${words.was(formatNumber(one.before))}`}
              </small>
            </button>
          </li>
        ))}
      </ol>
    </ReportCard>
  )
}
