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
import { makeUnreadableGuard } from './inbound/unreadable-guard.ts'
import { makeKeyCache } from './keys/key-cache.ts'
import { makeKeyRows } from './keys/key-rows.ts'
import { watchStore } from './keys/watched-store.ts'
import { patchLibrary } from './link/library-patches.ts'
import { defaultLinkedTimings, type LinkedTimings, makePhoneLink } from './link/phone-link.ts'
import type { WebVersions } from './link/web-version.ts'
import { makeAcknowledgements } from './outbound/acknowledgement.ts'
import { makeDeskPresence } from './outbound/desk-presence.ts'
import { makeGroupReads } from './outbound/group-reads.ts'
import { makeLinkedActions, readOwnIdentity } from './outbound/linked-actions.ts'
import { explainReachOutRefusal, reachOutLockEnd } from './outbound/reach-out-lock.ts'
import { makeResendStore } from './outbound/resend-store.ts'

export type LinkedLineDeps = {
  deps: Deps
  log: Log
  url?: string | undefined
  versions: WebVersions
  pace?: Partial<LinkedTimings> | undefined
}

/** A person has signed with a passkey, or decided, in another process: `checkPasskey` looks for it. */
export type LinkedLine = Line & { checkPasskey(): void }

/** The key cache, shared by all lines of this process. */
const keyCache = makeKeyCache()
/** WhatsApp acknowledges a message within this time, or the connection is broken. */
const ackTimeoutMs = 20_000
/** WhatsApp sends acknowledgements and calls only once: while the database fails they are buffered and retried. */
const journalRetryMs = 250
const maxWaitingEvents = 5000

/** The provider `beta`: this server is linked to a phone as one of its devices. */
export function makeLinkedLine(
  { deps, log, url, versions, ...options }: LinkedLineDeps,
  row: LineRow,
  listener: LineListener,
): LinkedLine {
  patchLibrary()
  const scope = new Scope(deps, { companyId: row.companyId })
  const pace = { ...defaultLinkedTimings, ...options.pace }
  const store = watchStore(deps)
  const rows = makeKeyRows(store, row)
  const phoneBook = makePhoneBook(rows, log)
  const addresses = makeChatAddresses()
  const deskPresence = makeDeskPresence()
  const authors = makeGroupAuthors()
  const acknowledgements = makeAcknowledgements(ackTimeoutMs)
  let waitingEvents = 0
  async function receiveWithRetry(events: InboundEvent[]): Promise<void> {
    waitingEvents += events.length
    for (;;)
      try {
        await listener.receive(events)
        break
      } catch (err) {
        if (!isTransientError(err) || waitingEvents > maxWaitingEvents) {
          log.warn({ err, line: row.id }, 'could not journal an event')
          break
        }
        await pause(journalRetryMs, undefined, { ref: false })
      }
    waitingEvents -= events.length
  }
  const receive = (events: InboundEvent[]) => {
    if (events.length) void receiveWithRetry(events)
  }

  const groups = makeGroupCache((jid, name) => receive([toGroupRenamedEvent(jid, name, deps.clock.now())]))
  let currentSocket: WASocket | undefined
  const phoneOf = async (sock: WASocket, lid: string) => {
    const pn = await sock.signalRepository.lidMapping.getPNForLID(lid)
    return pn ? jidNormalizedUser(pn) : undefined
  }
  const groupReads = makeGroupReads({
    ...{ deps: deps, row, listener: listener, log },
    async nameOf(jid) {
      const member = jidNormalizedUser(jid)
      const user = jidUser(
        (currentSocket && member.endsWith('@lid') && (await phoneOf(currentSocket, member))) || member,
      )
      const me = currentSocket ? readOwnIdentity(currentSocket) : { phone: '' }
      return user === me.phone || user === me.lid ? '' : user
    },
  })

  const polls = makePolls(rows, log)
  const makeInterpreter = (sock: () => WASocket) =>
    makeMessageInterpreter({
      ...{ deps: store.deps, row, log, polls },
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
  const reportUnreadable = (since: Date | null) =>
    void listener
      .reportUnreadable(since)
      .catch((err) => log.warn({ err, line: row.id }, 'could not store the unreadable messages of a line'))
  const unreadable = makeUnreadableGuard({
    clock: deps.clock,
    onFloodChange(since) {
      if (since) log.warn({ line: row.id }, 'many messages cannot be decrypted: not all are requested again')
      reportUnreadable(since)
    },
  })
  const resendStore = makeResendStore(deps, row, rows, log)
  const lastMessages = makeLastMessages(rows, log)
  const pastMessages = makePastMessages({
    listener: listener,
    lastMessages: lastMessages,
    addresses,
    pace,
    log,
    pastReader: (sock) => makeInterpreter(() => sock).interpretPast,
  })

  const link = makePhoneLink({
    ...{
      scope,
      row,
      listener: listener,
      log,
      store,
      rows,
      cache: keyCache,
      pace,
      url,
      versions,
      makeInterpreter: makeInterpreter,
      unreadable,
    },
    getMessage: resendStore.getMessage,
    cachedGroupMetadata: groups.cached,
    onSocketOpened(sock) {
      acknowledgements.listen(sock)
      groups.listen(sock)
      listen(sock)
    },
  })

  function listen(sock: WASocket): void {
    currentSocket = sock
    sock.ws.on('CB:receipt', (stanza) => {
      receive(toAckEvents(stanza))
      groupReads.handleReceipt(stanza)
    })
    sock.ev.on('call', (calls) => receive(calls.flatMap((call) => toCallEvent(call) ?? [])))
    sock.ev.on('contacts.upsert', (contacts) => phoneBook.store(contacts))
    sock.ev.on('contacts.update', (changes) => receive(toPictureEvents(changes, deps.clock.now())))
    sock.ev.on('messaging-history.set', (history) => {
      phoneBook.store(history.contacts)
      pastMessages.handleHistory(sock, history)
    })
    sock.ev.on('presence.update', ({ id, presences }) => {
      for (const { lastKnownPresence } of Object.values(presences))
        listener.reportTyping(id, lastKnownPresence === 'composing' || lastKnownPresence === 'recording')
    })
    sock.ev.on('connection.update', ({ connection, reachoutTimeLock }) => {
      if (reachoutTimeLock)
        listener
          .reportReachOutLock(reachOutLockEnd(reachoutTimeLock, deps.clock.now()))
          .catch((err) => log.warn({ err, line: row.id }, 'could not store the lock of a line'))
      // A process that crashed during a flood could not report its end.
      if (connection === 'open' && !unreadable.isFlooded()) reportUnreadable(null)
      if (connection !== 'close') return
      acknowledgements.rejectAll()
      pastMessages.lost()
      deskPresence.reset()
    })
  }

  return {
    ...makeLinkedActions({
      ...{
        requireSocket: link.requireSocket,
        acknowledgements,
        addresses,
        deskPresence: deskPresence,
        phoneBook: phoneBook,
        resendStore: resendStore,
        groups,
        groupReads,
      },
      phoneOf: (lid) => phoneOf(link.requireSocket(), lid),
      explainRefusal: (error, sock) =>
        explainReachOutRefusal(error, sock, deps.clock.now(), listener.reportReachOutLock),
      authorOf: authors.authorOf,
    }),
    pastChats: lastMessages.listChats,
    fetchPast: (...asked) => pastMessages.request(link.requireSocket(), ...asked),
    start: link.open,
    checkPasskey: link.checkPasskey,
    async stop() {
      unreadable.stop()
      await link.close()
    },
  }
}

/** The event gets a new id each time, because a group can get an earlier name again. */
const toGroupRenamedEvent = (jid: string, name: string, now: Date): InboundEvent => ({
  kind: 'contact',
  id: `${jid}:name:${now.getTime()}`,
  chat: jid,
  at: now.toISOString(),
  person: {},
  group: { id: jidUser(jid), name },
})

/** Remembers the authors of recent group messages, because a read receipt must name the author. */
function makeGroupAuthors() {
  const authorsById = new Map<string, string>()
  return {
    record({ id, participant }: WAMessageKey): void {
      if (!id || !participant) return
      authorsById.set(id, participant)
      if (authorsById.size > 1000) authorsById.delete(authorsById.keys().next().value as string)
    },
    authorOf: (id: string): string | undefined => authorsById.get(id),
  }
}
