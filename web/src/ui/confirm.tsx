import { Button, Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './confirm.module.css'

const texts = defineTexts({ es: { cancel: 'Cancelar' }, pt: { cancel: 'Cancelar' }, en: { cancel: 'Cancel' } })

export type Question = {
  /** Names the thing: "¿Eliminar la etiqueta VIP?" */
  title: string
  /** What follows from it. */
  consequence: string
  /** On the button, never "yes". */
  verb: string
  /** Leaving with unsaved changes, for one, is no danger to anybody else. */
  kind?: 'danger' | 'plain'
}

type Asked = Question & { answer: (yes: boolean) => void }
let asked: { question: Asked; open: boolean } | null = null
const listeners = new Set<() => void>()

function set(next: typeof asked): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Asks before something that cannot be taken back. */
export function openConfirm(question: Question): Promise<boolean> {
  asked?.question.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      resolve(yes)
      // The words stay while the dialog fades.
      if (asked?.question.answer === answer) set({ ...asked, open: false })
    }
    set({ question: { ...question, answer }, open: true })
  })
}

/** Drawn once, by the shell. */
export function ConfirmHost() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )
  const words = useTexts(texts)
  if (!current) return null
  const { title, consequence, verb, kind = 'danger', answer } = current.question
  return (
    <Modal
      opened={current.open}
      onClose={() => answer(false)}
      size={400}
      withCloseButton={false}
      role="alertdialog"
      aria-label={title}
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
