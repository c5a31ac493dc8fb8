import type { Kysely } from 'kysely'
import type { PreviousHmacKeys, Vault } from '../crypto.ts'
import type { DB } from './tables.ts'

/** The name under which `npm run reseal` stores these keys. */
export const previousHmacKeysName = 'marks'

/**
 * Loads the signature keys of earlier secrets. There are none unless the app secret was changed. Keys encrypted with
 * another secret are ignored.
 */
export async function loadPreviousHmacKeys(platform: Kysely<DB>, vault: Vault): Promise<PreviousHmacKeys> {
  const row = await platform
    .selectFrom('platformSecrets')
    .select('sealed')
    .where('name', '=', previousHmacKeysName)
    .executeTakeFirst()
  try {
    return row ? JSON.parse(vault.unseal(row.sealed)) : {}
  } catch {
    return {}
  }
}
