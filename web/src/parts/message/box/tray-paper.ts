import { dropBlob, keepBlob, readBlob } from '../../../lib/blobs.ts'
import { forget, readJson, readText, writeJson } from '../../../lib/storage.ts'
import type { Attached } from './attached.ts'

/** What a reload finds of a tray; the files themselves are in the browser's database. */
type Paper = { at: number; files: Pick<Attached, 'id' | 'name' | 'caption'>[] }

/** Nobody comes back to files that lie about longer; they take room. */
const keepsFor = 7 * 24 * 3_600_000
const prefix = () => `recado.tray.${readText('userId') ?? ''}.`
const nameOf = (id: string) => `tray-${id}`

/** Writes down what lies on the tray now, and lets go of what does not any more. */
export function keepTray(place: string, before: Attached[], now: Attached[]): void {
  const here = new Set(now.map(({ id }) => id))
  for (const { id } of before) if (!here.has(id)) void dropBlob(nameOf(id))
  const known = new Set(before.filter(({ file }) => file).map(({ id }) => id))
  for (const { id, file } of now) if (file && !known.has(id)) void keepBlob(nameOf(id), file)
  const files = now.filter(({ file }) => file).map(({ id, name, caption }) => ({ id, name, caption }))
  const key = prefix() + place
  if (files.length > 0) writeJson(key, { at: Date.now(), files } satisfies Paper)
  else forget(key)
}

/** The tray as an earlier page left it. */
export async function readTray(place: string): Promise<Omit<Attached, 'preview'>[]> {
  tidy()
  const paper = readJson<Paper | null>(prefix() + place, null)
  const found = await Promise.all(
    (paper?.files ?? []).map(async (one) => ({ ...one, file: await readBlob(nameOf(one.id)) })),
  )
  return found.flatMap(({ file, ...one }) => (file ? [{ ...one, file }] : []))
}

function tidy(): void {
  for (const key of keys().filter((one) => one.startsWith('recado.tray.'))) {
    const paper = readJson<Paper | null>(key, null)
    if (paper && Date.now() - paper.at < keepsFor) continue
    for (const { id } of paper?.files ?? []) void dropBlob(nameOf(id))
    forget(key)
  }
}

function keys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
