import { Button, Loader, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import classes from './export.module.css'
import { contactExportTexts } from './texts.ts'

/** Shown during exports that take longer than a moment. */
export function ContactExportDialog({ onStop }: { onStop: () => void }) {
  const words = useTexts(contactExportTexts)
  return (
    <Modal
      opened={useAfterDelay()}
      onClose={onStop}
      size={400}
      title={words.exporting}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <div className={classes.progress} role="status">
        <Loader aria-label={words.exporting} />
        <Button variant="default" onClick={onStop} data-autofocus>
          {words.stop}
        </Button>
      </div>
    </Modal>
  )
}

/** Whether the export takes longer than a moment: quick exports show no dialog. */
function useAfterDelay(): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 400)
    return () => clearTimeout(timer)
  }, [])
  return late
}
