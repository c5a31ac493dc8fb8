import type { Kysely } from 'kysely'
import type { EarlierMarks, Vault } from '../crypto.ts'
import type { DB } from './tables.ts'

/** Under which name `npm run reseal` keeps them. */
export const marksName = 'marks'

/** None, unless the secret of the house was changed; sealed under another one they are as good as none. */
export async function earlierMarks(platform: Kysely<DB>, vault: Vault): Promise<EarlierMarks> {
  const row = await platform
    .selectFrom('platformSecrets')
    .select('sealed')
    .where('name', '=', marksName)
    .executeTakeFirst()
  try {
    return row ? JSON.parse(vault.open(row.sealed)) : {}
  } catch {
    return {}
  }
}
