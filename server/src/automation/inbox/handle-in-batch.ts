import { type ContactRow, findContactsByKeys } from '../../directory/contacts/contact-store.ts'
import { identityKeyText, toIdentityKeys } from '../../directory/contacts/identity.ts'
import { recognizeContact } from '../../directory/contacts/resolve-contact.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { journalTraceId, runWithTrace } from '../../kernel/trace.ts'
import type { InboundEvent, InboundMessage, LineRow } from '../../lines/line.ts'
import type { Bot } from '../bot-actions/bot.ts'
import { lockUnprocessed, processEvent } from './handle.ts'
import type { JournalEntry } from './journal.ts'

type MessageEntry = JournalEntry & { event: InboundMessage }

const isMessageEntry = (entry: JournalEntry): entry is MessageEntry =>
  entry.event.kind === 'message' &&
  !entry.event.fromMe &&
  !entry.event.group &&
  toIdentityKeys(entry.event.person).length > 0

/**
 * Handles messages that cannot take the fast path (a first message, a menu choice, a file) of a whole batch in one
 * transaction: the first message of every sender together, then the second message of each sender, and so on. Each
 * takes the path of `message`, and their lookups and writes are combined (`Scope.inBatch`). Returns the events that
 * must be handled one at a time: group messages, our own messages, new identities, changes of messages, and all later
 * events of the same sender.
 */
export async function handleInBatch(
  deps: Deps,
  row: LineRow,
  entries: JournalEntry[],
  { isAwaited, bots }: { isAwaited: (event: InboundEvent) => boolean; bots?: readonly Bot[] | undefined },
): Promise<JournalEntry[]> {
  const said = entries.filter((entry): entry is MessageEntry => isMessageEntry(entry) && !isAwaited(entry.event))
  if (said.length < 2) return entries
  const scope = new Scope(deps, { companyId: row.companyId })
  const found = await findContactsByKeys(
    scope,
    said.flatMap(({ event }) => toIdentityKeys(event.person)),
    false,
  )
  const ways = [...groupBySender(entries, found).values()].map((all) => selectBatchable(row, all, found, isAwaited))
  const rounds = Math.max(...ways.map((way) => way.length))
  const chosen = new Set<JournalEntry>(ways.flat())
  if (chosen.size < 2) return entries
  await scope.transaction(async (tx) => {
    for (let n = 0; n < rounds; n++)
      await tx.inBatch(
        ways
          .flatMap((way) => way[n] ?? [])
          .map(
            (entry) => (one) =>
              runWithTrace(journalTraceId(entry), async () => {
                if (await one.load(lockUnprocessed, entry.journalId)) await processEvent(one, row, entry, bots)
              }),
          ),
      )
  })
  return entries.filter((entry) => !chosen.has(entry))
}

/** Groups related entries: the same chat, or the same person under any identity. */
function groupBySender(entries: JournalEntry[], found: Map<string, ContactRow>): Map<string, JournalEntry[]> {
  const parents = new Map<string, string>()
  const rootOf = (name: string): string => {
    const parent = parents.get(name) ?? name
    return parent === name ? name : rootOf(parent)
  }
  for (const { event } of entries) {
    const keys = 'person' in event ? toIdentityKeys(event.person).map(identityKeyText) : []
    const contacts = keys.flatMap((key) => found.get(key)?.id ?? []).map((id) => `contact ${id}`)
    const root = rootOf(`chat ${event.chat}`)
    for (const name of [...keys, ...contacts]) parents.set(rootOf(name), root)
  }
  return Map.groupBy(entries, ({ event }) => rootOf(`chat ${event.chat}`))
}

/** The messages of a sender, in order, up to the first that brings a new identity. */
function selectBatchable(
  row: LineRow,
  all: JournalEntry[],
  found: Map<string, ContactRow>,
  isAwaited: (event: InboundEvent) => boolean,
): MessageEntry[] {
  const chosen: MessageEntry[] = []
  // Unknown numbers, whose contacts are created with their first message.
  const met = new Map<string, number>()
  for (const entry of all) {
    if (!isMessageEntry(entry) || isAwaited(entry.event)) break
    const { person: identity, pushName: name } = entry.event
    const keys = toIdentityKeys(identity).map(identityKeyText)
    const isNew = !keys.some((key) => found.has(key))
    const before = new Set(keys.map((key) => met.get(key)))
    const evidence = { identity, name, whatsappId: row.id, isSender: true }
    if (isNew ? before.size > 1 : !recognizeContact(found, evidence)) break
    const who = [...before][0] ?? met.size
    if (isNew) for (const key of keys) met.set(key, who)
    chosen.push(entry)
  }
  return chosen
}
