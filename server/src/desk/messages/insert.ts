import type { Insertable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

/** A statement takes 65,535 values, and a message has about thirty. */
const maxRowsPerInsert = 1000

type NewMessage = Omit<Insertable<DB['messages']>, 'companyId' | 'storedAt'>

/**
 * Every message is stored here, whoever wrote it, except messages of the fast path, which are stored by the statement that
 * journals them (automation/inbox/journal.ts). Returns the ids in the given order. `isNews`: integrations are notified.
 */
export async function insertMessages(scope: Scope, all: NewMessage[], isNews = true): Promise<number[]> {
  const rows = all.map((one) => ({ ...one, companyId: scope.companyId, storedAt: scope.now() }))
  const ids = await scope.load(insertRows, rows)
  if (isNews) await publishMessageWebhooks(scope, 'message.created', ids)
  return ids
}

async function insertRows(scope: Scope, all: Insertable<DB['messages']>[][]): Promise<number[][]> {
  const rows = all.flat()
  const ids: number[] = []
  for (let at = 0; at < rows.length; at += maxRowsPerInsert) {
    const some = rows.slice(at, at + maxRowsPerInsert)
    const stored = await scope.db.insertInto('messages').values(some).returning('id').execute()
    ids.push(...stored.map((row) => row.id))
  }
  return all.map(({ length }) => ids.splice(0, length))
}
