import type { GroupMetadata, GroupParticipant, WASocket } from 'baileys'

/** A message waits no longer than this for the name of its group, which is requested from WhatsApp. */
const groupNameTimeoutMs = 3_000
const maxCachedGroups = 200

/** The groups of a line with their members: loaded once, and again when a group has changed. */
export function makeGroupCache(onRenamed: (jid: string, subject: string) => void = () => {}) {
  const known = new Map<string, GroupMetadata>()
  const names = new Map<string, string>()

  function cacheGroup(group: GroupMetadata): void {
    known.delete(group.id)
    known.set(group.id, group)
    names.set(group.id, group.subject)
    if (known.size > maxCachedGroups) known.delete(known.keys().next().value as string)
  }
  async function loadGroup(sock: WASocket, jid: string): Promise<GroupMetadata> {
    const group = known.get(jid) ?? (await sock.groupMetadata(jid))
    cacheGroup(group)
    return group
  }
  return {
    /** The members as last reported by WhatsApp, which reports every join and leave. */
    participants: async (sock: WASocket, jid: string): Promise<GroupParticipant[]> =>
      (await loadGroup(sock, jid)).participants,
    /** The number of recipients besides ourselves; null if unknown. */
    async countRecipients(sock: WASocket, jid: string): Promise<number | null> {
      const group = await loadGroup(sock, jid).catch(() => undefined)
      return group ? Math.max(0, group.participants.length - 1) : null
    },
    cached: async (jid: string): Promise<GroupMetadata | undefined> => known.get(jid),
    async name(sock: WASocket, jid: string): Promise<string> {
      const name = names.get(jid)
      if (name !== undefined) return name
      const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), groupNameTimeoutMs).unref())
      const asked = sock.groupMetadata(jid).then((group) => {
        cacheGroup(group)
        return group.subject
      })
      return (await Promise.race([asked.catch(() => undefined), late])) ?? ''
    },
    listen(sock: WASocket): void {
      sock.ev.on('groups.upsert', (groups) => groups.forEach(cacheGroup))
      sock.ev.on('groups.update', (changes) => {
        for (const { id, subject } of changes) {
          if (!id) continue
          known.delete(id)
          if (subject === undefined) continue
          if (names.get(id) !== subject) onRenamed(id, subject)
          names.set(id, subject)
        }
      })
      sock.ev.on('group-participants.update', ({ id }) => void known.delete(id))
    },
  }
}
export type GroupCache = ReturnType<typeof makeGroupCache>
