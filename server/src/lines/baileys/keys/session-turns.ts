import { jidDecode, type SignalKeyStore } from 'baileys'
import type { SignalRepository } from './decryption.ts'

/** Runs work on the same names one after another, first come first served. */
export function makeNamedTurns() {
  const lastByName = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(names: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const uniqueNames = [...new Set(names)]
    // All names are taken at once, before any await, so that two tasks with the same names cannot deadlock.
    const previousTasks = uniqueNames.map((name) => lastByName.get(name))
    const task = Promise.all(previousTasks).then(work)
    const settled = task.catch(() => {})
    for (const name of uniqueNames) lastByName.set(name, settled)
    try {
      return await task
    } finally {
      for (const name of uniqueNames) if (lastByName.get(name) === settled) lastByName.delete(name)
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
    const mappingKeys = people.map(({ user, server }) => (isLid(server) ? `${user}_reverse` : user))
    const others = await get('lid-mapping', mappingKeys)
    return [...people.map(({ user }) => user), ...Object.values(others)]
  }
  const inTurnOf = async <T>(jids: string[], work: () => Promise<T>) => inTurn(await namesOf(jids), work)

  return {
    ...repository,
    encryptMessage: (args) => inTurnOf([args.jid], () => repository.encryptMessage(args)),
    decryptMessage: (args) => inTurnOf([args.jid], () => repository.decryptMessage(args)),
    injectE2ESession: (args) => inTurnOf([args.jid], () => repository.injectE2ESession(args)),
    deleteSession: (jids) => inTurnOf(jids, () => repository.deleteSession(jids)),
    migrateSession: (from, to) => inTurnOf([from, to], () => repository.migrateSession(from, to)),
    // A group has one session per member.
    encryptGroupMessage: (args) => inTurn([args.group], () => repository.encryptGroupMessage(args)),
    decryptGroupMessage: (args) => inTurn([args.group], () => repository.decryptGroupMessage(args)),
    processSenderKeyDistributionMessage: (args) =>
      inTurn([args.item.groupId ?? ''], () => repository.processSenderKeyDistributionMessage(args)),
    getSenderKeyDistributionMessage: (args) =>
      inTurn([args.group], () => repository.getSenderKeyDistributionMessage(args)),
  }
}
