import type { CampaignResult, LineReport } from '@recado/contract/dashboard/report-sections'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../../lib/can.tsx'
import { formatDayTime, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { LineStatusChip } from '../../../parts/line/line-status-chip.tsx'
import { lineTexts } from '../../../parts/line/line-texts.ts'
import cards from '../dashboard.module.css'
import { formatPercent } from '../metrics.ts'
import { ReportCard } from '../report-card.tsx'
import type { ShowTickets } from './show-tickets.ts'
import { reportSectionTexts } from './texts.ts'

/** Results of the campaigns in the selected days. */
export function CampaignsReport({ campaigns }: { campaigns: CampaignResult[] }) {
  const words = useTexts(reportSectionTexts)
  const mayOpen = useCan()('campaigns-page:manage')
  const rows = [
    [
      words.campaign,
      words.when,
      words.sent,
      words.delivered,
      words.read,
      words.answeredIt,
      words.failed,
      words.stopped,
    ],
    ...campaigns.map((one) => [
      ...[
        one.name,
        formatDayTime(one.startedAt),
        one.sent,
        one.delivered,
        one.read,
        one.answered,
        one.failed,
        one.stopped,
      ],
    ]),
  ]
  return (
    <ReportCard
      title={words.campaigns}
      line={words.campaignsLine(campaigns.length)}
      definition={words.means.campaigns}
      rows={rows}
    >
      {!campaigns.length && <p className={cards.quiet}>{words.noCampaigns}</p>}
      {campaigns.length > 0 && (
        <div className={cards.scroll}>
          <table className={cards.table} data-stack>
            <thead>
              <tr>
                {[words.campaign, words.sent, words.read, words.answeredIt, words.failed].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {campaigns.map((one) => (
                <tr key={one.id}>
                  <td>
                    {mayOpen ? (
                      <Link to="/campaign/$campaignId/report" params={{ campaignId: String(one.id) }}>
                        {one.name}
                      </Link>
                    ) : (
                      one.name
                    )}{' '}
                    <small>{formatDayTime(one.startedAt)}</small>
                  </td>
                  <td data-label={words.sent}>{formatNumber(one.sent)}</td>
                  <td data-whole data-label={words.read}>
                    {formatNumber(one.read)} <small>{formatPercent(one.read, one.sent)}</small>
                  </td>
                  <td data-whole data-label={words.answeredIt}>
                    {formatNumber(one.answered)} <small>{formatPercent(one.answered, one.sent)}</small>
                  </td>
                  <td data-label={words.failed}>{formatNumber(one.failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </ReportCard>
  )
}

/** Current state and uptime of the lines. */
export function LinesReport({ lines, onShow }: { lines: LineReport[]; onShow: ShowTickets }) {
  const words = useTexts(reportSectionTexts)
  const { status } = useTexts(lineTexts)
  // Rounded down, so that a short outage does not show as 100 %.
  const upOf = ({ up }: LineReport) => (up === null ? '–' : `${formatNumber(Math.floor(up * 1000) / 10, 1)} %`)
  const rows = [
    [words.line, words.state, words.up, words.drops, words.waiting, words.came, words.resolved],
    ...lines.map((one) => [one.name, status[one.status], upOf(one), one.drops, one.waiting, one.came, one.resolved]),
  ]
  return (
    <ReportCard title={words.lines} line={words.linesLine} definition={words.means.lines} rows={rows}>
      {!lines.length && <p className={cards.quiet}>{words.noLines}</p>}
      {lines.length > 0 && (
        <div className={cards.scroll}>
          <table className={cards.table} data-stack>
            <thead>
              <tr>
                {[words.line, words.state, words.up, words.drops, words.waiting, words.came].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((one) => (
                <tr key={one.id}>
                  <td>
                    <button
                      type="button"
                      className={cards.person}
                      onClick={() => onShow({ kind: 'came', whatsappId: one.id })}
                    >
                      <span>{one.name}</span>
                    </button>
                  </td>
                  <td data-beside>
                    <LineStatusChip status={one.status} />
                  </td>
                  <td data-label={words.up}>{upOf(one)}</td>
                  <td data-label={words.drops}>{formatNumber(one.drops)}</td>
                  <td data-label={words.waiting}>{formatNumber(one.waiting)}</td>
                  <td data-label={words.came}>{formatNumber(one.came)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </ReportCard>
  )
}
