import { Skeleton } from '@mantine/core'
import classes from './rules.module.css'

/** The shape of a list while it is loading. */
export const SkeletonRows = () => (
  <div className={classes.scroller} aria-busy="true">
    {[52, 38, 60, 44, 56].map((share) => (
      <div key={share} className={classes.bone}>
        <Skeleton height={12} width={`${share / 2}%`} />
        <Skeleton height={10} width={`${share}%`} mt={8} />
      </div>
    ))}
  </div>
)
