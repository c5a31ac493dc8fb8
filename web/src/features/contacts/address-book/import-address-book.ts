import { contactsApi } from '@recado/contract/contacts'
import { callApi } from '../../../lib/api.ts'
import { formatNumber } from '../../../lib/format.ts'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { openConfirm } from '../../../ui/confirm.tsx'
import { addressBookTexts } from './texts.ts'

const toastId = 'import-book'

/** Imports the address book of the default line's phone. The provider may be slow. */
export async function importAddressBook(): Promise<void> {
  const words = currentTexts(addressBookTexts)
  const question = { title: words.ask, consequence: words.line, verb: words.verb }
  if (!(await openConfirm({ ...question, kind: 'plain' }))) return
  toast.info(words.running, undefined, { id: toastId, isPersistent: true })
  try {
    const { imported } = await callApi(contactsApi.import)
    toast.ok(words.done, words.counted(imported).replace(String(imported), formatNumber(imported)), { id: toastId })
  } catch (error) {
    toast.hide(toastId)
    toast.error(error)
  }
}
