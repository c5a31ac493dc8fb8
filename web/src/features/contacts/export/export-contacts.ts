import { contactsApi } from '@recado/contract/contacts'
import { callApiForFile } from '../../../lib/api.ts'
import { downloadFile } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { contactExportTexts } from './texts.ts'

/** Downloads all contacts that a search finds. */
export async function exportContacts(searchParam: string, signal: AbortSignal): Promise<void> {
  const { file, count } = await callApiForFile(contactsApi.export, { query: { searchParam } }, { signal })
  downloadFile(contactsApi.export.file, file)
  const words = currentTexts(contactExportTexts)
  toast.ok(words.exported, words.counted(count).replace(String(count), formatNumber(count)))
}
