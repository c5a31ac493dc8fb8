import type { AgentReport, DashboardView, ReportFactKind } from '@recado/contract/dashboard/dashboard'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import classes from './dashboard.module.css'
import { LazyMetricDefinition } from './metric-info.tsx'
import { averageRating, averageTalkTime, formatDuration } from './metrics.ts'
import { NumberButton } from './number-button.tsx'
import { ReportCard } from './report-card.tsx'
import { texts } from './texts.ts'

type Props = { view: DashboardView; onShow: (kind: ReportFactKind, userId: number) => void }

/** The agents, their results, and who is online. */
export function AgentsTable({ view: { attendants }, onShow }: Props) {
  const words = useTexts(texts)
  return (
    <ReportCard
      title={words.agents}
      line={<CountBadge value={attendants.length} />}
      definition={<LazyMetricDefinition metric="agents" />}
      headerNote={words.online(attendants.filter(({ online }) => online).length)}
      rows={[
        [words.name, words.now, words.resolved, words.rating, words.supportTime, words.state],
        ...attendants.map((one) => [
          ...[
            one.name,
            one.now,
            one.resolved,
            formatRating(one),
            one.talks ? formatDuration(averageTalkTime(one)) : '',
          ],
          one.online ? words.isOnline : words.isOffline,
        ]),
      ]}
      isTable
    >
      <div className={classes.scroll}>
        <table className={classes.table} data-stack>
          <thead>
            <tr>
              <th scope="col">{words.name}</th>
              <th scope="col">{words.now}</th>
              <th scope="col">{words.resolved}</th>
              <th scope="col">{words.rating}</th>
              <th scope="col">{words.supportTime}</th>
              <th scope="col">{words.state}</th>
            </tr>
          </thead>
          <tbody>
            {attendants.map((one) => (
              <tr key={one.id}>
                <td>
                  <button type="button" className={classes.person} onClick={() => onShow('talk', one.id)}>
                    <PersonAvatar id={one.id} name={one.name} size={26} />
                    <span>{one.name}</span>
                  </button>
                </td>
                <td data-label={words.now}>
                  <NumberButton rowName={one.name} columnName={words.now} onShow={() => onShow('open', one.id)}>
                    {formatNumber(one.now)}
                  </NumberButton>
                </td>
                <td data-label={words.resolved}>
                  <NumberButton
                    rowName={one.name}
                    columnName={words.resolved}
                    onShow={() => onShow('resolved', one.id)}
                  >
                    {formatNumber(one.resolved)}
                  </NumberButton>
                </td>
                <td data-label={words.rating}>
                  <RatingStars agent={one} onShow={() => onShow('rate', one.id)} />
                </td>
                <td data-label={words.supportTime}>
                  {one.talks ? (
                    <NumberButton
                      rowName={one.name}
                      columnName={words.supportTime}
                      onShow={() => onShow('talk', one.id)}
                    >
                      {formatDuration(averageTalkTime(one))}
                    </NumberButton>
                  ) : (
                    '–'
                  )}
                </td>
                <td data-beside>
                  <span className={classes.presence} data-online={one.online || undefined}>
                    {one.online ? words.isOnline : words.isOffline}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ReportCard>
  )
}

const formatRating = (of: AgentReport): string => {
  const rate = averageRating(of)
  return rate === null ? '' : formatNumber(Math.round(rate * 10) / 10, 1)
}

/** Up to three stars, with the number beside them. */
function RatingStars({ agent: of, onShow }: { agent: AgentReport; onShow: () => void }) {
  const words = useTexts(texts)
  const rate = averageRating(of)
  if (rate === null) return <span className={classes.unrated}>{words.unrated}</span>
  const said = words.stars(formatNumber(Math.round(rate * 10) / 10, 1))
  return (
    <button
      type="button"
      className={`${classes.figure} ${classes.rate}`}
      aria-label={`${of.name}, ${words.rating}: ${said}`}
      onClick={onShow}
    >
      <span className={classes.stars} aria-hidden="true">
        {[1, 2, 3].map((n) => {
          const Star = n <= Math.round(rate) ? IconStarFilled : IconStar
          return <Star key={n} size={15} data-on={n <= Math.round(rate) || undefined} />
        })}
      </span>
      <span aria-hidden="true">{formatNumber(Math.round(rate * 10) / 10, 1)}</span>
    </button>
  )
}
