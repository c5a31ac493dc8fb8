import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import type { Files } from '../../src/kernel/files/files.ts'
import type { OpenArchive } from './archive.ts'
import { makeCountingStream, type ReportExportProgress } from './export-company.ts'
import { ImportExportError } from './import-export-error.ts'

/** Copies the files of an import into a staging folder beside other companies' files, until its rows are committed. */
export async function copyArchiveFiles(
  archive: OpenArchive,
  stagingDir: string,
  reportProgress: ReportExportProgress,
): Promise<number> {
  await rm(stagingDir, { recursive: true, force: true })
  await mkdir(stagingDir, { recursive: true, mode: 0o700 })
  let copied = 0
  for await (const file of archive.media()) {
    const { stream: countingStream, result } = makeCountingStream()
    const to = createWriteStream(join(stagingDir, file.name), { mode: 0o600, flags: 'wx' })
    await pipeline(await archive.file(file), countingStream, to)
    if (result().sha256 !== file.sha256) throw new ImportExportError(`The file ${file.name} is not what was exported.`)
    copied++
    reportProgress('files', 1, archive.manifest.media.files)
  }
  return copied
}

/** Moves the files to the company after its rows are committed. After a kill it continues with the remaining files. */
export async function adoptFiles(files: Files, stagingDir: string, companyId: number): Promise<void> {
  for (const name of await readdir(stagingDir).catch(() => []))
    await files.adopt(companyId, name, join(stagingDir, name))
  await rm(stagingDir, { recursive: true, force: true })
}

/** Cleans up after killed imports: if the rows were committed, their files are moved to the company; else deleted. */
export async function cleanUpInterruptedImports(client: pg.ClientBase, files: Files, currentId: string): Promise<void> {
  const folder = dirname(files.stagingDir(currentId))
  for (const id of await readdir(folder).catch(() => [])) {
    if (id === currentId) continue
    const { rows } = await client.query<{ id: number }>('select id from companies where "movedFrom"::text = $1', [id])
    if (rows[0]) await adoptFiles(files, join(folder, id), rows[0].id)
    else await rm(join(folder, id), { recursive: true, force: true })
  }
}
