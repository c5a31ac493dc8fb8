import type { Scope } from '../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'

/** Before a prompt is deleted: its sources cascade, but files that wait to be read must be removed. */
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
