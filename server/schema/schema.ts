import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPool } from '../src/kernel/data/database.ts'
import { migrateDatabase } from '../src/kernel/data/migrate.ts'
import { makeLog } from '../src/kernel/log.ts'
import { startPostgres } from '../src/kernel/postgres/embedded.ts'
import { describeSchema } from './describe-schema.ts'

/** `npm run schema`: migrates an empty database and writes docs/schema.md. */
const dataDir = await mkdtemp(join(tmpdir(), 'recado-schema-'))
const postgres = await startPostgres({ dataDir, isDurable: false })
try {
  const db = openPool(postgres.url, makeLog('silent'), { max: 1 })
  try {
    await migrateDatabase(db)
    await writeFile(join(import.meta.dirname, '../../docs/schema.md'), await describeSchema(db))
  } finally {
    await db.end()
  }
} finally {
  await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
}
