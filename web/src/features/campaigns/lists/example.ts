import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { callFile } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { toast } from '../../../lib/toast.ts'

/** A spreadsheet that can be imported as it is. */
export async function giveExample(): Promise<void> {
  try {
    const { file } = await callFile(contactListsApi.example)
    download('contactos.csv', file)
  } catch (error) {
    toast.error(error)
  }
}
