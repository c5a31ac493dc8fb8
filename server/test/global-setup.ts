import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openPool } from '../src/kernel/data/database.ts'
import { migrateDatabase } from '../src/kernel/data/migrate.ts'
import { makeLog } from '../src/kernel/log.ts'
import { ownerRole } from '../src/kernel/postgres/database-owner.ts'
import { startPostgres } from '../src/kernel/postgres/embedded.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
  }
}

/** One PostgreSQL for the whole run, with a migrated database that every test file clones. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(await fastestFolder(), 'recado-test-'))
  const postgres = await startPostgres({ dataDir, isDurable: false })
  // The superuser creates databases; servers use them as the ordinary role, as in production.
  const url = postgres.url.replace(`//${ownerRole}@`, '//postgres@')
  const server = openPool(withDatabaseName(url, 'postgres'), makeLog('silent'), { max: 1 })
  await server.query(`create database recado_template owner ${ownerRole}`)
  await server.end()
  const template = openPool(withDatabaseName(postgres.url, 'recado_template'), makeLog('silent'), { max: 1 })
  await migrateDatabase(template)
  await template.end()
  project.provide('databaseUrl', url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * A folder in memory if there is enough: each test server creates a thousand files that exist for seconds, and allocating
 * them on a disk takes longer than PostgreSQL takes to fill them.
 */
async function fastestFolder(): Promise<string> {
  const memory = '/dev/shm'
  try {
    const { bavail, bsize } = await statfs(memory)
    await access(memory, constants.W_OK | constants.X_OK)
    if (Math.min(bavail * bsize, process.availableMemory()) > 4 * 1024 ** 3) return memory
  } catch {
    // Not every system has /dev/shm.
  }
  return tmpdir()
}

/** The URL with the role that servers use. */
export const asAppLogin = (url: string) => url.replace('//postgres@', `//${ownerRole}@`)
/** The URL of another database on the same server. It has no host part (a socket folder is in the query). */
export const withDatabaseName = (url: string, name: string) => url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
