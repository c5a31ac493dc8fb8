import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export type ZipEntry = { name: string; content: AsyncIterable<Uint8Array | string> }

/** Every entry gets the same fixed time, because the upload time says nothing about the file's content. */
const entryOptions = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true, compressionLevel: 3 }

/** Writes a zip while its entries are read: neither the zip nor an entry is ever in memory as a whole. */
export function streamZip(entries: AsyncIterable<ZipEntry>): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const stop = new AbortController()
  output.once('close', () => stop.abort())
  zip.on('error', (error: Error) => output.destroy(error))

  async function addEntries() {
    for await (const { name, content } of entries) {
      const source = Readable.from(content, { objectMode: false })
      zip.addReadStream(source, name, entryOptions)
      // An entry is requested when the one before it is written, because later entries depend on what earlier ones
      // read.
      await finished(source, { signal: stop.signal }).finally(() => source.destroy())
    }
    zip.end()
  }
  addEntries().catch((error: Error) => output.destroy(error))
  return output
}
