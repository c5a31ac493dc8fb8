import { toast } from '../lib/toast.ts'
import { openConfirm } from '../ui/confirm.tsx'
import type { RecordWords } from './texts.ts'

type Removal = {
  words: Pick<RecordWords, 'removeAsk' | 'remove' | 'removed'>
  name: string
  /** The consequence of deleting, such as "Se quita de sus 12 tickets." */
  consequence: string
  remove: () => Promise<unknown>
}

/** Asks, deletes and shows a toast. Returns true when the record was deleted. */
export async function confirmDelete({ words, name, consequence, remove }: Removal): Promise<boolean> {
  if (!(await openConfirm({ title: words.removeAsk(name), consequence, verb: words.remove }))) return false
  try {
    await remove()
    toast.ok(words.removed, name)
    return true
  } catch (error) {
    toast.error(error)
    return false
  }
}
