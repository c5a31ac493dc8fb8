import { contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { callApiForFile } from '../../../lib/api.ts'
import { downloadFile } from '../../../lib/download.ts'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { texts } from './texts.ts'

/** A spreadsheet that can be imported unchanged. */
export async function downloadExampleSpreadsheet(): Promise<void> {
  try {
    const { file } = await callApiForFile(contactListsApi.example)
    downloadFile(currentTexts(texts).exampleFile, file)
  } catch (error) {
    toast.error(error)
  }
}
