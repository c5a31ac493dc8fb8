import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { entryOf, storedOf } from '../outgoing/sample-entry.ts'
import type { Loaded } from './merge.ts'
import { type Cached, during, guess, hear, remember, threadKey, withNews } from './thread-cache.ts'

const chat = { ticketId: 1, contactId: 2, whatsappId: 3 }
const empty: Cached = { messages: [], hasMore: false, unread: 0, readAt: 0 }

it('what the server stored for us while a page was on its way stays, though that page does not have it', async () => {
  const client = new QueryClient()
  remember(client, chat)
  client.setQueryData(threadKey(1), empty)
  const { promise, resolve } = Promise.withResolvers<Loaded>()
  const reading = during(
    () => promise,
    (loaded, news) => withNews(loaded, chat, news),
  )
  hear(client, { action: 'stored', message: storedOf(entryOf('ours')) })
  expect(client.getQueryData<Cached>(threadKey(1))?.messages).toHaveLength(1)
  resolve(empty)
  expect((await reading).messages.map((one) => one.clientId)).toEqual(['ours'])
})

it('its news may come first, and is newer', () => {
  const stored = storedOf(entryOf('ours'))
  const newer = { ...empty, messages: [{ ...stored, ack: 3 }] }
  expect(withNews(newer, chat, { action: 'stored', message: stored })).toBe(newer)
})

it('what is done to a message here stands until it is answered, whatever is said of it meanwhile', () => {
  const client = new QueryClient()
  remember(client, chat)
  const stored = { ...storedOf(entryOf('ours')), body: 'before', ack: 1 }
  client.setQueryData(threadKey(1), { ...empty, messages: [stored] })
  const shown = () => client.getQueryData<Cached>(threadKey(1))?.messages.map(({ body, ack }) => [body, ack])
  const end = guess(stored.id, { body: 'after' })
  hear(client, { action: 'update', message: { ...stored, ack: 2 } })
  expect(shown()).toEqual([['after', 2]])
  end()
  hear(client, { action: 'update', message: { ...stored, ack: 3 } })
  expect(shown()).toEqual([['before', 3]])
})

it('what a ticket that left their sight brought along goes, also from the page that is just on its way', async () => {
  const client = new QueryClient()
  remember(client, chat)
  remember(client, { ...chat, ticketId: 9 })
  const message = storedOf(entryOf('ours'))
  const [own, others] = [
    { ...message, id: '1', ticketId: 1 },
    { ...message, id: '2', ticketId: 9 },
  ]
  const both = { ...empty, messages: [own, others] }
  for (const ticketId of [1, 9]) client.setQueryData(threadKey(ticketId), both)
  const { promise, resolve } = Promise.withResolvers<Loaded>()
  const reading = during(
    () => promise,
    (loaded, news) => withNews(loaded, chat, news),
  )
  hear(client, { action: 'left', ticketId: 9 })
  resolve(both)
  expect((await reading).messages).toEqual([own])
  expect(client.getQueryData<Cached>(threadKey(1))?.messages).toEqual([own])
  // Its own conversation is left by who no longer sees it.
  expect(client.getQueryData<Cached>(threadKey(9))?.messages).toHaveLength(2)
})
