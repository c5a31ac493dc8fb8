import type { Flow } from '@recado/contract/flows/flows'
import { IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './runs.module.css'
import { RunsDrawer } from './runs-drawer.tsx'
import { runsTexts } from './texts.ts'
import { useInsideCount } from './use-flow-numbers.ts'

/** How many conversations are inside, in the header of an editor. Opens them. */
export function InsideButton({ flow }: { flow: Pick<Flow, 'id' | 'name' | 'inside' | 'version'> }) {
  const words = useTexts(runsTexts)
  const [isOpen, setOpen] = useState(false)
  const inside = useInsideCount(flow)
  if (!flow.version) return null
  return (
    <>
      <button type="button" className={classes.inside} onClick={() => setOpen(true)}>
        <span className={classes.insideWords}>{words.inside(inside, formatNumber(inside))}</span>
        <span className={classes.insideShort} aria-hidden="true">
          <IconUsers size={16} stroke={1.75} />
          {formatNumber(inside)}
        </span>
      </button>
      <RunsDrawer flow={flow} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
