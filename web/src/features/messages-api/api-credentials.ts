import type { ApiKey } from '@recado/contract/api-access/api-keys'
import type { Connection } from '@recado/contract/connections'

/** What can open the door in an example: the token of a line, or a key. */
export type ApiCredential = {
  id: string
  kind: 'line' | 'key'
  name: string
  /** Known of lines, and of keys that were made on this page and are not left yet; else empty. */
  secret: string
  /** What stands in an example. */
  shown: string
  /** Where it writes from, by name; empty where that is not one. */
  line: string
}

export const isKeyActive = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now)

export function listApiCredentials(
  lines: Connection[],
  keys: ApiKey[],
  made: Record<number, string>,
  now = Date.now(),
): ApiCredential[] {
  return [
    ...lines
      .filter(({ token }) => token !== '')
      .map(({ id, name, token }) => ({
        ...{ id: `line-${id}`, kind: 'line' as const, name, line: name },
        ...{ secret: token, shown: token },
      })),
    ...keys
      .filter((key) => isKeyActive(key, now))
      .map(({ id, name, hint, lines }) => ({
        ...{ id: `key-${id}`, kind: 'key' as const, name, line: lines.length === 1 ? (lines[0]?.name ?? '') : '' },
        ...{ secret: made[id] ?? '', shown: made[id] ?? hint },
      })),
  ]
}
