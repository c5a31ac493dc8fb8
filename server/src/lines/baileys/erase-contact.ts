import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

/** Erases a person: deletes their keys (WhatsApp creates new ones if they write again) and their group read receipts. */
export async function eraseFromLinkedPhones(scope: Scope, values: string[]): Promise<void> {
  const { companyId, db } = scope
  const names = (column: string) =>
    sql`exists (select from unnest(${values}::text[]) said where strpos(${sql.raw(column)}, said) > 0)`
  await sql`
    delete from "linkedKeys" k using whatsapps w
    where w."companyId" = ${companyId} and k."whatsappId" = w.id and k."companyId" = ${companyId} and ${names('k.id')}`.execute(
    db,
  )
  await sql`delete from "groupReads" r where r."companyId" = ${companyId} and ${names('r.reader')}`.execute(db)
}
