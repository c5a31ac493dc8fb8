import { settingDefinitions } from '@recado/contract/settings'

/** The kinds of devices of which a user may use one each at the same time. */
export type Device = 'computer' | 'phone'
type SessionLimit = (typeof settingDefinitions.sessionsPerUser.values)[number]
type OpenSession = { id: string; device: Device; openedAt: string | null }

/** The maximum for the setting `several`: forgotten browsers must not stay logged in by the hundred. */
export const maxSessionsPerUser = 10

export const parseSessionLimit = (value: string | undefined): SessionLimit =>
  settingDefinitions.sessionsPerUser.values.find((one) => one === value) ?? settingDefinitions.sessionsPerUser.default

/**
 * Finds which sessions of one user have to end. The first session in the list stays; of the others, newer sessions stay
 * before older ones.
 */
export function findSessionsOverLimit([kept, ...others]: OpenSession[], limit: SessionLimit): string[] {
  if (!kept) return []
  const stays = [kept]
  const isOver = (session: OpenSession) =>
    limit === 'one' ||
    (limit === 'device' && stays.some((one) => one.device === session.device)) ||
    stays.length >= maxSessionsPerUser
  const newestFirst = others.sort((a, b) => Date.parse(b.openedAt ?? '') - Date.parse(a.openedAt ?? ''))
  const ended: string[] = []
  for (const session of newestFirst) {
    if (isOver(session)) ended.push(session.id)
    else stays.push(session)
  }
  return ended
}
