import { sql } from 'kysely'
import type { ConnectionRow } from '../../directory/connections/view.ts'
import { keepPrepared } from '../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'

/** The lines that this API key may use; null: all of them. */
export const allowedLineIds = ({ actor }: Scope): number[] | null =>
  actor.key?.whatsappIds.length ? actor.key.whatsappIds : null

/** The requested line; else the only line, or the default line, of those that the API key may use. */
export async function resolveLine(scope: Scope, whatsappId: number | null): Promise<ConnectionRow> {
  const allowed = allowedLineIds(scope)
  const lines = await scope.load(loadOwnLines, undefined)
  return chooseLine(
    lines.filter(({ id }) => (allowed?.includes(id) ?? true) && (whatsappId === null || id === whatsappId)),
  )
}

/** The only line of the company, or its default line. */
export const findDefaultLine = async (scope: Scope): Promise<ConnectionRow> =>
  chooseLine(await scope.load(loadOwnLines, undefined))

function chooseLine([first, second]: ConnectionRow[]): ConnectionRow {
  if (!first) throw new AppError('ERR_NO_WAPP_FOUND')
  if (second && !first.isDefault) throw new AppError('ERR_NO_DEF_WAPP_FOUND')
  return first
}

/** The lines that the API key may use, the default line first. */
async function loadOwnLines(scope: Scope, all: undefined[]): Promise<ConnectionRow[][]> {
  const { rows: lines } = await sql<ConnectionRow>`${keepPrepared}
    select * from whatsapps where "companyId" = ${scope.companyId} order by "isDefault" desc, id`.execute(scope.db)
  return all.map(() => lines)
}
