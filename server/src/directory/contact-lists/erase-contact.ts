import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import type { ContactReferences } from '../contacts/contact-references.ts'
import { lockRowList, recountList } from './contact-lists.ts'
import { publishListReload } from './list-items.ts'

/** Erases a contact from every list, and from the samples of imported sheets. */
export async function eraseFromLists(scope: Scope, { keys, values }: ContactReferences): Promise<void> {
  const { companyId, db } = scope
  const { rows: lists } = await sql<{ id: number }>`
    select distinct "contactListId" as id from "contactListItems"
    where "companyId" = ${companyId} and key = any (${keys}::text[]) order by 1`.execute(db)
  for (const { id } of lists) {
    await lockRowList(scope, id)
    await sql`delete from "contactListItems" where "companyId" = ${companyId} and "contactListId" = ${id}
      and key = any (${keys}::text[])`.execute(db)
    await recountList(scope, id)
    await publishListReload(scope, id)
  }
  // However a sheet formats a phone number, its digits are in sequence, so only digits are compared.
  const shown = sql`exists (select from unnest(${values}::text[]) said
    where strpos(regexp_replace(i.samples::text || i.errors::text, '[^0-9]', '', 'g'), said) > 0
      or strpos(i.samples::text || i.errors::text, said) > 0)`
  const { rows: files } = await sql<{ filePath: string | null }>`
    delete from "listImports" i where i."companyId" = ${companyId} and i.state = 'preview' and ${shown}
    returning "filePath"`.execute(db)
  await scheduleFileRemoval(
    scope,
    files.map(({ filePath }) => filePath),
  )
  await sql`update "listImports" i set samples = '[]', errors = '[]'
    where i."companyId" = ${companyId} and ${shown}`.execute(db)
}
