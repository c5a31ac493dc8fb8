import classes from './thread.module.css'

const shapes = [
  { width: '46%', height: 34 },
  { width: '58%', height: 54, out: true },
  { width: '30%', height: 34 },
  { width: 280, height: 216 },
  { width: '40%', height: 34, out: true },
]

/** Where the messages will be. Only what takes longer than a blink shows it. */
export function ThreadSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      {shapes.map(({ width, height, out }) => (
        <i key={`${width}-${height}`} style={{ width, height, alignSelf: out ? 'flex-end' : 'flex-start' }} />
      ))}
    </div>
  )
}
