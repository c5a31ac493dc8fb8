import { Skeleton } from '@mantine/core'
import classes from '../editor/editor.module.css'

/** The shape of an editor while its flow is loading. */
export const EditorSkeleton = () => (
  <div className={classes.page} aria-busy="true">
    <div className={classes.header}>
      <Skeleton height={18} width={180} />
    </div>
    <div className={classes.columns}>
      <div className={classes.left}>
        {[40, 90, 130].map((height) => (
          <Skeleton key={height} height={height} mb={24} radius={10} />
        ))}
      </div>
      <div className={classes.right} />
    </div>
  </div>
)
