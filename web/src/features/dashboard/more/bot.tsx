import type { FactKind } from '@recado/contract/dashboard/dashboard'
import type { Bot, BotCounts, MenuPlaceCount } from '@recado/contract/dashboard/more'
import { IconBulb } from '@tabler/icons-react'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Card } from '../card.tsx'
import cards from '../dashboard.module.css'
import { shareIn } from '../measure.ts'
import classes from './more.module.css'
import type { Show } from './show.ts'
import { moreTexts } from './texts.ts'

const steps: { key: keyof BotCounts; behind?: FactKind }[] = [
  { key: 'had' },
  { key: 'chose' },
  { key: 'alone', behind: 'alone' },
  { key: 'passed' },
  { key: 'left', behind: 'botLeft' },
]
/** So many places are drawn; the table has all. */
const shown = 5
/** Fewer answers say nothing about an option. */
const enough = 5

const wrongShare = ({ right, wrong }: MenuPlaceCount) => (right + wrong ? wrong / (right + wrong) : 0)

/** What the bots did by themselves, and where customers went wrong or away. */
export function BotCard({ bot: { counts, before, places }, onShow }: { bot: Bot; onShow: Show }) {
  const words = useTexts(moreTexts)
  const nameOf = ({ path }: MenuPlaceCount) => path.join(' › ') || words.mainMenu
  const worst = places.toSorted((a, b) => b.left - a.left)[0]
  const hardest = places
    .filter(({ right, wrong }) => right + wrong >= enough)
    .toSorted((a, b) => wrongShare(b) - wrongShare(a))[0]
  const rows = [
    [words.what, words.many, words.share, words.before],
    ...steps.map(({ key }) => [
      words.steps[key],
      counts[key],
      shareIn(counts[key], counts.had),
      before ? before[key] : '',
    ]),
    ...places.map((place) => [
      `${words.place}: ${nameOf(place)}`,
      place.right + place.wrong,
      `${words.wrong} ${place.wrong} · ${words.left} ${place.left}`,
      '',
    ]),
  ]
  return (
    <Card
      title={words.bot}
      line={words.withoutPerson(shareIn(counts.alone, counts.had))}
      means={words.means.bot}
      rows={rows}
    >
      {!counts.had && <p className={cards.quiet}>{words.noBot}</p>}
      <ol className={classes.funnel}>
        {steps.map(({ key, behind }) => {
          const row = (
            <>
              <span>{words.steps[key]}</span>
              <i aria-hidden="true" data-of={key}>
                <b style={{ width: `${counts.had ? Math.min(100, (counts[key] / counts.had) * 100) : 0}%` }} />
              </i>
              <strong>
                {number(counts[key])} <small>{shareIn(counts[key], counts.had)}</small>
              </strong>
              {before && <small className={classes.was}>{words.was(number(before[key]))}</small>}
            </>
          )
          return (
            <li key={key}>
              {behind ? (
                <button type="button" onClick={() => onShow({ kind: behind })}>
                  {row}
                </button>
              ) : (
                <div>{row}</div>
              )}
            </li>
          )
        })}
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
              {places.slice(0, shown).map((place) => (
                <tr key={`${place.queueId} ${place.optionId}`}>
                  <td>{nameOf(place)}</td>
                  <td>{number(place.right + place.wrong)}</td>
                  <td data-whole>
                    {number(place.wrong)} <small>{shareIn(place.wrong, place.right + place.wrong)}</small>
                  </td>
                  <td>{number(place.left)}</td>
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
            {worst && worst.left > 0 && words.mostLeft(number(worst.left), nameOf(worst))}{' '}
            {hardest &&
              hardest.wrong > 0 &&
              words.mostWrong(nameOf(hardest), shareIn(hardest.wrong, hardest.right + hardest.wrong))}
          </span>
        </p>
      )}
    </Card>
  )
}
