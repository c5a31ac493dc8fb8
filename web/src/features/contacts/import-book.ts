import { contactsApi } from '@recado/contract/contacts'
import { call } from '../../lib/api.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { openConfirm } from '../../ui/confirm.tsx'
import { texts } from './texts.ts'

const id = 'import-book'

/** The address book of the main line's phone. A provider may take its time. */
export async function importBook(): Promise<void> {
  const words = textsNow(texts)
  const question = { title: words.bookAsk, consequence: words.bookLine, verb: words.bookVerb }
  if (!(await openConfirm({ ...question, kind: 'plain' }))) return
  toast.info(words.bookRunning, undefined, { id, stays: true })
  try {
    const { imported } = await call(contactsApi.import)
    toast.ok(words.bookDone, words.bookCounted(imported), { id })
  } catch (error) {
    toast.hide(id)
    toast.error(error)
  }
}
