import type { Attendant, DashboardView } from '@recado/contract/dashboard/dashboard'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { Count } from '../../ui/count.tsx'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import classes from './dashboard.module.css'
import { duration, rateOf, talkOf, waitOf } from './measure.ts'
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
    <section className={classes.card} aria-labelledby="dashboard-agents">
      <header className={classes.head}>
        <h2 id="dashboard-agents">{words.agents}</h2>
        <Count value={attendants.length} />
        <span className={classes.tools}>{words.online(attendants.filter(({ online }) => online).length)}</span>
      </header>
      <div className={classes.scroll}>
        <table className={classes.table}>
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
                <td>{number(one.now)}</td>
                <td>{number(one.resolved)}</td>
                <td>
                  <Stars of={one} />
                </td>
                <td>{one.talks ? duration(talkOf(one)) : '–'}</td>
                <td>
                  <span className={classes.presence} data-online={one.online || undefined}>
                    {one.online ? words.isOnline : words.isOffline}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Up to three, and the number itself for who wants it. */
function Stars({ of }: { of: Attendant }) {
  const words = useTexts(texts)
  const rate = rateOf(of)
  if (rate === null) return <span className={classes.unrated}>{words.unrated}</span>
  const said = words.stars(number(Math.round(rate * 10) / 10, 1))
  return (
    <span className={classes.stars} role="img" aria-label={said} title={said}>
      {[1, 2, 3].map((n) => {
        const Star = n <= Math.round(rate) ? IconStarFilled : IconStar
        return <Star key={n} size={15} data-on={n <= Math.round(rate) || undefined} aria-hidden="true" />
      })}
    </span>
  )
}

/** The same by the queue. */
export function Queues({ view: { queues }, onShow }: { view: DashboardView; onShow: (queueId: number) => void }) {
  const words = useTexts(texts)
  if (!queues.length) return null
  return (
    <section className={classes.card} aria-labelledby="dashboard-queues">
      <header className={classes.head}>
        <h2 id="dashboard-queues">{words.queues}</h2>
        <Count value={queues.length} />
      </header>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              {[words.name, words.came, words.resolved, words.wait, words.talk, words.transferred].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {queues.map((queue) => (
              <tr key={queue.id}>
                <td>
                  <button type="button" className={classes.person} onClick={() => onShow(queue.id)}>
                    <ColorDot color={queue.color} />
                    <span>{queue.name}</span>
                  </button>
                </td>
                <td>{number(queue.came)}</td>
                <td>{number(queue.resolved)}</td>
                <td>{queue.waits ? duration(waitOf(queue)) : '–'}</td>
                <td>{queue.talks ? duration(talkOf(queue)) : '–'}</td>
                <td>{number(queue.transferred)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
