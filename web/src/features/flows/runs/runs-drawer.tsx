import { Drawer } from '@mantine/core'
import type { FlowSummary } from '@recado/contract/flows/flows'
import { lazy, Suspense } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useIsConfirmOpen } from '../../../ui/confirm.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import classes from './runs.module.css'
import { runsTexts } from './texts.ts'
import type { RunState } from './use-runs.ts'

const RunsPanel = lazy(() => import('./runs-panel.tsx').then((module) => ({ default: module.RunsPanel })))

type Props = {
  flow: Pick<FlowSummary, 'id' | 'name'>
  isOpen: boolean
  /** What is shown first; without it, the conversations that are inside. */
  initialState?: RunState
  onClose: () => void
}

/** The conversations inside a rule, a sequence or a flow; on a phone as a sheet. */
export function RunsDrawer({ flow, isOpen, initialState = 'inside', onClose }: Props) {
  const words = useTexts(runsTexts)
  const isPhone = useIsPhone()
  const isConfirming = useIsConfirmOpen()
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position={isPhone ? 'bottom' : 'right'}
      size={isPhone ? '92%' : 460}
      title={words.title(flow.name)}
      closeOnEscape={!isConfirming}
      closeOnClickOutside={!isConfirming}
      closeButtonProps={{ 'aria-label': words.close }}
      classNames={{ content: classes.drawer ?? '', body: classes.body ?? '' }}
    >
      <Suspense fallback={null}>
        <RunsPanel flowId={flow.id} initialState={initialState} />
      </Suspense>
    </Drawer>
  )
}
