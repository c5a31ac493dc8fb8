import { Button, Modal, Progress } from '@mantine/core'
import { useEffect, useState } from 'react'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './export.module.css'
import { exportTexts } from './texts.ts'
import type { Export } from './use-export.ts'

/** How far it is, for exports that take longer than a blink. */
export function ExportDialog({ running: { read, total }, onStop }: { running: Export; onStop: () => void }) {
  const words = useTexts(exportTexts)
  const late = useLate()
  // The count of a search stops early: more may be read than were counted.
  const share = total > 0 ? Math.min(100, Math.round((read / total) * 100)) : 0
  const said = words.exportedSoFar(number(read), number(Math.max(read, total)))
  return (
    <Modal
      opened={late}
      onClose={onStop}
      size={400}
      title={words.exporting}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <div className={classes.progress}>
        <Progress value={share} aria-label={words.exporting} />
        <p role="status">{said}</p>
        <Button variant="default" onClick={onStop} data-autofocus>
          {words.stop}
        </Button>
      </div>
    </Modal>
  )
}

/** Quick ones come and go without a dialog. */
function useLate(): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 400)
    return () => clearTimeout(timer)
  }, [])
  return late
}
