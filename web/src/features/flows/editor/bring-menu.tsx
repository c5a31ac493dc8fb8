import { Button, Loader } from '@mantine/core'
import { IconListTree } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { Sheet } from '../../../ui/sheet.tsx'
import { newFlowTexts } from '../new-flow/texts.ts'
import classes from './editor.module.css'
import type { FlowEditing } from './use-flow-editing.ts'

const MenuChoice = lazy(() => import('../new-flow/menu-choice.tsx').then((module) => ({ default: module.MenuChoice })))

/** A flow without steps can take over the menu of a queue. What starts it stays, if that is chosen already. */
export function BringMenu({ editing }: { editing: FlowEditing }) {
  const words = useTexts(newFlowTexts)
  const [isOpen, setOpen] = useState(false)
  const { document } = editing
  if (document.steps.length > 0) return null
  return (
    <div className={classes.bring}>
      <span>{words.noSteps}</span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconListTree size={16} stroke={1.75} />}
        onClick={() => setOpen(true)}
      >
        {words.fromMenu}
      </Button>
      <Sheet opened={isOpen} onClose={() => setOpen(false)} title={words.menuTitle} size={560}>
        <Suspense fallback={<Loader size="sm" m={24} />}>
          <MenuChoice
            isBusy={false}
            onCreate={async (_, { first, steps, triggers }) => {
              const started = document.triggers.length > 0 ? document.triggers : triggers
              editing.change({ document: { ...document, triggers: started, first, steps }, select: first })
            }}
          />
        </Suspense>
      </Sheet>
    </div>
  )
}
