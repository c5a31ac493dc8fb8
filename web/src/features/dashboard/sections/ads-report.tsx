import type { AdResult } from '@recado/contract/dashboard/report-sections'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import cards from '../dashboard.module.css'
import { formatPercent } from '../metrics.ts'
import { ReportCard } from '../report-card.tsx'
import { reportSectionTexts } from './texts.ts'

/** Conversations by the ad that brought the customer. */
export function AdsReport({ ads }: { ads: AdResult[] }) {
  const words = useTexts(reportSectionTexts)
  const total = ads.reduce((sum, { conversations }) => sum + conversations, 0)
  const rows = [
    [words.ad, words.conversations, words.resolved],
    ...ads.map((one) => [one.title || one.url, one.conversations, one.resolved]),
  ]
  return (
    <ReportCard title={words.ads} line={words.adsLine(total)} definition={words.means.ads} rows={rows}>
      {!ads.length && <p className={cards.quiet}>{words.noAds}</p>}
      {ads.length > 0 && (
        <div className={cards.scroll}>
          <table className={cards.table} data-stack>
            <thead>
              <tr>
                {[words.ad, words.conversations, words.resolved].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ads.map((one) => (
                <tr key={one.id}>
                  <td>{one.title || one.url}</td>
                  <td data-label={words.conversations}>{formatNumber(one.conversations)}</td>
                  <td data-whole data-label={words.resolved}>
                    {formatNumber(one.resolved)} <small>{formatPercent(one.resolved, one.conversations)}</small>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </ReportCard>
  )
}
