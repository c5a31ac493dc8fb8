import { expect, test } from 'vitest'
import { runInOrder } from './run-in-order.ts'

test('sends two messages in their order, even when the first takes long', async () => {
  const log: string[] = []
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const first = runInOrder(1, async () => {
    await answered
    log.push('first')
  })
  const second = runInOrder(1, async () => void log.push('second'))
  await runInOrder(2, async () => void log.push('elsewhere'))
  expect(log).toEqual(['elsewhere'])
  answer()
  await Promise.all([first, second])
  expect(log).toEqual(['elsewhere', 'first', 'second'])
})

test('does not block later messages when one fails', async () => {
  const log: string[] = []
  const lost = runInOrder(3, () => Promise.reject(new Error('no network')))
  const after = runInOrder(3, async () => void log.push('after'))
  await expect(lost).rejects.toThrow('no network')
  await after
  expect(log).toEqual(['after'])
})
