import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { toCsv } from '../csv.ts'
import { download } from '../download.ts'
import { texts } from '../texts.ts'
import { readEveryone } from './read-everyone.ts'

export type Export = { read: number; total: number }

/** Spec, section 2: the name of the file and its columns are the same in every language. */
const file = 'contatos.csv'
const head = ['name', 'number', 'email']

/** Reads everybody a search finds and hands over the file; can be stopped at any moment. */
export function useExport() {
  const words = useTexts(texts)
  const [running, setRunning] = useState<Export | null>(null)
  const abort = useRef<AbortController>(null)
  useEffect(() => () => abort.current?.abort(), [])

  const start = async (search: string, total: number) => {
    if (abort.current) return
    const control = new AbortController()
    abort.current = control
    setRunning({ read: 0, total })
    try {
      const people = await readEveryone(search, control.signal, (read) => setRunning({ read, total }))
      download(file, toCsv([head, ...people.map(({ name, number, email }) => [name, number, email])]))
      toast.ok(words.exported, words.words.counted(people.length))
    } catch (error) {
      toast.error(error, words.exportFailed)
    } finally {
      abort.current = null
      setRunning(null)
    }
  }
  return { running, start, stop: () => abort.current?.abort() }
}
