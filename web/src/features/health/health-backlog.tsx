import type { BacklogStatus, PlatformHealth } from '@recado/contract/health/health'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { formatAge } from './format-age.ts'
import classes from './health.module.css'
import { Sparkline } from './sparkline-and-meter.tsx'
import { texts } from './texts.ts'

export function HealthBacklog({ data, samples }: { data: PlatformHealth; samples: PlatformHealth[] }) {
  const words = useTexts(texts)
  const describeStatus = ({ count, held, oldest }: BacklogStatus): string =>
    [
      count === 0 && held === 0 && words.none,
      oldest && words.oldest(formatAge(oldest, data.at, words)),
      held > 0 && words.held(held),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <section>
      <h2 className={classes.head}>{words.waits}</h2>
      <ul className={classes.tiles}>
        {data.waits.map((one) => (
          <li key={one.kind} className={classes.tile} data-kind={one.late ? 'danger' : undefined}>
            <span className={classes.quiet}>{words.wait[one.kind]}</span>
            <span className={classes.figure}>
              <strong>{formatNumber(one.count)}</strong>
              <Sparkline
                values={samples.map(({ waits }) => waits.find(({ kind }) => kind === one.kind)?.count ?? 0)}
                kind={one.late ? 'danger' : 'ok'}
              />
            </span>
            <span className={classes.quiet}>{describeStatus(one)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
