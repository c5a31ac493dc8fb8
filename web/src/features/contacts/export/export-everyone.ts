import { contactsApi } from '@recado/contract/contacts'
import { callFile } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { number } from '../../../lib/format.ts'
import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { exportTexts } from './texts.ts'

/** Hands over the file of everybody a search finds. */
export async function exportEveryone(searchParam: string, signal: AbortSignal): Promise<void> {
  const { file, count } = await callFile(contactsApi.export, { query: { searchParam } }, { signal })
  download(contactsApi.export.file, file)
  const words = textsNow(exportTexts)
  toast.ok(words.exported, words.counted(count).replace(String(count), number(count)))
}
