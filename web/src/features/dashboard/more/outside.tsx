import type { CampaignResult, LineHealth } from '@recado/contract/dashboard/more'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../../lib/can.tsx'
import { dayTime, number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { LineStatus } from '../../../parts/line/line-status.tsx'
import { lineTexts } from '../../../parts/line/line-texts.ts'
import { Card } from '../card.tsx'
import cards from '../dashboard.module.css'
import { shareIn } from '../measure.ts'
import type { Show } from './show.ts'
import { moreTexts } from './texts.ts'

/** What became of the campaigns of these days. */
export function Campaigns({ campaigns }: { campaigns: CampaignResult[] }) {
  const words = useTexts(moreTexts)
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
      ...[one.name, dayTime(one.startedAt), one.sent, one.delivered, one.read, one.answered, one.failed, one.stopped],
    ]),
  ]
  return (
    <Card
      title={words.campaigns}
      line={words.campaignsLine(campaigns.length)}
      means={words.means.campaigns}
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
                    <small>{dayTime(one.startedAt)}</small>
                  </td>
                  <td data-label={words.sent}>{number(one.sent)}</td>
                  <td data-whole data-label={words.read}>
                    {number(one.read)} <small>{shareIn(one.read, one.sent)}</small>
                  </td>
                  <td data-whole data-label={words.answeredIt}>
                    {number(one.answered)} <small>{shareIn(one.answered, one.sent)}</small>
                  </td>
                  <td data-label={words.failed}>{number(one.failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

/** How the lines are, and were. */
export function Lines({ lines, onShow }: { lines: LineHealth[]; onShow: Show }) {
  const words = useTexts(moreTexts)
  const { status } = useTexts(lineTexts)
  // Whoever was away for a moment was not there all the time.
  const upOf = ({ up }: LineHealth) => (up === null ? '–' : `${number(Math.floor(up * 1000) / 10, 1)} %`)
  const rows = [
    [words.line, words.state, words.up, words.drops, words.waiting, words.came, words.resolved],
    ...lines.map((one) => [one.name, status[one.status], upOf(one), one.drops, one.waiting, one.came, one.resolved]),
  ]
  return (
    <Card title={words.lines} line={words.linesLine} means={words.means.lines} rows={rows}>
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
                    <LineStatus status={one.status} />
                  </td>
                  <td data-label={words.up}>{upOf(one)}</td>
                  <td data-label={words.drops}>{number(one.drops)}</td>
                  <td data-label={words.waiting}>{number(one.waiting)}</td>
                  <td data-label={words.came}>{number(one.came)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
