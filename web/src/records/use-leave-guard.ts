import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../lib/texts.ts'
import { openConfirm } from '../ui/confirm.tsx'
import { recordTexts } from './texts.ts'

/** Asks before unsaved changes are lost: on close, on navigation and on closing the tab. Returns a function that asks. */
export function useLeaveGuard(changed: () => boolean): () => Promise<boolean> {
  const words = useTexts(recordTexts)
  const mayLeave = async () =>
    !changed() ||
    openConfirm({
      title: words.discard,
      consequence: words.discardLine,
      verb: words.discardVerb,
    })
  useBlocker({ shouldBlockFn: async () => !(await mayLeave()), enableBeforeUnload: changed })
  return mayLeave
}
