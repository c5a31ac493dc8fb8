import type { Scope } from '../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'

/** Called before a prompt is deleted: its sources are deleted by cascade, but files waiting to be read are not. */
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
