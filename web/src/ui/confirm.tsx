import { lazy, Suspense, useSyncExternalStore } from 'react'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

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

export type Asked = Question & { answer: (yes: boolean) => void }
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
  if (!current) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog question={current.question} open={current.open} />
    </Suspense>
  )
}
