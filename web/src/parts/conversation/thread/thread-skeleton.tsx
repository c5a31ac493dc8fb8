import classes from './thread.module.css'

const shapes = [
  { width: '46%', height: 34 },
  { width: '58%', height: 54, out: true },
  { width: '30%', height: 34 },
  { width: 280, height: 216 },
  { width: '40%', height: 34, out: true },
]

/** Placeholder of the messages, shown only when loading takes a moment. */
export function ThreadSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      {shapes.map(({ width, height, out }) => (
        <i key={`${width}-${height}`} style={{ width, height, alignSelf: out ? 'flex-end' : 'flex-start' }} />
      ))}
    </div>
  )
}
