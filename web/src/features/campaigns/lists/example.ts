import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { callFile } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { texts } from './texts.ts'

/** A spreadsheet that can be imported as it is. */
export async function giveExample(): Promise<void> {
  try {
    const { file } = await callFile(contactListsApi.example)
    download(textsNow(texts).exampleFile, file)
  } catch (error) {
    toast.error(error)
  }
}
