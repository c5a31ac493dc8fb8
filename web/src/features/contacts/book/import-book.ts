import { contactsApi } from '@recado/contract/contacts'
import { call } from '../../../lib/api.ts'
import { number } from '../../../lib/format.ts'
import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { bookTexts } from './texts.ts'

const id = 'import-book'

/** The address book of the main line's phone. A provider may take its time. */
export async function importBook(): Promise<void> {
  const words = textsNow(bookTexts)
  const question = { title: words.ask, consequence: words.line, verb: words.verb }
  if (!(await openConfirm({ ...question, kind: 'plain' }))) return
  toast.info(words.running, undefined, { id, stays: true })
  try {
    const { imported } = await call(contactsApi.import)
    toast.ok(words.done, words.counted(imported).replace(String(imported), number(imported)), { id })
  } catch (error) {
    toast.hide(id)
    toast.error(error)
  }
}
