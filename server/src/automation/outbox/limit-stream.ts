import { addAbortSignal, type Readable, Transform } from 'node:stream'
import { AppError } from '../../kernel/errors.ts'

/** Limits a vendor's stream to this many bytes, whatever size was announced. Destroying one stream destroys the other. */
export function limitStreamSize(limit: number, stream: Readable, inTime?: AbortSignal): Readable {
  let size = 0
  const sized = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length
      if (size > limit) next(new AppError('ERR_FILESIZE_OVER_LIMIT'))
      else next(null, chunk)
    },
  })
  // The stream may abort before anybody reads it: without a handler, its error event would end the process.
  sized.on('error', () => {})
  if (inTime) addAbortSignal(inTime, sized)
  stream.on('error', (error) => sized.destroy(error))
  sized.on('close', () => stream.destroy())
  return stream.pipe(sized)
}
