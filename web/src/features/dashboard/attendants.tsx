import type { Attendant, DashboardView, FactKind } from '@recado/contract/dashboard/dashboard'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { Count } from '../../ui/count.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { Card } from './card.tsx'
import classes from './dashboard.module.css'
import { Figure } from './figure.tsx'
import { Means } from './meaning.tsx'
import { duration, rateOf, talkOf } from './measure.ts'
import { texts } from './texts.ts'

type Props = { view: DashboardView; onShow: (kind: FactKind, userId: number) => void }

/** Who works, how, and who is there now. */
export function Attendants({ view: { attendants }, onShow }: Props) {
  const words = useTexts(texts)
  return (
    <Card
      title={words.agents}
      line={<Count value={attendants.length} />}
      means={<Means of="agents" />}
      aside={words.online(attendants.filter(({ online }) => online).length)}
      rows={[
        [words.name, words.now, words.resolved, words.rating, words.supportTime, words.state],
        ...attendants.map((one) => [
          ...[one.name, one.now, one.resolved, rateText(one), one.talks ? duration(talkOf(one)) : ''],
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
                  <Figure of={one.name} what={words.now} onShow={() => onShow('open', one.id)}>
                    {number(one.now)}
                  </Figure>
                </td>
                <td data-label={words.resolved}>
                  <Figure of={one.name} what={words.resolved} onShow={() => onShow('resolved', one.id)}>
                    {number(one.resolved)}
                  </Figure>
                </td>
                <td data-label={words.rating}>
                  <Stars of={one} onShow={() => onShow('rate', one.id)} />
                </td>
                <td data-label={words.supportTime}>
                  {one.talks ? (
                    <Figure of={one.name} what={words.supportTime} onShow={() => onShow('talk', one.id)}>
                      {duration(talkOf(one))}
                    </Figure>
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
    </Card>
  )
}

const rateText = (of: Attendant): string => {
  const rate = rateOf(of)
  return rate === null ? '' : number(Math.round(rate * 10) / 10, 1)
}

/** Up to three, and the number itself beside them. */
function Stars({ of, onShow }: { of: Attendant; onShow: () => void }) {
  const words = useTexts(texts)
  const rate = rateOf(of)
  if (rate === null) return <span className={classes.unrated}>{words.unrated}</span>
  const said = words.stars(number(Math.round(rate * 10) / 10, 1))
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
      <span aria-hidden="true">{number(Math.round(rate * 10) / 10, 1)}</span>
    </button>
  )
}
