import { contactErasureApi } from '@recado/contract/api-access/export-and-erasure'
import type { Contact } from '@recado/contract/contacts'
import { callApiForFile } from '../../../lib/api.ts'
import { downloadFile } from '../../../lib/download.ts'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { eraseContactTexts } from './texts.ts'

/** Downloads all data of a person. */
export async function downloadContactData({ id, name }: Contact): Promise<void> {
  const words = currentTexts(eraseContactTexts)
  const note = `take-${id}`
  toast.info(words.taking, name, { id: note, isPersistent: true })
  try {
    const { file } = await callApiForFile(contactErasureApi.take, { params: { id } })
    downloadFile(`${name || id}.zip`, file, 'application/zip')
    toast.hide(note)
  } catch (error) {
    toast.hide(note)
    toast.error(error, words.notTaken)
  }
}
