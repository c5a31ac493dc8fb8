import { expect, it, vi } from 'vitest'
import { makeLog } from './log.ts'
import { warnWhileWaiting } from './startup-progress.ts'

it('logs repeatedly what a slow start waits for, and nothing if the start is quick', async () => {
  const lines: string[] = []
  const log = makeLog('warn', { write: (line) => void lines.push(line) })
  expect(await warnWhileWaiting(log, 'what is there', Promise.resolve(1), 5)).toBe(1)
  const { promise, resolve } = Promise.withResolvers<string>()
  const waiting = warnWhileWaiting(log, 'the tables', promise, 5)
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(2))
  resolve('up to date')
  expect(await waiting).toBe('up to date')
  const told = lines.length
  expect(new Set(lines.map((line) => JSON.parse(line).msg))).toEqual(
    new Set(['still starting, waiting for: the tables']),
  )
  await expect(warnWhileWaiting(log, 'a port', Promise.reject(new Error('EADDRINUSE')), 5)).rejects.toThrow(
    'EADDRINUSE',
  )
  expect(lines.length).toBe(told)
})
