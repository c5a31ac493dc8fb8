import { SegmentedControl } from '@mantine/core'
import type { ClosingReport } from '@recado/contract/dashboard/report-sections'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import cards from '../dashboard.module.css'
import { formatPercent } from '../metrics.ts'
import { ReportCard } from '../report-card.tsx'
import type { SelectedNumber } from '../tickets-behind-number.tsx'
import { useCardSetting } from '../use-card-setting.ts'
import { closingReportTexts } from './closing-report-texts.ts'
import classes from './sections.module.css'
import type { ShowTickets } from './show-tickets.ts'

type ClosingBy = 'reasons' | 'queues' | 'users'
type Row = {
  key: string
  name: string
  color: string | null
  count: number
  /** What else is said of the row. */
  about: string
  behind: SelectedNumber
}

/** Why conversations were closed: by reason, queue and agent. */
export function ClosingReportCard({ report, onShow }: { report: ClosingReport; onShow: ShowTickets }) {
  const words = useTexts(closingReportTexts)
  const [chosen, setBy] = useCardSetting('why')
  const by: ClosingBy = chosen === 'queues' || chosen === 'users' ? chosen : 'reasons'
  const { resolved, byItself, reasons } = report
  const withReason = reasons.reduce((sum, { count }) => sum + count, 0)
  const rows = useRows(report)[by]
  const top = Math.max(1, ...rows.map(({ count }) => count))
  const table = [
    [words.names[by], words.count, words.share, words.details],
    ...rows.map(({ name, count, about }) => [name, count, formatPercent(count, withReason), about]),
  ]
  return (
    <ReportCard
      title={words.title}
      line={words.line(withReason, resolved)}
      definition={words.definition}
      rows={table}
      tools={
        <SegmentedControl
          size="xs"
          aria-label={words.title}
          value={by}
          onChange={(value) => setBy(value === 'reasons' ? undefined : value)}
          data={(['reasons', 'queues', 'users'] as const).map((value) => ({ value, label: words.names[value] }))}
        />
      }
    >
      {!rows.length && <p className={cards.quiet}>{words.quiet}</p>}
      <ol className={classes.volumes}>
        {rows.map(({ key, name, color, count, about, behind }) => (
          <li key={key}>
            <button type="button" onClick={() => onShow(behind)}>
              <span>
                {color && <ColorDot color={color} />} {name}
              </span>
              <i aria-hidden="true">
                <b style={{ width: `${(count / top) * 100}%` }} />
              </i>
              <strong>{formatNumber(count)}</strong>
              <small>
                {formatPercent(count, withReason)}
                {about && ` · ${about}`}
              </small>
            </button>
          </li>
        ))}
      </ol>
      {byItself > 0 && (
        <p className={classes.hint}>
          <button type="button" className={classes.link} onClick={() => onShow({ kind: 'closedItself' })}>
            {words.byItself(byItself)}
          </button>
        </p>
      )}
    </ReportCard>
  )
}

function useRows({ reasons, users }: ClosingReport): Record<ClosingBy, Row[]> {
  const words = useTexts(closingReportTexts)
  const queues = [...Map.groupBy(reasons, ({ queue }) => queue?.id ?? 0).values()].map((some) => ({
    queue: some[0]?.queue ?? null,
    count: some.reduce((sum, { count }) => sum + count, 0),
    top: some[0],
  }))
  return {
    reasons: reasons.map(({ id, name, queue, isArchived, count, before }) => ({
      ...{ key: String(id), name, count, color: queue?.color ?? null },
      about: [
        queue?.name ?? words.noQueue,
        isArchived && words.archived,
        before !== null && words.was(formatNumber(before)),
      ]
        .filter(Boolean)
        .join(' · '),
      behind: { kind: 'closedFor', reasonId: id },
    })),
    queues: queues
      .toSorted((a, b) => b.count - a.count)
      .flatMap(({ queue, count, top }) =>
        queue
          ? [
              {
                ...{ key: String(queue.id), name: queue.name, color: queue.color, count },
                about: top && top.count > 0 ? words.mostly(top.name) : '',
                behind: { kind: 'closedFor' as const, queueId: queue.id },
              },
            ]
          : [],
      ),
    users: users.map(({ id, name, count, reasons: some }) => ({
      ...{ key: String(id), name, count, color: null },
      about: some.map((one) => `${one.name} ${formatNumber(one.count)}`).join(', '),
      behind: { kind: 'closedFor', userId: id },
    })),
  }
}
