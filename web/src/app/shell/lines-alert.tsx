import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { needsAttention, useLines } from '../../parts/line/use-lines.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import classes from './side-menu.module.css'
import { texts } from './texts.ts'

/** Spec, section 9: lines connecting at page load get this long before the warning. */
const warningDelayMs = 2000

/** Shows "!" beside Lines while a line is disconnected. */
export function LinesAlert({ rail }: { rail: boolean }) {
  const words = useTexts(texts)
  const settled = useIsWarningDelayOver()
  const lines = useLines(settled)
  if (!settled || !lines.data?.some(needsAttention)) return null
  return (
    <Tooltip label={words.lineAlert} position="right" offset={12}>
      <span className={classes.alert} data-line-alert>
        {!rail && (
          <span aria-hidden="true">
            <CountBadge value="!" kind="warn" />
          </span>
        )}
        <span className={classes.unseen}>{words.lineAlert}</span>
      </span>
    </Tooltip>
  )
}

function useIsWarningDelayOver(): boolean {
  const [settled, setSettled] = useState(() => performance.now() > warningDelayMs)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), Math.max(0, warningDelayMs - performance.now()))
    return () => clearTimeout(timer)
  }, [])
  return settled
}
