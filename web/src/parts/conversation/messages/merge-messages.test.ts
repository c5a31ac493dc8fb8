import type { Message } from '@recado/contract/messages'
import { describe, expect, it } from 'vitest'
import { sampleMessage as message } from '../../message/sample-message.ts'
import {
  compareMessages,
  insertMessage,
  type LoadedMessages,
  markMessagesRead,
  mergeNewestPages,
  nextOlderPageNumber,
  prependOlderPage,
  trimToNewestPage,
  updateMessage,
} from './merge-messages.ts'

const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => message(from + i))
const ids = ({ messages }: LoadedMessages) => messages.map((one) => Number(one.id))
/** The server's response: pages of twenty, newest first. */
const pageOf = (all: Message[], number: number): LoadedMessages => {
  const end = all.length - (number - 1) * 20
  return { messages: all.slice(Math.max(0, end - 20), Math.max(0, end)), hasMore: end > 20 }
}

describe('live events', () => {
  const loaded = { messages: run(10, 12), hasMore: true }

  it('inserts a new message at its position', () => {
    expect(ids(insertMessage(loaded, message(13)))).toEqual([10, 11, 12, 13])
    const late = message(99, { createdAt: message(11).createdAt })
    expect(ids(insertMessage(loaded, late))).toEqual([10, 11, 99, 12])
  })
  it('inserts a message older than all loaded messages only when there are no older pages to load', () => {
    expect(insertMessage(loaded, message(3))).toBe(loaded)
    expect(ids(insertMessage({ ...loaded, hasMore: false }, message(3)))).toEqual([3, 10, 11, 12])
  })
  it('adds the same message only once', () => {
    expect(ids(insertMessage(insertMessage(loaded, message(13)), message(13)))).toEqual([10, 11, 12, 13])
  })
  it('replaces only the messages that changed', () => {
    const after = updateMessage(loaded, message(11, { body: 'otra cosa', isEdited: true }))
    expect(after.messages.map((one) => one.body)).toEqual(['m10', 'otra cosa', 'm12'])
    expect(after.messages[0]).toBe(loaded.messages[0])
    expect(updateMessage(loaded, message(5))).toBe(loaded)
  })
  it('updates replies that quote a changed message', () => {
    const { id, fromMe, body, mediaType, mediaUrl, isDeleted, contact } = message(11)
    const reply = message(13, { quotedMsg: { id, fromMe, body, mediaType, mediaUrl, isDeleted, contact } })
    const after = updateMessage(insertMessage(loaded, reply), message(11, { body: '', isDeleted: true }))
    expect(after.messages.at(-1)?.quotedMsg).toMatchObject({ body: '', isDeleted: true })
  })
  it('sorts messages by the numeric value of their ids', () => {
    const at = message(1).createdAt
    expect(compareMessages(message(9, { createdAt: at }), message(10, { createdAt: at }))).toBeLessThan(0)
  })
})

describe('pages of a conversation', () => {
  it('loads a whole conversation, also while messages arrive', () => {
    let all = run(1, 103)
    let loaded = pageOf(all, 1)
    for (let came = 0; loaded.hasMore; came++) {
      loaded = prependOlderPage(loaded, pageOf(all, nextOlderPageNumber(loaded)))
      if (came >= 3) continue
      const fresh = message(200 + came)
      all = [...all, fresh]
      loaded = insertMessage(loaded, fresh)
    }
    expect(loaded.messages).toEqual(all)
  })
  it('reloads the newest page without losing older pages', () => {
    const all = run(1, 60)
    const before = prependOlderPage(pageOf(all, 1), pageOf(all, 2))
    const now = [...all.slice(0, 59), message(60, { ack: 4 }), message(61)]
    const after = mergeNewestPages(before, pageOf(now, 1))
    expect(ids(after)).toEqual(ids({ messages: run(21, 61), hasMore: true }))
    expect(after.messages.at(-2)?.ack).toBe(4)
    expect(after.messages.at(-3)).toBe(before.messages.at(-2))
  })
  it('keeps only the reloaded pages when there is a gap to the older messages', () => {
    const before = { messages: run(1, 20), hasMore: false }
    const fresh = pageOf(run(1, 90), 1)
    expect(mergeNewestPages(before, fresh)).toBe(fresh)
  })
  it('removes messages that the server no longer has', () => {
    expect(
      ids(mergeNewestPages({ messages: run(1, 5), hasMore: false }, { messages: run(2, 5), hasMore: false })),
    ).toEqual([2, 3, 4, 5])
  })
  it('keeps only the newest page of an inactive conversation', () => {
    expect(trimToNewestPage({ messages: run(1, 45), hasMore: false })).toEqual({ messages: run(26, 45), hasMore: true })
  })
  it('marks messages the agent has opened as read', () => {
    const loaded = { messages: [message(1, { read: false }), message(2, { read: false, ticketId: 7 })], hasMore: false }
    expect(markMessagesRead(loaded, 1).messages.map((one) => one.read)).toEqual([true, false])
    expect(markMessagesRead(markMessagesRead(loaded, 1), 1)).toEqual(markMessagesRead(loaded, 1))
  })
})
