import { BackupError } from './backup-error.ts'

/** Reads a byte stream in the lengths that the caller requests. */
export function makeByteReader(source: AsyncIterable<Buffer>) {
  const bytes = source[Symbol.asyncIterator]()
  let buffered: Buffer = Buffer.alloc(0)

  async function fill(length: number): Promise<boolean> {
    const parts = [buffered]
    let size = buffered.length
    while (size < length) {
      const next = await bytes.next()
      if (next.done) break
      parts.push(next.value)
      size += next.value.length
    }
    buffered = parts.length > 1 ? Buffer.concat(parts) : buffered
    return buffered.length >= length
  }

  return {
    async readBytes(length: number): Promise<Buffer> {
      if (!(await fill(length)))
        throw new BackupError('It ends in the middle: it was not written or copied to its end.')
      const piece = buffered.subarray(0, length)
      buffered = buffered.subarray(length)
      return piece
    },
    isAtEnd: async (): Promise<boolean> => !(await fill(1)),
  }
}
export type ByteReader = ReturnType<typeof makeByteReader>

export function encodeLength(length: number): Buffer {
  const four = Buffer.alloc(4)
  four.writeUInt32BE(length)
  return four
}
