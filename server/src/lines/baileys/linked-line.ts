import { setTimeout as pause } from 'node:timers/promises'
import { jidNormalizedUser, type WAMessageKey, type WASocket } from 'baileys'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { isTransientError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { InboundEvent, Line, LineListener, LineRow } from '../line.ts'
import { makeChatAddresses } from './chats/chat-addresses.ts'
import { makeGroupCache } from './chats/group-cache.ts'
import { makeLastMessages } from './chats/last-messages.ts'
import { makePastMessages } from './chats/past-messages.ts'
import { makePhoneBook } from './chats/phone-book.ts'
import { toCallEvent } from './inbound/calls.ts'
import { jidUser, makeMessageInterpreter } from './inbound/message-interpreter.ts'
import { toPictureEvents } from './inbound/picture-changes.ts'
import { makePolls } from './inbound/polls.ts'
import { toAckEvents } from './inbound/receipts.ts'
import { makeKeyCache } from './keys/key-cache.ts'
import { makeKeyRows } from './keys/key-rows.ts'
import { patchLibrary } from './link/library-patches.ts'
import { defaultLinkedTimings, type LinkedTimings, makePhoneLink } from './link/phone-link.ts'
import { makeAcknowledgements } from './outbound/acknowledgement.ts'
import { makeDeskPresence } from './outbound/desk-presence.ts'
import { makeGroupReads } from './outbound/group-reads.ts'
import { makeLinkedActions, readOwnIdentity } from './outbound/linked-actions.ts'
import { makeResendStore } from './outbound/resend-store.ts'

export type LinkedLineDeps = {
  deps: Deps
  log: Log
  url?: string | undefined
  pace?: Partial<LinkedTimings> | undefined
}

/** Shared by all lines of this process. */
const keyCache = makeKeyCache()
/** WhatsApp acknowledges a message within this time, or the connection is broken. */
const ackTimeoutMs = 20_000
/** WhatsApp sends acknowledgements and calls once: retry interval while the database fails, and the buffer limit. */
const journalRetryMs = 250
const maxWaitingEvents = 5000

/** The provider `beta`: a phone that linked this server as one of its devices. */
export function makeLinkedLine(
  { deps: means, log, url, ...given }: LinkedLineDeps,
  row: LineRow,
  ears: LineListener,
): Line {
  patchLibrary()
  const scope = new Scope(means, { companyId: row.companyId })
  const pace = { ...defaultLinkedTimings, ...given.pace }
  const rows = makeKeyRows(means, row)
  const book = makePhoneBook(rows, log)
  const addresses = makeChatAddresses()
  const attendance = makeDeskPresence()
  const authors = makeGroupAuthors()
  const acknowledgements = makeAcknowledgements(ackTimeoutMs)
  let waiting = 0
  async function insist(events: InboundEvent[]): Promise<void> {
    waiting += events.length
    for (;;)
      try {
        await ears.receive(events)
        break
      } catch (err) {
        if (!isTransientError(err) || waiting > maxWaitingEvents) {
          log.warn({ err, line: row.id }, 'an event was not journalled')
          break
        }
        await pause(journalRetryMs, undefined, { ref: false })
      }
    waiting -= events.length
  }
  const hear = (events: InboundEvent[]) => {
    if (events.length) void insist(events)
  }

  const groups = makeGroupCache((jid, name) => hear([toGroupRenamedEvent(jid, name, means.clock.now())]))
  let current: WASocket | undefined
  const phoneOf = async (sock: WASocket, lid: string) => {
    const pn = await sock.signalRepository.lidMapping.getPNForLID(lid)
    return pn ? jidNormalizedUser(pn) : undefined
  }
  const groupReads = makeGroupReads({
    ...{ deps: means, row, listener: ears, log },
    async nameOf(jid) {
      const member = jidNormalizedUser(jid)
      const user = jidUser((current && member.endsWith('@lid') && (await phoneOf(current, member))) || member)
      const me = current ? readOwnIdentity(current) : { phone: '' }
      return user === me.phone || user === me.lid ? '' : user
    },
  })

  const polls = makePolls(rows, log)
  const understanding = (sock: () => WASocket) =>
    makeMessageInterpreter({
      ...{ deps: means, row, log, polls },
      me: () => readOwnIdentity(sock()),
      groupName: (jid) => groups.name(sock(), jid),
      phoneOf: (lid) => phoneOf(sock(), lid),
      onSender(key) {
        if (key.remoteJid) addresses.rememberSender(key.remoteJid, key.remoteJidAlt)
        authors.record(key)
      },
      onOwnGroupMessage: (chat, id) =>
        void groups.countRecipients(sock(), chat).then((members) => groupReads.recordSend(id, members)),
    })
  const sentBefore = makeResendStore(means, row, rows, log)
  const heads = makeLastMessages(rows, log)
  const past = makePastMessages({
    listener: ears,
    lastMessages: heads,
    addresses,
    pace,
    log,
    pastReader: (sock) => understanding(() => sock).interpretPast,
  })

  const link = makePhoneLink({
    ...{ scope, row, listener: ears, log, rows, cache: keyCache, pace, url, makeInterpreter: understanding },
    getMessage: sentBefore.getMessage,
    cachedGroupMetadata: groups.cached,
    onSocketOpened(sock) {
      acknowledgements.listen(sock)
      groups.listen(sock)
      listen(sock)
    },
  })

  function listen(sock: WASocket): void {
    current = sock
    sock.ws.on('CB:receipt', (stanza) => {
      hear(toAckEvents(stanza))
      groupReads.handleReceipt(stanza)
    })
    sock.ev.on('call', (calls) => hear(calls.flatMap((call) => toCallEvent(call) ?? [])))
    sock.ev.on('contacts.upsert', (contacts) => book.store(contacts))
    sock.ev.on('contacts.update', (changes) => hear(toPictureEvents(changes, means.clock.now())))
    sock.ev.on('messaging-history.set', (told) => {
      book.store(told.contacts)
      past.handleHistory(sock, told)
    })
    sock.ev.on('presence.update', ({ id, presences }) => {
      for (const { lastKnownPresence } of Object.values(presences))
        ears.reportTyping(id, lastKnownPresence === 'composing' || lastKnownPresence === 'recording')
    })
    sock.ev.on('connection.update', ({ connection }) => {
      if (connection !== 'close') return
      acknowledgements.rejectAll()
      past.lost()
      attendance.reset()
    })
  }

  return {
    ...makeLinkedActions({
      ...{
        requireSocket: link.requireSocket,
        acknowledgements,
        addresses,
        deskPresence: attendance,
        phoneBook: book,
        resendStore: sentBefore,
        groups,
        groupReads,
      },
      phoneOf: (lid) => phoneOf(link.requireSocket(), lid),
      authorOf: authors.authorOf,
    }),
    pastChats: heads.listChats,
    fetchPast: (...asked) => past.request(link.requireSocket(), ...asked),
    start: link.open,
    stop: link.close,
  }
}

/** A new event id each time: the same name may come back. */
const toGroupRenamedEvent = (jid: string, name: string, now: Date): InboundEvent => ({
  kind: 'contact',
  id: `${jid}:name:${now.getTime()}`,
  chat: jid,
  at: now.toISOString(),
  person: {},
  group: { id: jidUser(jid), name },
})

/** Recent authors of group messages: a receipt must name them. */
function makeGroupAuthors() {
  const kept = new Map<string, string>()
  return {
    record({ id, participant }: WAMessageKey): void {
      if (!id || !participant) return
      kept.set(id, participant)
      if (kept.size > 1000) kept.delete(kept.keys().next().value as string)
    },
    authorOf: (id: string): string | undefined => kept.get(id),
  }
}
