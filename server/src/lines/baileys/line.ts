import { setTimeout as pause } from 'node:timers/promises'
import { jidNormalizedUser, type WAMessageKey, type WASocket } from 'baileys'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { isPassing } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Ears, InboundEvent, Line, LineRow } from '../line.ts'
import { makeAddresses } from './chats/addresses.ts'
import { makeGroups } from './chats/groups.ts'
import { makeHeads } from './chats/heads.ts'
import { makePast } from './chats/past.ts'
import { makePhoneBook } from './chats/phone-book.ts'
import { callOf } from './heard/calls.ts'
import { makePolls } from './heard/polls.ts'
import { portraitsOf } from './heard/portraits.ts'
import { ticksOf } from './heard/ticks.ts'
import { makeUnderstanding, userOf } from './heard/understanding.ts'
import { makeKeyCache } from './keys/cache.ts'
import { makeKeyRows } from './keys/rows.ts'
import { type LinkedPace, makeLink, usualLinkedPace } from './link/link.ts'
import { repairLibrary } from './link/repairs.ts'
import { makeAcknowledgements } from './said/acknowledgement.ts'
import { makeAttendance } from './said/attendance.ts'
import { deskSide, meOf } from './said/deeds.ts'
import { makeGroupReads } from './said/group-reads.ts'
import { makeSentBefore } from './said/sent-before.ts'

export type LinkedGiven = { means: Means; log: Log; url?: string | undefined; pace?: Partial<LinkedPace> | undefined }

/** All lines of this process share it. */
const cache = makeKeyCache()
/** WhatsApp answers a message within this time, or the connection is not what it seems. */
const answerMs = 20_000
/** Ticks and calls WhatsApp tells once: what the database cannot take now is told to it again so soon, and so much of it waits. */
const againMs = 250
const mostWaiting = 5000

/** The provider `beta`: a phone that linked this desk as one of its devices. */
export function makeLinkedLine({ means, log, url, ...given }: LinkedGiven, row: LineRow, ears: Ears): Line {
  repairLibrary()
  const scope = new Scope(means, { companyId: row.companyId })
  const pace = { ...usualLinkedPace, ...given.pace }
  const rows = makeKeyRows(means, row)
  const book = makePhoneBook(rows, log)
  const addresses = makeAddresses()
  const attendance = makeAttendance()
  const authors = makeAuthors()
  const acknowledgements = makeAcknowledgements(answerMs)
  let waiting = 0
  async function insist(events: InboundEvent[]): Promise<void> {
    waiting += events.length
    for (;;)
      try {
        await ears.hear(events)
        break
      } catch (err) {
        if (!isPassing(err) || waiting > mostWaiting) {
          log.warn({ err, line: row.id }, 'an event was not journalled')
          break
        }
        await pause(againMs, undefined, { ref: false })
      }
    waiting -= events.length
  }
  const hear = (events: InboundEvent[]) => {
    if (events.length) void insist(events)
  }

  const groups = makeGroups((jid, name) => hear([renamed(jid, name, means.clock.now())]))
  let current: WASocket | undefined
  const phoneOf = async (sock: WASocket, lid: string) => {
    const pn = await sock.signalRepository.lidMapping.getPNForLID(lid)
    return pn ? jidNormalizedUser(pn) : undefined
  }
  const groupReads = makeGroupReads({
    ...{ means, row, ears, log },
    async nameOf(jid) {
      const member = jidNormalizedUser(jid)
      const user = userOf((current && member.endsWith('@lid') && (await phoneOf(current, member))) || member)
      const me = current ? meOf(current) : { phone: '' }
      return user === me.phone || user === me.lid ? '' : user
    },
  })

  const polls = makePolls(rows, log)
  const understanding = (sock: () => WASocket) =>
    makeUnderstanding({
      ...{ means, row, log, polls },
      me: () => meOf(sock()),
      groupName: (jid) => groups.name(sock(), jid),
      phoneOf: (lid) => phoneOf(sock(), lid),
      met(key) {
        if (key.remoteJid) addresses.heardFrom(key.remoteJid, key.remoteJidAlt)
        authors.met(key)
      },
      typed: (chat, id) => void groups.reach(sock(), chat).then((members) => groupReads.sent(id, members)),
    })
  const sentBefore = makeSentBefore(means, row, rows, log)
  const heads = makeHeads(rows, log)
  const past = makePast({ ears, heads, addresses, pace, log, old: (sock) => understanding(() => sock).old })

  const link = makeLink({
    ...{ scope, row, ears, log, rows, cache, pace, url, understanding },
    getMessage: sentBefore.of,
    cachedGroupMetadata: groups.cached,
    begun(sock) {
      acknowledgements.listen(sock)
      groups.listen(sock)
      listen(sock)
    },
  })

  function listen(sock: WASocket): void {
    current = sock
    sock.ws.on('CB:receipt', (stanza) => {
      hear(ticksOf(stanza))
      groupReads.hear(stanza)
    })
    sock.ev.on('call', (calls) => hear(calls.flatMap((call) => callOf(call) ?? [])))
    sock.ev.on('contacts.upsert', (contacts) => book.learn(contacts))
    sock.ev.on('contacts.update', (changes) => hear(portraitsOf(changes, means.clock.now())))
    sock.ev.on('messaging-history.set', (told) => {
      book.learn(told.contacts)
      past.hear(sock, told)
    })
    sock.ev.on('presence.update', ({ id, presences }) => {
      for (const { lastKnownPresence } of Object.values(presences))
        ears.typing(id, lastKnownPresence === 'composing' || lastKnownPresence === 'recording')
    })
    sock.ev.on('connection.update', ({ connection }) => {
      if (connection !== 'close') return
      acknowledgements.lost()
      past.lost()
      attendance.leave()
    })
  }

  return {
    ...deskSide({
      ...{ up: link.mustBeUp, acknowledgements, addresses, attendance, book, sentBefore, groups, groupReads },
      phoneOf: (lid) => phoneOf(link.mustBeUp(), lid),
      authorOf: authors.of,
    }),
    pastChats: heads.chats,
    fetchPast: (...asked) => past.ask(link.mustBeUp(), ...asked),
    start: link.open,
    stop: link.close,
  }
}

/** Each time is news: the same name may come back. */
const renamed = (jid: string, name: string, now: Date): InboundEvent => ({
  kind: 'contact',
  id: `${jid}:name:${now.getTime()}`,
  chat: jid,
  at: now.toISOString(),
  person: {},
  group: { id: userOf(jid), name },
})

/** Who wrote what in groups, of late: a tick must name them. */
function makeAuthors() {
  const kept = new Map<string, string>()
  return {
    met({ id, participant }: WAMessageKey): void {
      if (!id || !participant) return
      kept.set(id, participant)
      if (kept.size > 1000) kept.delete(kept.keys().next().value as string)
    },
    of: (id: string): string | undefined => kept.get(id),
  }
}
