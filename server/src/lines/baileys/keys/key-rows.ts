import type { PreparedStatement } from '../../../kernel/data/prepared-statement.ts'
import type { LineRow } from '../../line.ts'
import type { WatchedStore } from './watched-store.ts'

/** A key as it is stored: null deletes it. */
export type KeyRow = { type: string; id: string; value: string | null }

export const keyName = ({ type, id }: Pick<KeyRow, 'type' | 'id'>): string => `${type}/${id}`

/** This process no longer runs the line: another process writes the line's keys. */
export class KeysLostError extends Error {}

const writeKeysSql = `
  with held as (select 1 from "lineLeases" where "whatsappId" = $2 and fence = $3),
  given as (select * from unnest($4::text[], $5::text[], $6::text[]) g (type, id, value) where exists (select from held)),
  gone as (
    delete from "linkedKeys" k using given g
    where k."companyId" = $1 and k."whatsappId" = $2 and k.type = g.type and k.id = g.id and g.value is null
  ),
  kept as (
    insert into "linkedKeys" ("companyId", "whatsappId", type, id, value, "updatedAt")
    select $1, $2, g.type, g.id, g.value, $7 from given g where g.value is not null
    on conflict ("companyId", "whatsappId", type, id) do update set value = excluded.value, "updatedAt" = excluded."updatedAt"
  )
  select count(*) as held from held`

const readKeysSql = `
  select type, id, value from "linkedKeys"
  where "companyId" = $1 and "whatsappId" = $2 and type = $3 and id = any($4::text[])`

const readAllKeysSql = `select type, id, value from "linkedKeys" where "companyId" = $1 and "whatsappId" = $2 and type = $3`

/**
 * The storage of a line's keys: one row each, encrypted, and written only by the process that holds the line. A refused
 * write is reported, because to the database it is no failure.
 */
export function makeKeyRows({ deps, reportFailure }: WatchedStore, row: LineRow) {
  const { database, vault, clock } = deps
  const { companyId, id: whatsappId } = row
  const unsealRows = (rows: KeyRow[]) =>
    rows.map((r) => ({ ...r, value: r.value === null ? null : vault.unseal(r.value) }))

  /** If a key has several values, the last one counts. */
  function statement(unsealedRows: readonly unknown[]): PreparedStatement {
    const rows = [...new Map((unsealedRows as KeyRow[]).map((r) => [keyName(r), r])).values()]
    const values = rows.map(({ value }) => (value === null ? null : vault.seal(value)))
    const lists = [rows.map((r) => r.type), rows.map((r) => r.id), values]
    return {
      name: 'linked_keys_write',
      text: writeKeysSql,
      values: [companyId, whatsappId, row.fence, ...lists, clock.now()],
    }
  }
  return {
    statement,
    async write(rows: KeyRow[]): Promise<void> {
      const { name, text, values } = statement(rows)
      const [reply] = await database.queryPrepared<{ held: number }>(companyId, name, text, values)
      if (reply?.held) return
      const error = new KeysLostError(`line ${whatsappId} runs elsewhere`)
      reportFailure(error)
      throw error
    },
    read: async (type: string, ids: string[]): Promise<KeyRow[]> =>
      unsealRows(
        await database.queryPrepared<KeyRow>(companyId, 'linked_keys_read', readKeysSql, [
          companyId,
          whatsappId,
          type,
          ids,
        ]),
      ),
    readAll: async (type: string): Promise<KeyRow[]> =>
      unsealRows(
        await database.queryPrepared<KeyRow>(companyId, 'linked_keys_all', readAllKeysSql, [
          companyId,
          whatsappId,
          type,
        ]),
      ),
  }
}
export type KeyRows = ReturnType<typeof makeKeyRows>
