import { type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'
import { CountBadge } from './count-badge.tsx'
import classes from './page-header.module.css'
import { PageHeaderSlot } from './page-header-slot.ts'

type Props = {
  title: ReactNode
  /** The count beside the title. */
  count?: number | undefined
  /** Whether there are more items than `count`. */
  isLowerBound?: boolean
  /** A subtitle under the title. */
  line?: ReactNode
  /** The primary action, at the right. */
  children?: ReactNode
  /** Whether the content needs the space beside the title. */
  isWide?: boolean
}

/** The title of a page (one per page), with its count and action. */
export function PageHeader({ title, count, isLowerBound = false, line, children, isWide = false }: Props) {
  const slot = use(PageHeaderSlot)
  const inBar = slot !== null
  const head = (
    <div className={classes.root} data-in-bar={inBar || undefined} data-wide={isWide || undefined}>
      <div className={classes.words}>
        <h1 className={classes.title}>
          <span className={classes.text}>{title}</span>
          {count !== undefined && <CountBadge value={count} isLowerBound={isLowerBound} />}
        </h1>
        {line && !inBar && <p className={classes.line}>{line}</p>}
      </div>
      {children}
    </div>
  )
  if (!slot) return head
  return (
    <>
      {createPortal(head, slot)}
      <div className={classes.gap} />
    </>
  )
}
