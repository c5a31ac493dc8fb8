import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Asked, Question } from './confirm-dialog.tsx'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

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
