import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { limitStreamSize } from './limit-stream.ts'

const streamOf = (bytes: number) => new PassThrough().end(Buffer.alloc(bytes))

it('passes bytes up to the limit, and not a byte more', async () => {
  expect(await buffer(limitStreamSize(10, streamOf(10)))).toHaveLength(10)
  await expect(buffer(limitStreamSize(10, streamOf(11)))).rejects.toThrow('ERR_FILESIZE_OVER_LIMIT')
})

it('lets a stream be destroyed before it is read, and then gives its reader the error', async () => {
  const stop = new AbortController()
  const stream = limitStreamSize(10, streamOf(5), stop.signal)
  await turn()
  stop.abort()
  await turn()
  await expect(buffer(stream)).rejects.toThrow()
})

it('accepts an aborted signal: a later reader gets the error, and nothing crashes until then', async () => {
  const hurt: unknown[] = []
  const note = (error: unknown) => hurt.push(error)
  process.on('uncaughtException', note)
  const stream = limitStreamSize(10, streamOf(5), AbortSignal.abort())
  for (let n = 0; n < 5; n++) await turn()
  process.off('uncaughtException', note)
  expect(hurt).toEqual([])
  await expect(buffer(stream)).rejects.toThrow('aborted')
})
