import type { ReportFactKind } from '@recado/contract/dashboard/dashboard'
import type { BotCounts, BotReport, MenuPositionCount } from '@recado/contract/dashboard/report-sections'
import { IconBulb } from '@tabler/icons-react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import cards from '../dashboard.module.css'
import { formatPercent } from '../metrics.ts'
import { NumberButton } from '../number-button.tsx'
import { ReportCard } from '../report-card.tsx'
import classes from './sections.module.css'
import type { ShowTickets } from './show-tickets.ts'
import { reportSectionTexts } from './texts.ts'

const botSteps: { key: keyof BotCounts; behind: ReportFactKind }[] = [
  { key: 'had', behind: 'botHad' },
  { key: 'chose', behind: 'menuFirst' },
  { key: 'alone', behind: 'alone' },
  { key: 'passed', behind: 'botPassed' },
  { key: 'left', behind: 'botLeft' },
]
/** Number of menu positions drawn; the table has all of them. */
const maxShownMenuPlaces = 5
/** With fewer answers than this, an option's result is not meaningful. */
const minAnswers = 5

const wrongShare = ({ right, wrong }: MenuPositionCount) => (right + wrong ? wrong / (right + wrong) : 0)

/** What the bots resolved alone, and where customers made wrong choices or left. */
export function BotReportCard({ bot: { counts, before, places }, onShow }: { bot: BotReport; onShow: ShowTickets }) {
  const words = useTexts(reportSectionTexts)
  // The number of chosen options is not available per queue.
  const steps = botSteps.flatMap(({ key, behind }) => {
    const n = counts[key]
    return n === null ? [] : [{ key, behind, n, was: before?.[key] ?? null }]
  })
  const nameOf = ({ path }: MenuPositionCount) => path.join(' › ') || words.mainMenu
  const showAt = (kind: ReportFactKind, { queueId, optionId }: MenuPositionCount) =>
    onShow({
      kind,
      ...(optionId === null ? { atTop: true } : { optionId }),
      ...(queueId === null ? { noQueue: true } : { queueId }),
    })
  const worst = places.toSorted((a, b) => b.left - a.left)[0]
  const hardest = places
    .filter(({ right, wrong }) => right + wrong >= minAnswers)
    .toSorted((a, b) => wrongShare(b) - wrongShare(a))[0]
  const rows = [
    [words.what, words.many, words.share, words.before],
    ...steps.map(({ key, n, was }) => [words.steps[key], n, formatPercent(n, counts.had), was ?? '']),
    ...places.map((place) => [
      `${words.place}: ${nameOf(place)}`,
      place.right + place.wrong,
      `${words.wrong} ${place.wrong} · ${words.left} ${place.left}`,
      '',
    ]),
  ]
  return (
    <ReportCard
      title={words.bot}
      line={words.withoutPerson(formatPercent(counts.alone, counts.had))}
      definition={words.means.bot}
      rows={rows}
    >
      {!counts.had && <p className={cards.quiet}>{words.noBot}</p>}
      <ol className={classes.funnel}>
        {steps.map(({ key, behind, n, was }) => (
          <li key={key}>
            <button type="button" onClick={() => onShow({ kind: behind })}>
              <span>{words.steps[key]}</span>
              <i aria-hidden="true" data-of={key}>
                <b style={{ width: `${counts.had ? Math.min(100, (n / counts.had) * 100) : 0}%` }} />
              </i>
              <strong>
                {formatNumber(n)} <small>{formatPercent(n, counts.had)}</small>
              </strong>
              {was !== null && <small className={classes.was}>{words.was(formatNumber(was))}</small>}
            </button>
          </li>
        ))}
      </ol>
      {places.length > 0 && (
        <div className={cards.scroll}>
          <table className={cards.table}>
            <thead>
              <tr>
                <th scope="col">{words.place}</th>
                <th scope="col">{words.asked}</th>
                <th scope="col">{words.wrong}</th>
                <th scope="col">{words.left}</th>
              </tr>
            </thead>
            <tbody>
              {places.slice(0, maxShownMenuPlaces).map((place) => (
                <tr key={`${place.queueId} ${place.optionId}`}>
                  <td>{nameOf(place)}</td>
                  <td>
                    <NumberButton
                      rowName={nameOf(place)}
                      columnName={words.asked}
                      onShow={() => showAt('menuAsked', place)}
                    >
                      {formatNumber(place.right + place.wrong)}
                    </NumberButton>
                  </td>
                  <td data-whole>
                    <NumberButton
                      rowName={nameOf(place)}
                      columnName={words.wrong}
                      onShow={() => showAt('menuWrong', place)}
                    >
                      {formatNumber(place.wrong)}
                    </NumberButton>{' '}
                    <small>{formatPercent(place.wrong, place.right + place.wrong)}</small>
                  </td>
                  <td>
                    <NumberButton
                      rowName={nameOf(place)}
                      columnName={words.left}
                      onShow={() => showAt('menuLeft', place)}
                    >
                      {formatNumber(place.left)}
                    </NumberButton>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {((worst && worst.left > 0) || (hardest && hardest.wrong > 0)) && (
        <p className={classes.hint}>
          <IconBulb size={17} stroke={1.75} aria-hidden="true" />
          <span>
            {worst && worst.left > 0 && words.mostLeft(worst.left, nameOf(worst))}{' '}
            {hardest &&
              hardest.wrong > 0 &&
              words.mostWrong(nameOf(hardest), formatPercent(hardest.wrong, hardest.right + hardest.wrong))}
          </span>
        </p>
      )}
    </ReportCard>
  )
}
