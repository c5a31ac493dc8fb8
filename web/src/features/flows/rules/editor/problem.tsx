import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './editor.module.css'

type Props = { level: 'error' | 'warning'; text: string; children?: ReactNode }

/** What is wrong with a line, and the button that repairs it. */
export function Problem({ level, text, children }: Props) {
  const Icon = level === 'error' ? IconAlertCircle : IconAlertTriangle
  return (
    <span className={classes.problem} data-level={level} data-problem={level}>
      <Icon size={15} stroke={1.75} aria-hidden="true" />
      <span>{text}</span>
      {children}
    </span>
  )
}

export const RepairButton = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button type="button" className={classes.repair} onClick={onClick}>
    {children}
  </button>
)
