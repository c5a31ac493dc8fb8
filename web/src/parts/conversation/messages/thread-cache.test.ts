import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { sampleEntry, sampleStoredMessage } from '../outgoing/sample-entry.ts'
import type { LoadedMessages } from './merge-messages.ts'
import {
  addOptimisticChange,
  applyThreadNews,
  applyToCachedThreads,
  type CachedThread,
  keepThreadCached,
  readWithThreadNews,
  threadKey,
} from './thread-cache.ts'

const chat = { ticketId: 1, contactId: 2, whatsappId: 3 }
const emptyThread: CachedThread = { messages: [], hasMore: false, unread: 0, readAt: 0 }

it('keeps a message stored during a page request that does not contain it', async () => {
  const client = new QueryClient()
  keepThreadCached(client, chat)
  client.setQueryData(threadKey(1), emptyThread)
  const { promise, resolve } = Promise.withResolvers<LoadedMessages>()
  const reading = readWithThreadNews(
    () => promise,
    (loaded, news) => applyThreadNews(loaded, chat, news),
  )
  applyToCachedThreads(client, { action: 'stored', message: sampleStoredMessage(sampleEntry('ours')) })
  expect(client.getQueryData<CachedThread>(threadKey(1))?.messages).toHaveLength(1)
  resolve(emptyThread)
  expect((await reading).messages.map((one) => one.clientId)).toEqual(['ours'])
})

it('applies an event that arrives before the response as the newer state', () => {
  const stored = sampleStoredMessage(sampleEntry('ours'))
  const newer = { ...emptyThread, messages: [{ ...stored, ack: 3 }] }
  expect(applyThreadNews(newer, chat, { action: 'stored', message: stored })).toBe(newer)
})

it('keeps a local change until the server responds, even when events arrive in the meantime', () => {
  const client = new QueryClient()
  keepThreadCached(client, chat)
  const stored = { ...sampleStoredMessage(sampleEntry('ours')), body: 'before', ack: 1 }
  client.setQueryData(threadKey(1), { ...emptyThread, messages: [stored] })
  const shown = () => client.getQueryData<CachedThread>(threadKey(1))?.messages.map(({ body, ack }) => [body, ack])
  const end = addOptimisticChange(stored.id, { body: 'after' })
  applyToCachedThreads(client, { action: 'update', message: { ...stored, ack: 2 } })
  expect(shown()).toEqual([['after', 2]])
  end()
  applyToCachedThreads(client, { action: 'update', message: { ...stored, ack: 3 } })
  expect(shown()).toEqual([['before', 3]])
})

it('removes messages of a ticket that is no longer visible, also from a page being loaded', async () => {
  const client = new QueryClient()
  keepThreadCached(client, chat)
  keepThreadCached(client, { ...chat, ticketId: 9 })
  const message = sampleStoredMessage(sampleEntry('ours'))
  const [own, others] = [
    { ...message, id: '1', ticketId: 1 },
    { ...message, id: '2', ticketId: 9 },
  ]
  const both = { ...emptyThread, messages: [own, others] }
  for (const ticketId of [1, 9]) client.setQueryData(threadKey(ticketId), both)
  const { promise, resolve } = Promise.withResolvers<LoadedMessages>()
  const reading = readWithThreadNews(
    () => promise,
    (loaded, news) => applyThreadNews(loaded, chat, news),
  )
  applyToCachedThreads(client, { action: 'left', ticketId: 9 })
  resolve(both)
  expect((await reading).messages).toEqual([own])
  expect(client.getQueryData<CachedThread>(threadKey(1))?.messages).toEqual([own])
  // Users who lose access to a ticket leave its own conversation anyway.
  expect(client.getQueryData<CachedThread>(threadKey(9))?.messages).toHaveLength(2)
})
