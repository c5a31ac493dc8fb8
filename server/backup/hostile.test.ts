import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../src/kernel/clock.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { makeLog } from '../src/kernel/log.ts'
import { hashTablesWithout } from '../test/company-archive.ts'
import { withDatabaseName } from '../test/global-setup.ts'
import { closeTestServers, type TestServer, testServer } from '../test/test-server.ts'
import { type BackupEntry, type EntryHead, readEntries, writeEntries } from './archive-format.ts'
import { createBackup } from './create-backup.ts'
import { checkBackup, maxUnpackedBytes } from './read-backup.ts'
import { replaceInstallation, restoreBackup } from './restore-backup.ts'
import { openSealedStream, sealStream } from './seal-stream.ts'

const phrase = 'nueve gatos y un mar'
let harness: TestServer
let folder: string
let file: string
const name = `${'d'.repeat(32)}.txt`
const otherFileName = `${'e'.repeat(32)}.txt`

beforeAll(async () => {
  harness = await testServer()
  folder = await mkdtemp(join(tmpdir(), 'recado-forged-'))
  const company = await harness.createCompany('Casa Sol')
  await harness.server.deps.files.restore(company.id, name, Readable.from([Buffer.from('a file')]))
  file = join(folder, 'true.backup')
  await createBackup(
    { databaseUrl: harness.databaseUrl, files: harness.server.deps.files, appSecret: harness.config.appSecret },
    phrase,
    file,
  )
})
afterAll(async () => {
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

let forged = 0
/** Encrypts arbitrary content as a backup with the right passphrase. */
async function encryptBackup(plain: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const path = join(folder, `forged-${++forged}.backup`)
  const source = Readable.from(plain, { objectMode: false })
  await pipeline(source, createGzip({ level: 1 }), sealStream(phrase), createWriteStream(path))
  return path
}
async function* headsOnly(all: unknown[]): AsyncGenerator<BackupEntry> {
  for (const head of all) yield { head: head as EntryHead }
}
const backupOfHeads = (...all: unknown[]) => encryptBackup(writeEntries(headsOnly(all)))

const first = {
  ...{ kind: 'house', version: 1, madeAt: '2026-01-01T00:00:00Z', migrations: [], appSecret: 'x'.repeat(40) },
  sequences: [],
}
const end = { kind: 'end' }

/** The real backup with one entry changed. */
async function changed(change: (entry: { head: EntryHead; body: Buffer[]; tail: object }) => void): Promise<string> {
  async function* all(): AsyncGenerator<BackupEntry> {
    const plain = Readable.from(openSealedStream(phrase)(createReadStream(file)), { objectMode: false }).pipe(
      createGunzip(),
    )
    for await (const found of readEntries(plain)) {
      const body: Buffer[] = []
      for await (const block of found.body) body.push(Buffer.from(block))
      const entry = { head: found.head, body, tail: { ...(await found.tail()) } }
      change(entry)
      yield { head: entry.head, body: Readable.from(entry.body), tail: () => entry.tail }
    }
  }
  return encryptBackup(writeEntries(all()))
}

describe('a backup that was forged', () => {
  it('is refused if its entries have invalid names', async () => {
    const bad: [string, unknown[]][] = [
      ['a file outside of the store', [first, { kind: 'file', companyId: 1, name: '../../app-secret' }, end]],
      ['a file of a name that is none of ours', [first, { kind: 'file', companyId: 1, name: 'a.txt' }, end]],
      ['a file of no company', [first, { kind: 'file', companyId: -1, name }, end]],
      ['a file of half a company', [first, { kind: 'file', companyId: 1.5, name }, end]],
      ['a table of another schema', [first, { kind: 'table', name: 'pg_catalog.pg_authid', columns: ['a'] }, end]],
      ['a table with a quote in it', [first, { kind: 'table', name: 'users" (id) from', columns: ['a'] }, end]],
      ['a column with a quote in it', [first, { kind: 'table', name: 'users', columns: ['id") from program'] }, end]],
      ['a table twice', [first, ...Array(2).fill({ kind: 'table', name: 'users', columns: ['id'] }), end]],
      [
        'a sequence elsewhere',
        [{ ...first, sequences: [{ schema: 'graphile_worker', name: 'x', type: 'integer', last: '1' }] }, end],
      ],
      [
        'a sequence of no company',
        [{ ...first, sequences: [{ schema: 'numbers', name: 'x', type: 'integer', last: '1' }] }, end],
      ],
      [
        'a count that is none',
        [{ ...first, sequences: [{ schema: 'public', name: 'x', type: 'integer', last: '1; drop' }] }, end],
      ],
      ['two houses', [first, first, end]],
      ['no house', [{ kind: 'jobs' }, end]],
      ['something unknown', [first, { kind: 'program' }, end]],
      ['nothing', [null]],
    ]
    const readAll = async (heads: unknown[]) => {
      for await (const entry of readEntries(writeEntries(headsOnly(heads)))) await entry.tail()
    }
    for (const [what, heads] of bad) await expect(readAll(heads), what).rejects.toThrow(/^It is damaged/)
    await expect(checkBackup(await backupOfHeads(first, { kind: 'program' }, end), phrase)).rejects.toThrow(
      /^It is damaged/,
    )
    await expect(checkBackup(await backupOfHeads({ ...first, version: 2 }, end), phrase)).rejects.toThrow(
      /newer Recado/,
    )
    expect((await checkBackup(await backupOfHeads(first, end), phrase)).summary.rows).toBe(0)
  })

  it('is refused for excessive lengths before the content is read', async () => {
    const length = (n: number) => {
      const four = Buffer.alloc(4)
      four.writeUInt32BE(n)
      return four
    }
    await expect(checkBackup(await encryptBackup([length(0xffff_ffff), Buffer.from('{}')]), phrase)).rejects.toThrow(
      /damaged/,
    )
    await expect(checkBackup(await encryptBackup([length(5), Buffer.from('{"a":')]), phrase)).rejects.toThrow(/damaged/)
    const head = Buffer.from(JSON.stringify(first))
    const block = [length(head.length), head, length(0x7fff_ffff), Buffer.from('x')]
    await expect(checkBackup(await encryptBackup(block), phrase)).rejects.toThrow(/damaged/)
    // Before the passphrase is verified, no piece may exceed a mebibyte, and no scrypt cost is read from the
    // file.
    const long = join(folder, 'long.backup')
    await writeFile(long, Buffer.concat([Buffer.from('RECADO-BACKUP 1\n'), Buffer.alloc(16), length(0x7fff_ffff)]))
    await expect(checkBackup(long, phrase)).rejects.toThrow(/damaged/)
  })

  it('is refused when it unpacks to far more than its size, unless the operator allows it', async () => {
    async function* zeros(): AsyncGenerator<Buffer> {
      for (let n = 0; n < 64; n++) yield Buffer.alloc(1024 * 1024)
    }
    async function* bomb(): AsyncGenerator<BackupEntry> {
      yield { head: first as EntryHead }
      yield { head: { kind: 'table', name: 'users', columns: ['id'] }, body: zeros() }
      yield { head: end as EntryHead }
    }
    const path = await encryptBackup(writeEntries(bomb()))
    await expect(checkBackup(path, phrase, 8 * 1024 * 1024)).rejects.toThrow(/max-unpacked-gb/)
    expect((await checkBackup(path, phrase)).summary.tables).toBe(1)
    expect(maxUnpackedBytes(1000)).toBeLessThan(2 * 1024 ** 3)
  })
})

describe('a complete backup that cannot be restored', () => {
  it('leaves the installation that it should replace unchanged', async () => {
    const database = `t_${randomUUID().replaceAll('-', '')}`
    await harness.adminPool.query(`create database ${database} owner recado`)
    const databaseUrl = withDatabaseName(harness.databaseUrl, database)
    const dataDir = await mkdtemp(join(folder, 'there-'))
    const { appSecret } = harness.config
    const files = makeFiles(
      { dataDir, uploadLimit: 1024 * 1024, diskReservePercent: 0 },
      makeVault(appSecret),
      systemClock,
    )
    await restoreBackup({ databaseUrl, files }, phrase, file, (await checkBackup(file, phrase)).house)
    const asked = async <T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
      // Another application name than that of a running Recado, so that this connection does not count as one.
      const pool = openPool(databaseUrl, makeLog('silent'), { max: 2, applicationName: 'test' })
      return work(pool).finally(() => pool.end())
    }
    await asked((pool) => pool.query(`update companies set name = 'La de antes' where name = 'Casa Sol'`))
    await files.restore(2, otherFileName, Readable.from([Buffer.from('from before')]))
    const marks = () => asked((pool) => hashTablesWithout(pool, 0))
    const before = await marks()
    expect(before.companies).not.toBeNull()
    const forge: [RegExp, (entry: { head: EntryHead; body: Buffer[]; tail: object }) => void][] = [
      [
        /users is not what it was/,
        ({ head, tail }) => {
          if (head.kind === 'table' && head.name === 'users') Object.assign(tail, { count: 99 })
        },
      ],
    ]
    for (const [words, change] of forge) {
      const path = await changed(change)
      const { house: head } = await checkBackup(path, phrase)
      const safety = { file: join(folder, 'safety.backup'), appSecret }
      const replaced = replaceInstallation({ databaseUrl, files }, phrase, path, head, { safety })
      await expect(replaced).rejects.toThrow(words)
      await expect(replaced).rejects.toThrow(/What was here is back as it was/)
      expect(await marks()).toEqual(before)
      expect(await text(files.read(2, otherFileName))).toBe('from before')
      expect(await readdir(folder)).not.toContain('safety.backup')
    }
    await harness.adminPool.query(`drop database ${database} with (force)`)
  })
})
