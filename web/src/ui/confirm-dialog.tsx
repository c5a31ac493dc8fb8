import { Button, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './confirm.module.css'

const texts = defineTexts({ es: { cancel: 'Cancelar' }, pt: { cancel: 'Cancelar' }, en: { cancel: 'Cancel' } })

export type ConfirmQuestion = {
  /** The question, which names the record, such as "¿Eliminar la etiqueta VIP?" */
  title: string
  /** The consequence of the action, as text. */
  consequence: string
  /** The label of the confirm button: a verb, never "yes". */
  verb: string
  /** `plain` for a harmless action, such as leaving with unsaved changes. */
  kind?: 'danger' | 'plain'
}
export type PendingConfirm = ConfirmQuestion & { answer: (yes: boolean) => void }

/** A confirmation dialog. The confirm button is labelled with the verb, never "yes"; Cancel has the focus. */
export function ConfirmDialog({ question, isOpen }: { question: PendingConfirm; isOpen: boolean }) {
  const words = useTexts(texts)
  const { title, consequence, verb, kind = 'danger', answer } = question
  // After the capturing listener of the dialog below, which would otherwise see a closed confirmation and close too.
  useWindowEvent('keydown', (event) => {
    if (isOpen && event.key === 'Escape' && !event.isComposing) answer(false)
  })
  return (
    <Modal
      opened={isOpen}
      onClose={() => answer(false)}
      closeOnEscape={false}
      size={400}
      withCloseButton={false}
      // Mantine puts a role on the frame around the dialog and leaves the dialog itself without a name.
      attributes={{ content: { 'aria-label': title } }}
      zIndex={350}
    >
      <div className={classes.body}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.line}>{consequence}</p>
      </div>
      <footer className={classes.foot}>
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          {words.cancel}
        </Button>
        <Button {...(kind === 'danger' && { color: 'red' })} onClick={() => answer(true)}>
          {verb}
        </Button>
      </footer>
    </Modal>
  )
}
