import type { FactKind } from '@recado/contract/dashboard/dashboard'
import type { Bot, BotCounts, MenuPlaceCount } from '@recado/contract/dashboard/more'
import { IconBulb } from '@tabler/icons-react'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { Card } from '../card.tsx'
import cards from '../dashboard.module.css'
import { Figure } from '../figure.tsx'
import { shareIn } from '../measure.ts'
import classes from './more.module.css'
import type { Show } from './show.ts'
import { moreTexts } from './texts.ts'

const allSteps: { key: keyof BotCounts; behind: FactKind }[] = [
  { key: 'had', behind: 'botHad' },
  { key: 'chose', behind: 'menuFirst' },
  { key: 'alone', behind: 'alone' },
  { key: 'passed', behind: 'botPassed' },
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
  // Who chose an option is not known of a queue.
  const steps = allSteps.flatMap(({ key, behind }) => {
    const n = counts[key]
    return n === null ? [] : [{ key, behind, n, was: before?.[key] ?? null }]
  })
  const nameOf = ({ path }: MenuPlaceCount) => path.join(' › ') || words.mainMenu
  const showAt = (kind: FactKind, { queueId, optionId }: MenuPlaceCount) =>
    onShow({
      kind,
      ...(optionId === null ? { atTop: true } : { optionId }),
      ...(queueId === null ? { noQueue: true } : { queueId }),
    })
  const worst = places.toSorted((a, b) => b.left - a.left)[0]
  const hardest = places
    .filter(({ right, wrong }) => right + wrong >= enough)
    .toSorted((a, b) => wrongShare(b) - wrongShare(a))[0]
  const rows = [
    [words.what, words.many, words.share, words.before],
    ...steps.map(({ key, n, was }) => [words.steps[key], n, shareIn(n, counts.had), was ?? '']),
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
        {steps.map(({ key, behind, n, was }) => (
          <li key={key}>
            <button type="button" onClick={() => onShow({ kind: behind })}>
              <span>{words.steps[key]}</span>
              <i aria-hidden="true" data-of={key}>
                <b style={{ width: `${counts.had ? Math.min(100, (n / counts.had) * 100) : 0}%` }} />
              </i>
              <strong>
                {number(n)} <small>{shareIn(n, counts.had)}</small>
              </strong>
              {was !== null && <small className={classes.was}>{words.was(number(was))}</small>}
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
              {places.slice(0, shown).map((place) => (
                <tr key={`${place.queueId} ${place.optionId}`}>
                  <td>{nameOf(place)}</td>
                  <td>
                    <Figure of={nameOf(place)} what={words.asked} onShow={() => showAt('menuAsked', place)}>
                      {number(place.right + place.wrong)}
                    </Figure>
                  </td>
                  <td data-whole>
                    <Figure of={nameOf(place)} what={words.wrong} onShow={() => showAt('menuWrong', place)}>
                      {number(place.wrong)}
                    </Figure>{' '}
                    <small>{shareIn(place.wrong, place.right + place.wrong)}</small>
                  </td>
                  <td>
                    <Figure of={nameOf(place)} what={words.left} onShow={() => showAt('menuLeft', place)}>
                      {number(place.left)}
                    </Figure>
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
              words.mostWrong(nameOf(hardest), shareIn(hardest.wrong, hardest.right + hardest.wrong))}
          </span>
        </p>
      )}
    </Card>
  )
}
