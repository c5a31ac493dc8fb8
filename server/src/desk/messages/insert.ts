import type { Insertable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'

type Given = Omit<Insertable<DB['messages']>, 'companyId' | 'storedAt'>

/**
 * Every message comes into the house here, whoever wrote it; those of the quick way alone are stored by the statement
 * that journals them (automation/inbox/journal.ts). Returns their ids in the order given.
 */
export async function insertMessages(scope: Scope, all: Given[]): Promise<number[]> {
  const rows = all.map((one) => ({ ...one, companyId: scope.companyId, storedAt: scope.now() }))
  const stored = await scope.db.insertInto('messages').values(rows).returning('id').execute()
  return stored.map((row) => row.id)
}
