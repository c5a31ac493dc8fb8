import type { ApiKey } from '@recado/contract/api-access/api-keys'
import type { Connection } from '@recado/contract/connections'

/** A credential for the examples: a line's token, or an API key. */
export type ApiCredential = {
  id: string
  kind: 'line' | 'key'
  name: string
  /** The secret is known for lines, and for keys created since the page was opened; otherwise empty. */
  secret: string
  /** The value shown in an example: the beginning and the end of the secret, because others may see the screen. */
  shown: string
  /** The value in an example that is copied. */
  copied: string
  /** The name of the line that the credential sends from; empty when there is not exactly one line. */
  line: string
}

export const isKeyActive = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now)

const maskSecret = (secret: string): string =>
  secret.length < 12 ? '••••••••' : `${secret.slice(0, 4)}••••••••${secret.slice(-4)}`

const maskedKey = (secret: string | undefined, hint: string) =>
  secret ? { secret, shown: maskSecret(secret), copied: secret } : { secret: '', shown: hint, copied: hint }

export function listApiCredentials(
  lines: Connection[],
  keys: ApiKey[],
  createdSecrets: Record<number, string>,
  now = Date.now(),
): ApiCredential[] {
  return [
    ...lines
      .filter(({ token }) => token !== '')
      .map(({ id, name, token }) => ({
        ...{ id: `line-${id}`, kind: 'line' as const, name, line: name },
        ...{ secret: token, shown: maskSecret(token), copied: token },
      })),
    ...keys
      .filter((key) => isKeyActive(key, now))
      .map(({ id, name, hint, lines }) => ({
        ...{ id: `key-${id}`, kind: 'key' as const, name, line: lines.length === 1 ? (lines[0]?.name ?? '') : '' },
        ...maskedKey(createdSecrets[id], hint),
      })),
  ]
}
