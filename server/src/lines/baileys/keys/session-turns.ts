import { jidDecode, type SignalKeyStore } from 'baileys'
import type { SignalRepository } from './decryption.ts'

/** Serialises work on the same names, first come first served. */
export function makeNamedTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(names: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const wanted = [...new Set(names)]
    // All names at once, before any await: two with the same names cannot deadlock.
    const before = wanted.map((name) => last.get(name))
    const mine = Promise.all(before).then(work)
    const over = mine.catch(() => {})
    for (const name of wanted) last.set(name, over)
    try {
      return await mine
    } finally {
      for (const name of wanted) if (last.get(name) === over) last.delete(name)
    }
  }
}
export type NamedTurns = ReturnType<typeof makeNamedTurns>

const isLid = (server: string) => server === 'lid' || server === 'hosted.lid'

/**
 * A person has one session with each of their devices, and two addresses: we encrypt under the number and decrypt
 * under the hidden id, but libsignal only serialises work on the same address. Both at once read the same session,
 * and the later write overwrites the earlier one: then neither side can read the next message. So all work on a
 * session is serialised per person, by either address.
 */
export function serializeSessionAccess(
  repository: SignalRepository,
  { get }: Pick<SignalKeyStore, 'get'>,
  inTurn: NamedTurns,
): SignalRepository {
  async function namesOf(jids: string[]): Promise<string[]> {
    const people = jids.flatMap((jid) => jidDecode(jid) ?? [])
    const kept = people.map(({ user, server }) => (isLid(server) ? `${user}_reverse` : user))
    const others = await get('lid-mapping', kept)
    return [...people.map(({ user }) => user), ...Object.values(others)]
  }
  const ofPeople = async <T>(jids: string[], work: () => Promise<T>) => inTurn(await namesOf(jids), work)

  return {
    ...repository,
    encryptMessage: (given) => ofPeople([given.jid], () => repository.encryptMessage(given)),
    decryptMessage: (given) => ofPeople([given.jid], () => repository.decryptMessage(given)),
    injectE2ESession: (given) => ofPeople([given.jid], () => repository.injectE2ESession(given)),
    deleteSession: (jids) => ofPeople(jids, () => repository.deleteSession(jids)),
    migrateSession: (from, to) => ofPeople([from, to], () => repository.migrateSession(from, to)),
    // A group has one session per member.
    encryptGroupMessage: (given) => inTurn([given.group], () => repository.encryptGroupMessage(given)),
    decryptGroupMessage: (given) => inTurn([given.group], () => repository.decryptGroupMessage(given)),
    processSenderKeyDistributionMessage: (given) =>
      inTurn([given.item.groupId ?? ''], () => repository.processSenderKeyDistributionMessage(given)),
    getSenderKeyDistributionMessage: (given) =>
      inTurn([given.group], () => repository.getSenderKeyDistributionMessage(given)),
  }
}
