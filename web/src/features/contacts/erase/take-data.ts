import type { Contact } from '@recado/contract/contacts'
import { erasingApi } from '@recado/contract/doors/moving'
import { callFile } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { eraseTexts } from './texts.ts'

/** Hands over everything there is of somebody. */
export async function takeData({ id, name }: Contact): Promise<void> {
  const words = textsNow(eraseTexts)
  const note = `take-${id}`
  toast.info(words.taking, name, { id: note, stays: true })
  try {
    const { file } = await callFile(erasingApi.take, { params: { id } })
    download(`${name || id}.zip`, file, 'application/zip')
    toast.hide(note)
  } catch (error) {
    toast.hide(note)
    toast.error(error, words.notTaken)
  }
}
