import type { Icon as TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './records.module.css'

/** One row of text with an ellipsis; the full text appears on hover. */
export function ClippedText({
  children,
  isStrong,
  title,
}: {
  children: ReactNode
  isStrong?: boolean
  title?: string
}) {
  const whole = title ?? (typeof children === 'string' ? children : undefined)
  return (
    <span className={classes.clip} data-strong={isStrong || undefined} title={whole}>
      {children}
    </span>
  )
}

/** Secondary text, such as ids, dates and "nothing here". */
export const MutedText = ({ children }: { children: ReactNode }) => <span className={classes.quiet}>{children}</span>

/** A mark (dot, avatar, icon) with its name. */
export function NameWithMark({ mark, children }: { mark?: ReactNode; children: string }) {
  return (
    <span className={classes.named}>
      {mark}
      <ClippedText isStrong>{children}</ClippedText>
    </span>
  )
}

/** Two rows of text in a tall table row. */
export function TwoLineCell({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className={classes.twoLines}>
      {first}
      <span className={classes.quiet}>{second}</span>
    </span>
  )
}

/** A small icon before a text with the same meaning. */
export function TextWithIcon({ icon: Icon, children }: { icon: TablerIcon; children: string }) {
  return (
    <span className={classes.withIcon}>
      <Icon size={15} stroke={1.75} aria-hidden="true" />
      <ClippedText>{children}</ClippedText>
    </span>
  )
}
