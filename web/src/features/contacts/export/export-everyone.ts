import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { toCsv } from '../csv.ts'
import { download } from '../download.ts'
import { readEveryone } from './read-everyone.ts'
import { exportTexts } from './texts.ts'

/** Spec, section 2: the name of the file and its columns are the same in every language. */
const file = 'contatos.csv'
const head = ['name', 'number', 'email']

/** Reads everybody a search finds and hands over the file. */
export async function exportEveryone(search: string, signal: AbortSignal, tell: (read: number) => void): Promise<void> {
  const people = await readEveryone(search, signal, tell)
  download(file, toCsv([head, ...people.map(({ name, number, email }) => [name, number, email])]))
  const words = textsNow(exportTexts)
  toast.ok(words.exported, words.counted(people.length))
}
