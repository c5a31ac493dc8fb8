import type { Attendant, DashboardView } from '@recado/contract/dashboard/dashboard'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { Count } from '../../ui/count.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { Card } from './card.tsx'
import classes from './dashboard.module.css'
import { duration, rateOf, talkOf } from './measure.ts'
import { texts } from './texts.ts'

/** Who works, how, and who is there now. */
export function Attendants({
  view: { attendants },
  onShow,
}: {
  view: DashboardView
  onShow: (userId: number) => void
}) {
  const words = useTexts(texts)
  return (
    <Card
      title={words.agents}
      line={<Count value={attendants.length} />}
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
                  <button type="button" className={classes.person} onClick={() => onShow(one.id)}>
                    <PersonAvatar id={one.id} name={one.name} size={26} />
                    <span>{one.name}</span>
                  </button>
                </td>
                <td data-label={words.now}>{number(one.now)}</td>
                <td data-label={words.resolved}>{number(one.resolved)}</td>
                <td data-label={words.rating}>
                  <Stars of={one} />
                </td>
                <td data-label={words.supportTime}>{one.talks ? duration(talkOf(one)) : '–'}</td>
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
function Stars({ of }: { of: Attendant }) {
  const words = useTexts(texts)
  const rate = rateOf(of)
  if (rate === null) return <span className={classes.unrated}>{words.unrated}</span>
  const said = words.stars(number(Math.round(rate * 10) / 10, 1))
  return (
    <span className={classes.rate}>
      <span className={classes.stars} role="img" aria-label={said}>
        {[1, 2, 3].map((n) => {
          const Star = n <= Math.round(rate) ? IconStarFilled : IconStar
          return <Star key={n} size={15} data-on={n <= Math.round(rate) || undefined} aria-hidden="true" />
        })}
      </span>
      <span aria-hidden="true">{number(Math.round(rate * 10) / 10, 1)}</span>
    </span>
  )
}
