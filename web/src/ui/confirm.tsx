import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { ConfirmQuestion, PendingConfirm } from './confirm-dialog.tsx'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx').then((module) => ({ default: module.ConfirmDialog })))

let pendingConfirm: { question: PendingConfirm; open: boolean } | null = null
const listeners = new Set<() => void>()

function setPendingConfirm(next: typeof pendingConfirm): void {
  pendingConfirm = next
  for (const listener of listeners) listener()
}

/** Asks before an action that cannot be undone. */
export function openConfirm(question: ConfirmQuestion): Promise<boolean> {
  pendingConfirm?.question.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      resolve(yes)
      // The text stays visible while the dialog fades out.
      if (pendingConfirm?.question.answer === answer) setPendingConfirm({ ...pendingConfirm, open: false })
    }
    setPendingConfirm({ question: { ...question, answer }, open: true })
  })
}

const usePendingConfirm = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pendingConfirm,
  )

/** While a confirmation is open, Escape closes only the confirmation. */
export const useIsConfirmOpen = (): boolean => usePendingConfirm()?.open === true

/** Rendered once, by the shell. */
export function ConfirmHost() {
  const current = usePendingConfirm()
  if (!current) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog question={current.question} isOpen={current.open} />
    </Suspense>
  )
}
