import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'

const unpack = promisify(inflate)
/** Larger documents are shown without a page count: reading the whole file would cost too much for that number. */
const maxFileBytes = 16 * 1024 * 1024
/** Newer documents compress their object tables. Limits for decompressing them. */
const unpackLimits = { streams: 100, packed: 2 * 1024 * 1024, bytes: 8 * 1024 * 1024 }
/** Maximum characters examined around tree nodes, for each node and in total: limits the cost of a malicious file. */
const scanLimits = { one: 50_000, all: 2_000_000 }

/** The page count of a PDF: the largest count of a node in its page tree. Null: it declares none. */
export async function countPdfPages(file: string, size: number): Promise<number | null> {
  if (size > maxFileBytes) return null
  const bytes = await readFile(file)
  const plain = bytes.toString('latin1')
  return findPageCount(plain) ?? findPageCount(await unpackObjectStreams(bytes, plain))
}

function findPageCount(text: string): number | null {
  let pages: number | null = null
  let left = scanLimits.all
  for (const { index } of text.matchAll(/\/Type\s*\/Pages\b/g)) {
    if (left <= 0) break
    const dictionary = sliceDictionary(text, index)
    left -= dictionary.length
    const count = /\/Count\s+(\d{1,6})\b/.exec(dictionary)
    if (count) pages = Math.max(pages ?? 0, Number(count[1]))
  }
  return pages || null
}

/** The dictionary around this position, from `<<` to `>>`. Counts of bookmarks are in other dictionaries. */
function sliceDictionary(text: string, at: number): string {
  let from = at
  for (let depth = 0; from > 0 && at - from < scanLimits.one; from--) {
    if (text.startsWith('>>', from)) depth++
    if (text.startsWith('<<', from) && depth-- === 0) break
  }
  let to = at
  for (let depth = 0; to < text.length && to - at < scanLimits.one; to++) {
    if (text.startsWith('<<', to)) depth++
    if (text.startsWith('>>', to) && depth-- === 0) break
  }
  return text.slice(from, to)
}

async function unpackObjectStreams(bytes: Buffer, text: string): Promise<string> {
  const parts: string[] = []
  let left = unpackLimits.bytes
  let streams = 0
  for (const { index } of text.matchAll(/\/Type\s*\/ObjStm\b/g)) {
    if (++streams > unpackLimits.streams || left <= 0) break
    const begins = /stream\r?\n/.exec(text.slice(index, index + 1000))
    if (!begins) continue
    const start = index + begins.index + begins[0].length
    const window = bytes.subarray(start, start + unpackLimits.packed)
    const part = await unpack(window.subarray(0, window.indexOf('endstream')), { maxOutputLength: left }).catch(
      () => null,
    )
    if (!part) continue
    left -= part.length
    parts.push(part.toString('latin1'))
  }
  return parts.join('\n')
}
