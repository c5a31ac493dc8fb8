import classes from './health.module.css'

type Severity = 'ok' | 'warn' | 'danger'

/** A sparkline of recent values, newest at the right. Its value is beside it as text. */
export function Sparkline({ values, kind = 'ok' }: { values: number[]; kind?: Severity }) {
  const most = Math.max(1, ...values)
  const step = 100 / 39
  const from = 100 - (values.length - 1) * step
  const points = values.map((value, n) => `${(from + n * step).toFixed(1)},${(22 - (value / most) * 20).toFixed(1)}`)
  return (
    <svg className={classes.spark} viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true" data-kind={kind}>
      <line x1="0" y1="23" x2="100" y2="23" />
      {values.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  )
}

/** A bar that shows a share of a whole. */
export function ShareMeter({
  label,
  share,
  valueText,
  kind = 'ok',
}: {
  label: string
  share: number
  valueText: string
  kind?: Severity
}) {
  const width = Math.min(100, Math.max(1, share * 100))
  return (
    <div className={classes.meter} data-kind={kind}>
      <span>{label}</span>
      <span className={classes.track} aria-hidden="true">
        <span style={{ width: `${width}%` }} />
      </span>
      <strong>{valueText}</strong>
    </div>
  )
}
