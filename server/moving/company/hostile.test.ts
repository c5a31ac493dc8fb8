import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addTable,
  type CompanyArchive,
  type LooseRow,
  readArchive,
  rowsIn,
  tableIn,
  writeArchive,
} from '../../test/company-archive.ts'
import { furnish, openOwner, readTables } from '../../test/furniture.ts'
import { closeHouses, type House, house } from '../../test/house.ts'
import { bringIn } from './bring-in.ts'
import { takeOut } from './take-out.ts'

let a: House
let b: House
let from: pg.Pool
let to: pg.Pool
let folder: string
let exported: string
let stranger: { id: number }

beforeAll(async () => {
  ;[a, b] = [await house(), await house()]
  ;[from, to] = [openOwner(a), openOwner(b)]
  folder = await mkdtemp(join(tmpdir(), 'recado-hostile-'))
  const company = await a.company('Casa Hostil')
  await furnish(from, await readTables(from), { id: company.id, mark: 'Mine', person: company.admin.id })
  exported = join(folder, 'exported')
  await takeOut({ owner: from, files: a.running.means.files }, { companyId: company.id, to: exported })
  stranger = await b.company('Vecina')
})
afterAll(async () => {
  await Promise.all([from?.end(), to?.end()])
  await closeHouses()
  await rm(folder, { recursive: true, force: true })
})

let tries = 0
/** The exported company with something changed, written with checksums that fit. */
async function archiveWith(change: (archive: CompanyArchive) => void): Promise<string> {
  const archive = await readArchive(exported)
  archive.manifest.id = randomUUID()
  change(archive)
  return writeArchive(archive, join(folder, `try-${++tries}`))
}
const bring = (path: string) => bringIn({ owner: to, files: b.running.means.files }, path)

/** Every row of every table, as one mark for each table. */
async function everything(): Promise<Record<string, string | null>> {
  const marks: Record<string, string | null> = {}
  const client = await to.connect()
  try {
    await client.query('begin; set local role recado_platform')
    for (const { name, tenant } of await readTables(to))
      if (tenant || ['companies', 'plans'].includes(name)) {
        const { rows } = await client.query(`select md5(string_agg(t::text, '|' order by t::text)) as m from "${name}" t`)
        marks[name] = rows[0]?.m ?? null
      }
    await client.query('rollback')
    const { rows } = await client.query(
      `select string_agg(schemaname || sequencename, ',' order by 1) as m from pg_sequences where schemaname = 'numbers'`,
    )
    return { ...marks, numbers: rows[0]?.m }
  } finally {
    client.release()
  }
}
const filesOf = async (h: House) => {
  const arriving = join(h.dataDir, 'arriving')
  const waiting = existsSync(arriving) ? await readdir(arriving) : []
  const stored: string[] = []
  for await (const { companyId, name } of h.running.means.files.all()) stored.push(`${companyId}/${name}`)
  return { waiting, stored: stored.sort() }
}

/** It is refused with these words, and nothing of it stays. */
async function refuses(path: string, words: RegExp): Promise<void> {
  const [rows, files] = [await everything(), await filesOf(b)]
  await expect(bring(path)).rejects.toThrow(words)
  expect(await everything()).toEqual(rows)
  expect(await filesOf(b)).toEqual(files)
}

describe('archives that took over an installation', () => {
  it('refuses a passkey for the super user', async () => {
    const { rows } = await to.query<{ id: number; companyId: number }>(
      'select id, "companyId" from users where super limit 1',
    )
    const boss = rows[0] as { id: number; companyId: number }
    const path = await archiveWith((archive) => {
      const own = archive.manifest.company.id
      for (const table of archive.manifest.tables)
        for (const row of rowsIn(archive, table.name)) if (row.companyId === own) row.companyId = boss.companyId
      archive.manifest.company.id = boss.companyId
      addTable(archive, 'passkeys', [
        { companyId: boss.companyId, userId: boss.id, name: 'mine', credentialId: 'AAAA', publicKey: 'AAAA', count: 0 },
      ])
    })
    await refuses(path, /passkeys/)
  })

  it('refuses a person of another company', async () => {
    const path = await archiveWith((archive) => {
      const [user] = rowsIn(archive, 'users') as [LooseRow]
      user.companyId = stranger.id
    })
    await refuses(path, /users.*another company/)
  })

  it('refuses a column that the export leaves out, in the manifest or in a row', async () => {
    const named = await archiveWith((archive) => {
      tableIn(archive, 'users').columns.push('super')
      for (const row of rowsIn(archive, 'users')) row.super = true
    })
    await refuses(named, /users\.super/)
    const smuggled = await archiveWith((archive) => {
      for (const row of rowsIn(archive, 'users')) row.super = true
    })
    await refuses(smuggled, /users.*super/)
  })
})
