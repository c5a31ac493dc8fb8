import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type BaileysEventMap,
  isLidUser,
  isPnUser,
  jidDecode,
  jidNormalizedUser,
  proto,
  type WAMessage,
  type WASocket,
} from 'baileys'
import type { Log } from '../../../kernel/log.ts'
import type { ChatId, InboundEvent, InboundMessage, LineListener, PastCursor, PastMessage } from '../../line.ts'
import { jidToIdentity } from '../inbound/parse-message.ts'
import type { ChatAddresses } from './chat-addresses.ts'
import type { LastMessages } from './last-messages.ts'

/** `pastIntervalMs`: pause between two requests, plus or minus up to half; `pastTimeoutMs`: timeout for the phone's answer. */
export type PastTimings = { pastIntervalMs: number; pastTimeoutMs: number }
export const defaultPastTimings: PastTimings = { pastIntervalMs: 2_000, pastTimeoutMs: 20_000 }
/** A phone returns at most this many messages per request. */
const maxMessagesPerRequest = 50

type ReadMessage = (message: WAMessage) => Promise<InboundMessage | undefined>
type HistorySet = BaileysEventMap['messaging-history.set']
type PastMessagesDeps = {
  listener: LineListener
  lastMessages: LastMessages
  addresses: ChatAddresses
  pace: PastTimings
  log: Log
  pastReader(sock: WASocket): ReadMessage
}
const { ON_DEMAND } = proto.HistorySync.HistorySyncType
const acks = [2, 3, 4, 5] as const

type PastRequest = {
  names: Set<string>
  /** The request id. Known once the request was sent; an answer may come before that. */
  id?: string
  /** The request ids of answers about other chats. */
  otherIds: Set<string>
  answered: () => void
  lost: (why: Error) => void
}

/** Requests history from before the phone was linked, chat by chat, one request at a time. */
export function makePastMessages({ listener, lastMessages, addresses, pace, log, pastReader }: PastMessagesDeps) {
  let pendingRequest: PastRequest | undefined

  /** Handles history that the phone sends without a request, and its answers; a late answer is used as well. */
  function handleHistory(sock: WASocket, history: HistorySet): void {
    if (history.syncType === ON_DEMAND) handleAnswer(sock, history)
    else lastMessages.store(history.chats)
  }

  /**
   * Finds the request that an answer belongs to. The library omits messages that it has delivered before: an answer
   * without a chat belongs to the last request. After a reconnect it merges a late answer with the next one, under the
   * id of the newer request: then only that id identifies it.
   */
  function handleAnswer(sock: WASocket, history: HistorySet): void {
    const request = pendingRequest
    journalHistory(sock, history)
      .then((chats) => {
        const fits = [...history.chats.map(({ id }) => id ?? ''), ...chats].some((name) => request?.names.has(name))
        const id = history.peerDataRequestSessionId
        if (fits || !history.chats.length || (id && id === request?.id)) request?.answered()
        else if (id) request?.otherIds.add(id)
      })
      .catch((err) => {
        log.warn({ err }, 'could not journal old messages')
        request?.lost(err as Error)
      })
  }

  /** Resolves when the history is journalled; returns the chats that it was about. */
  async function journalHistory(sock: WASocket, { messages, chats }: HistorySet): Promise<ChatId[]> {
    const read = pastReader(sock)
    const pastMessages = await Promise.all(messages.map((message) => readPastMessage(read, message)))
    const byChat = Map.groupBy(
      pastMessages.filter((one) => one !== undefined),
      ({ chat }) => chat,
    )
    const [only] = chats
    const name = chats.length === 1 ? only?.displayName || only?.name || '' : ''
    const events = [...byChat].map(([chat, all]) => toPastEvent(chat, all, name))
    if (events.length) await listener.receive(events)
    return [...byChat.keys()]
  }

  async function readPastMessage(read: ReadMessage, message: WAMessage): Promise<PastMessage | undefined> {
    const { key, participant, status } = message
    if (participant) key.participant ||= participant
    const inboundMessage = await read(message)
    const ack = acks.find((one) => one === status)
    const reactions = readReactions(message, inboundMessage)
    return (
      inboundMessage && {
        ...inboundMessage,
        ...(inboundMessage.fromMe && ack && { ack }),
        ...(reactions.length && { reactions }),
      }
    )
  }

  /** Without a cursor, starts from the last message that the phone sent when it was linked, and includes that message. */
  async function startCursor(sock: WASocket, chat: ChatId, before: PastCursor | null) {
    if (before) {
      const address = await findHistoryAddress(sock, addresses.addressOf(chat))
      return { key: { remoteJid: address, id: before.id, fromMe: before.fromMe }, ms: Date.parse(before.at) }
    }
    const head = await lastMessages.find(chat)
    const inboundMessage = head && (await readPastMessage(pastReader(sock), head))
    if (!head || !inboundMessage) return null
    await listener.receive([toPastEvent(inboundMessage.chat, [inboundMessage], '')])
    return { key: head.key, ms: Date.parse(inboundMessage.at) }
  }

  async function requestPast(
    sock: WASocket,
    chat: ChatId,
    before: PastCursor | null,
    ended: AbortSignal,
  ): Promise<boolean> {
    const cursor = await startCursor(sock, chat, before)
    // Without a message to start from, the request counts as answered.
    if (!cursor || ended.aborted) return true
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    promise.catch(() => {})
    const own = jidNormalizedUser(cursor.key.remoteJid ?? '')
    const request: PastRequest = {
      ...{ names: new Set([chat, own]), otherIds: new Set() },
      ...{ answered: () => resolve(true), lost: reject },
    }
    pendingRequest = request
    const stop = () => resolve(true)
    ended.addEventListener('abort', stop)
    const timer = setTimeout(() => resolve(false), pace.pastTimeoutMs)
    try {
      const sending = sock.fetchMessageHistory(maxMessagesPerRequest, cursor.key, cursor.ms).then((id) => {
        request.id = id
        if (request.otherIds.has(id)) request.answered()
      })
      await Promise.race([sending, promise])
      const answered = await promise
      await pause(pace.pastIntervalMs * (0.5 + Math.random()), undefined, { signal: ended }).catch(() => {})
      return answered
    } finally {
      clearTimeout(timer)
      ended.removeEventListener('abort', stop)
      // The next connection may already have made another request.
      if (pendingRequest === request) pendingRequest = undefined
    }
  }

  return {
    handleHistory: handleHistory,
    request: requestPast,
    /** Fails the pending request, which gets no answer because the connection ended. */
    lost: (): void => pendingRequest?.lost(new Error('the connection ended')),
  }
}

/** The reactions to a message, one per person; a removed reaction is left out. */
function readReactions(
  { reactions }: WAMessage,
  inboundMessage: InboundMessage | undefined,
): NonNullable<PastMessage['reactions']> {
  return (reactions ?? []).flatMap(({ key, text }) => {
    if (!text || !inboundMessage) return []
    const fromMe = Boolean(key?.fromMe)
    const { phone, lid } = key?.participant ? jidToIdentity(key.participant) : inboundMessage.person
    const from = fromMe ? '' : (phone ?? lid ?? '')
    return [{ emoji: text, fromMe, from, name: fromMe || inboundMessage.group ? '' : inboundMessage.pushName }]
  })
}

/** The event gets a new id each time: duplicates are detected by the ids of its messages. */
const toPastEvent = (chat: ChatId, messages: PastMessage[], name: string): InboundEvent => ({
  kind: 'past',
  id: randomUUID(),
  chat,
  at: messages[0]?.at ?? new Date().toISOString(),
  name,
  messages,
})

/** Phones store a conversation under the hidden id once they know it. */
async function findHistoryAddress(sock: WASocket, address: string): Promise<string> {
  if (isLidUser(address) || !isPnUser(address)) return address
  const user = jidDecode(address)?.user ?? ''
  const lid = (await sock.authState.keys.get('lid-mapping', [user]))[user]
  return lid ? `${lid}@lid` : address
}
