import type { Kysely } from 'kysely'
import type { PreviousHmacKeys, Vault } from '../crypto.ts'
import type { DB } from './tables.ts'

/** Under which name `npm run reseal` keeps them. */
export const previousHmacKeysName = 'marks'

/** None, unless the secret of the house was changed; sealed under another one they are as good as none. */
export async function loadPreviousHmacKeys(platform: Kysely<DB>, vault: Vault): Promise<PreviousHmacKeys> {
  const row = await platform
    .selectFrom('platformSecrets')
    .select('sealed')
    .where('name', '=', previousHmacKeysName)
    .executeTakeFirst()
  try {
    return row ? JSON.parse(vault.open(row.sealed)) : {}
  } catch {
    return {}
  }
}
