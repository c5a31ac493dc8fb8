import { keysOf, keyText } from '../../directory/contacts/identity.ts'
import { type ContactRow, findByKeys } from '../../directory/contacts/people.ts'
import { recognise } from '../../directory/contacts/resolve.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import { traced, traceOf } from '../../kernel/trace.ts'
import type { InboundEvent, InboundMessage, LineRow } from '../../lines/line.ts'
import type { Bot } from '../bots/bot.ts'
import { decide, take } from './handle.ts'
import type { Entry } from './journal.ts'

type Said = Entry & { event: InboundMessage }

const isSaid = (entry: Entry): entry is Said =>
  entry.event.kind === 'message' && !entry.event.fromMe && !entry.event.group && keysOf(entry.event.person).length > 0

/**
 * What people say that is not plain (their first word, the choice from a menu, a file) of a whole batch in one
 * transaction: the first message of everybody at once, then the second of those who wrote more. Each goes the way of
 * `message`, and what all of them look up and write is looked up and written once (`Scope.abreast`). Returns what is left
 * to be handled one by one: what was said in groups or by ourselves, what says something new of who somebody is, changes
 * of messages, and all that came after such a thing from the same people.
 */
export async function handleTogether(
  means: Means,
  row: LineRow,
  entries: Entry[],
  { isAwaited, bots }: { isAwaited: (event: InboundEvent) => boolean; bots?: readonly Bot[] | undefined },
): Promise<Entry[]> {
  const said = entries.filter((entry): entry is Said => isSaid(entry) && !isAwaited(entry.event))
  if (said.length < 2) return entries
  const scope = new Scope(means, { companyId: row.companyId })
  const found = await findByKeys(
    scope,
    said.flatMap(({ event }) => keysOf(event.person)),
    false,
  )
  const ways = [...peopleOf(entries, found).values()].map((all) => easy(row, all, found, isAwaited))
  const rounds = Math.max(...ways.map((way) => way.length))
  const chosen = new Set<Entry>(ways.flat())
  if (chosen.size < 2) return entries
  await scope.transaction(async (tx) => {
    for (let n = 0; n < rounds; n++)
      await tx.abreast(
        ways
          .flatMap((way) => way[n] ?? [])
          .map(
            (entry) => (one) =>
              traced(traceOf(entry), async () => {
                if (await one.ask(take, entry.journalId)) await decide(one, row, entry, bots)
              }),
          ),
      )
  })
  return entries.filter((entry) => !chosen.has(entry))
}

/** What has to do with each other: the same chat, or the same person by whichever name. */
function peopleOf(entries: Entry[], found: Map<string, ContactRow>): Map<string, Entry[]> {
  const parents = new Map<string, string>()
  const rootOf = (name: string): string => {
    const parent = parents.get(name) ?? name
    return parent === name ? name : rootOf(parent)
  }
  for (const { event } of entries) {
    const keys = 'person' in event ? keysOf(event.person).map(keyText) : []
    const contacts = keys.flatMap((key) => found.get(key)?.id ?? []).map((id) => `contact ${id}`)
    const root = rootOf(`chat ${event.chat}`)
    for (const name of [...keys, ...contacts]) parents.set(rootOf(name), root)
  }
  return Map.groupBy(entries, ({ event }) => rootOf(`chat ${event.chat}`))
}

/** Of what some people said, in its order, that which tells nothing new of who they are. */
function easy(
  row: LineRow,
  all: Entry[],
  found: Map<string, ContactRow>,
  isAwaited: (event: InboundEvent) => boolean,
): Said[] {
  const chosen: Said[] = []
  // Strangers who are known from their first word on.
  const met = new Map<string, number>()
  for (const entry of all) {
    if (!isSaid(entry) || isAwaited(entry.event)) break
    const { person: identity, pushName: name } = entry.event
    const keys = keysOf(identity).map(keyText)
    const isNew = !keys.some((key) => found.has(key))
    const before = new Set(keys.map((key) => met.get(key)))
    if (isNew ? before.size > 1 : !recognise(found, { identity, name, whatsappId: row.id })) break
    const who = [...before][0] ?? met.size
    if (isNew) for (const key of keys) met.set(key, who)
    chosen.push(entry)
  }
  return chosen
}
