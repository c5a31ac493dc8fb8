import { addAbortSignal, type Readable, Transform } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'

/** What a vendor sends, as long as is allowed and not a byte more, whatever they said of its size. One ends with the other. */
export function limitStreamSize(limit: number, stream: Readable, inTime?: AbortSignal): Readable {
  let size = 0
  const sized = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length
      if (size > limit) next(new AppError('ERR_FILESIZE_OVER_LIMIT'))
      else next(null, chunk)
    },
  })
  // Its time may be over before anybody reads it, even before it begins: an error without a listener ends the process.
  sized.on('error', () => {})
  if (inTime) addAbortSignal(inTime, sized)
  stream.on('error', (error) => sized.destroy(error))
  sized.on('close', () => stream.destroy())
  return stream.pipe(sized)
}
