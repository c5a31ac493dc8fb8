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
const empty: CachedThread = { messages: [], hasMore: false, unread: 0, readAt: 0 }

it('what the server stored for us while a page was on its way stays, though that page does not have it', async () => {
  const client = new QueryClient()
  keepThreadCached(client, chat)
  client.setQueryData(threadKey(1), empty)
  const { promise, resolve } = Promise.withResolvers<LoadedMessages>()
  const reading = readWithThreadNews(
    () => promise,
    (loaded, news) => applyThreadNews(loaded, chat, news),
  )
  applyToCachedThreads(client, { action: 'stored', message: sampleStoredMessage(sampleEntry('ours')) })
  expect(client.getQueryData<CachedThread>(threadKey(1))?.messages).toHaveLength(1)
  resolve(empty)
  expect((await reading).messages.map((one) => one.clientId)).toEqual(['ours'])
})

it('its news may come first, and is newer', () => {
  const stored = sampleStoredMessage(sampleEntry('ours'))
  const newer = { ...empty, messages: [{ ...stored, ack: 3 }] }
  expect(applyThreadNews(newer, chat, { action: 'stored', message: stored })).toBe(newer)
})

it('what is done to a message here stands until it is answered, whatever is said of it meanwhile', () => {
  const client = new QueryClient()
  keepThreadCached(client, chat)
  const stored = { ...sampleStoredMessage(sampleEntry('ours')), body: 'before', ack: 1 }
  client.setQueryData(threadKey(1), { ...empty, messages: [stored] })
  const shown = () => client.getQueryData<CachedThread>(threadKey(1))?.messages.map(({ body, ack }) => [body, ack])
  const end = addOptimisticChange(stored.id, { body: 'after' })
  applyToCachedThreads(client, { action: 'update', message: { ...stored, ack: 2 } })
  expect(shown()).toEqual([['after', 2]])
  end()
  applyToCachedThreads(client, { action: 'update', message: { ...stored, ack: 3 } })
  expect(shown()).toEqual([['before', 3]])
})

it('what a ticket that left their sight brought along goes, also from the page that is just on its way', async () => {
  const client = new QueryClient()
  keepThreadCached(client, chat)
  keepThreadCached(client, { ...chat, ticketId: 9 })
  const message = sampleStoredMessage(sampleEntry('ours'))
  const [own, others] = [
    { ...message, id: '1', ticketId: 1 },
    { ...message, id: '2', ticketId: 9 },
  ]
  const both = { ...empty, messages: [own, others] }
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
  // Its own conversation is left by who no longer sees it.
  expect(client.getQueryData<CachedThread>(threadKey(9))?.messages).toHaveLength(2)
})
