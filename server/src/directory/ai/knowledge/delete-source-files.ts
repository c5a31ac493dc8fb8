import type { Scope } from '../../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../../kernel/files/media.ts'

/** Before a prompt goes: its sources go by themselves, but not the files that still wait to be read. */
export async function deleteSourceFiles(scope: Scope, promptId: number): Promise<void> {
  const rows = await scope.db
    .selectFrom('knowledge')
    .select('filePath')
    .where('companyId', '=', scope.companyId)
    .where('promptId', '=', promptId)
    .execute()
  await scheduleFileRemoval(
    scope,
    rows.map((row) => row.filePath),
  )
}
