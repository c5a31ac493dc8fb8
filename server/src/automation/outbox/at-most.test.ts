import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { atMost } from './at-most.ts'

const given = (bytes: number) => new PassThrough().end(Buffer.alloc(bytes))

it('gives what is allowed, and not a byte more', async () => {
  expect(await buffer(atMost(10, given(10)))).toHaveLength(10)
  await expect(buffer(atMost(10, given(11)))).rejects.toThrow('ERR_FILESIZE_OVER_LIMIT')
})

it('may be ended before anybody reads it, and tells who reads it then', async () => {
  const stop = new AbortController()
  const stream = atMost(10, given(5), stop.signal)
  await turn()
  stop.abort()
  await turn()
  await expect(buffer(stream)).rejects.toThrow()
})
