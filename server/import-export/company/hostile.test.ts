import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addTable,
  archiveRows,
  archiveTable,
  type CompanyArchive,
  createFixtureCompany,
  hashTablesWithout,
  type LooseRow,
  readArchive,
  writeArchive,
} from '../../test/company-archive.ts'
import { openOwnerPool } from '../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'
import { defaultLimits } from '../limits.ts'
import { defaultTerms } from '../plan-terms.ts'
import { columnShapes } from './column-rules.ts'
import { exportCompany } from './export-company.ts'
import { type ImportOptions, importCompany } from './import-company.ts'
import { readSchema } from './schema.ts'
import { exportedColumns, exportedTables } from './table-rules.ts'

let source: TestServer
let target: TestServer
let from: pg.Pool
let to: pg.Pool
let folder: string
let exported: CompanyArchive
let otherCompany: { id: number; admin: { id: number; email: string } }
const stored = `${'a'.repeat(32)}.txt`

beforeAll(async () => {
  ;[source, target] = [await testServer(), await testServer()]
  ;[from, to] = [openOwnerPool(source), openOwnerPool(target)]
  folder = await mkdtemp(join(tmpdir(), 'recado-hostile-'))
  const company = await createFixtureCompany(source, from, 'Casa Hostil')
  await source.server.deps.files.restore(
    company.id,
    stored,
    (async function* () {
      yield Buffer.from('a file')
    })(),
  )
  const place = join(folder, 'exported')
  await exportCompany({ owner: from, files: source.server.deps.files }, { companyId: company.id, to: place })
  exported = await readArchive(place)
  // Make the ids of the two installations differ, so that no id matches by chance.
  await target.createCompany('Primera')
  otherCompany = await target.createCompany('Vecina')
})
afterAll(async () => {
  await Promise.all([from?.end(), to?.end()])
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

let tries = 0
/** The exported company with a change made by the test, written with matching checksums. */
async function archiveWith(change: (archive: CompanyArchive) => void): Promise<string> {
  const archive = structuredClone(exported)
  archive.manifest.id = randomUUID()
  change(archive)
  return writeArchive(archive, join(folder, `try-${++tries}`))
}
const firstRow = (archive: CompanyArchive, table: string): LooseRow => {
  const [row] = archiveRows(archive, table)
  if (!row) throw new Error(`no row of ${table}`)
  return row
}
const withCell = (table: string, column: string, value: unknown) =>
  archiveWith((archive) => {
    firstRow(archive, table)[column] = value
  })
const importArchive = (path: string, choices: ImportOptions = {}) =>
  importCompany({ owner: to, files: target.server.deps.files }, path, choices)

const filesOf = async (h: TestServer) => {
  const arriving = join(h.dataDir, 'arriving')
  const waiting = existsSync(arriving) ? await readdir(arriving) : []
  const kept: string[] = []
  for await (const { companyId, name } of h.server.deps.files.listAll()) kept.push(`${companyId}/${name}`)
  return { waiting, kept: kept.sort() }
}

/** Expects that the import is refused with this message and that nothing of it remains. */
async function expectRefusal(path: string, words: RegExp, choices: ImportOptions = {}): Promise<void> {
  const [rows, files] = [await hashTablesWithout(to, 0), await filesOf(target)]
  await expect(importArchive(path, choices)).rejects.toThrow(words)
  expect(await hashTablesWithout(to, 0)).toEqual(rows)
  expect(await filesOf(target)).toEqual(files)
}

describe('archives that try to take over an installation', () => {
  it('are refused if they contain a passkey for the super user', async () => {
    const boss = await target
      .wide()
      .db.selectFrom('users')
      .select(['id', 'companyId'])
      .where('super', '=', true)
      .executeTakeFirstOrThrow()
    const path = await archiveWith((archive) => {
      archive.manifest.company.id = boss.companyId
      archive.manifest.tables = []
      addTable(archive, 'passkeys', [
        {
          ...{ companyId: boss.companyId, userId: boss.id, name: 'mine', credentialId: 'AAAA', publicKey: 'AAAA' },
          ...{
            id: 1,
            algorithm: -7,
            counter: 0,
            signedFor: 0,
            createdAt: '2026-01-01T00:00:00+00:00',
            lastUsedAt: null,
          },
        },
      ])
    })
    await expectRefusal(path, /No export has passkeys/)
  })

  it('are refused if they contain a user of another company', async () => {
    const path = await archiveWith((archive) => {
      firstRow(archive, 'users').companyId = otherCompany.id
    })
    await expectRefusal(path, /users of another company/)
  })

  it('are refused if they contain a column that an export leaves out, in the manifest or in a row', async () => {
    const named = await archiveWith((archive) => {
      archiveTable(archive, 'users').columns.push('super')
      for (const row of archiveRows(archive, 'users')) row.super = true
    })
    await expectRefusal(named, /No export has users\.super/)
    const smuggled = await archiveWith((archive) => {
      for (const row of archiveRows(archive, 'users')) row.super = true
    })
    await expectRefusal(smuggled, /users\.jsonl, line 1: a column super/)
    const sealed = await archiveWith((archive) => {
      archiveTable(archive, 'prompts').columns.push('apiKeySealed')
      for (const row of archiveRows(archive, 'prompts')) row.apiKeySealed = 'x'
    })
    await expectRefusal(sealed, /No export has prompts\.apiKeySealed/)
    await expectRefusal(
      await archiveWith((archive) => {
        firstRow(archive, 'settings').key = 'asaas'
      }),
      /secret setting/,
    )
  })
})

describe('the manifest of an archive', () => {
  it('is refused if it names platform tables, unknown tables, or a table twice', async () => {
    const plans = (archive: CompanyArchive) => addTable(archive, 'plans', [{ id: 1, name: 'Todo' }])
    await expectRefusal(await archiveWith(plans), /does not know plans/)
    const sessions = (archive: CompanyArchive) => addTable(archive, 'sessions', [{ id: 'x', companyId: 1 }])
    await expectRefusal(await archiveWith(sessions), /No export has sessions/)
    const twice = (archive: CompanyArchive) => {
      archive.manifest.tables.push({ ...archiveTable(archive, 'users') })
    }
    await expectRefusal(await archiveWith(twice), /not the manifest/)
    const unknown = (archive: CompanyArchive) => archiveTable(archive, 'tags').columns.push('shape')
    await expectRefusal(await archiveWith(unknown), /does not know tags\.shape/)
  })

  it('is refused if a path in it leads out of the archive’s folder', async () => {
    for (const file of ['../users.jsonl', '/etc/passwd', 'a/b.jsonl', 'queues.jsonl']) {
      const path = await archiveWith((archive) => {
        archiveTable(archive, 'users').file = file
      })
      await expectRefusal(path, /not the manifest/)
    }
  })

  it('is refused if it differs from the content of the folder', async () => {
    const other = (archive: CompanyArchive) => {
      archive.manifest.company.name = 'Otra'
    }
    await expectRefusal(await archiveWith(other), /not the one company/)
    const hidden = (archive: CompanyArchive) => {
      const name = 'Casa\u202e Sol'
      archive.manifest.company.name = name
      firstRow(archive, 'companies').name = name
    }
    await expectRefusal(await archiveWith(hidden), /a value in name/)
    const two = (archive: CompanyArchive) => {
      archive.rows.companies?.push({ ...firstRow(archive, 'companies'), id: 2 })
    }
    await expectRefusal(await archiveWith(two), /not the one company/)
    const path = await archiveWith(() => {})
    await writeFile(join(path, 'manifest.json'), '{"form":'.padEnd(200, '['))
    await expectRefusal(path, /nested deeper/)
  })
})

describe('rows of an archive', () => {
  it('are refused if they refer to rows outside of the archive', async () => {
    await expectRefusal(await withCell('tickets', 'contactId', 999_999), /contactId refers to nothing/)
    await expectRefusal(
      await withCell('userQueues', 'userId', otherCompany.admin.id + 1000),
      /userId refers to nothing/,
    )
  })

  it('are refused if an id occurs twice or exhausts the id range', async () => {
    const twice = await archiveWith((archive) => {
      archive.rows.tags?.push({ ...firstRow(archive, 'tags') })
    })
    await expectRefusal(twice, /tags has an id twice/)
    await expectRefusal(await withCell('tags', 'id', 0), /no id/)
    const sameName = await archiveWith((archive) => {
      const [queue] = archiveRows(archive, 'queues') as [LooseRow]
      archive.rows.queues?.push({ ...queue, id: Number(queue.id) + 1, color: '#010203' })
    })
    await expectRefusal(sameName, /The database refuses a row: .*queues_name_key/)
    await expectRefusal(await withCell('tags', 'id', 2 ** 31), /a value in id/)
  })

  it('are refused if they have circular references within a table', async () => {
    const itself = await archiveWith((archive) => {
      const option = firstRow(archive, 'queueOptions')
      option.parentId = option.id
    })
    await expectRefusal(itself, /queueOptions: parentId leads in a circle/)
    const round = await archiveWith((archive) => {
      const [contact] = archiveRows(archive, 'contacts') as [LooseRow]
      const ids = [900_001, 900_002, 900_003]
      for (const [at, id] of ids.entries())
        archive.rows.contacts?.push({ ...contact, id, uuid: randomUUID(), number: '', mergedInto: ids[(at + 1) % 3] })
    })
    await expectRefusal(round, /contacts: mergedInto leads in a circle/)
  })

  it('are refused if a value has another type, length or time range', async () => {
    const faults: [string, string, unknown][] = [
      ['tags', 'name', 7],
      ['tags', 'name', null],
      ['tags', 'name', 'x'.repeat(2000)],
      ['tags', 'name', 'a\0b'],
      ['tags', 'name', '\ud800'],
      ['tags', 'createdAt', 'infinity'],
      ['tags', 'createdAt', '294276-01-01T00:00:00+00:00'],
      ['tags', 'createdAt', '2026-99-99T00:00:00+00:00'],
      ['tags', 'kanban', 1.5],
      ['tags', 'sayOn', 'yes'],
      ['messages', 'body', 'x'.repeat(80_000)],
      ['messages', 'mediaType', 'script'],
      ['messages', 'mediaPath', '../../app-secret'],
      ['messages', 'sendAs', { voice: { path: '../x', seconds: 1, waveform: null } }],
      ['messages', 'reactions', 'none'],
      ['queues', 'schedules', [{ weekdayEn: 'monday', startTime: 5 }]],
      ['queues', 'schedules', 'always'],
      ['prompts', 'maxMessages', 2_000_000_000],
      ['prompts', 'baseUrl', 'file:///etc/passwd'],
      ['apiKeys', 'scopes', ['everything']],
      ['chatMessages', 'mentions', ['1']],
      ['contactMerges', 'moved', { tickets: 'all' }],
      ['contacts', 'profilePicUrl', '/public/1/x/y?until=1&sig=abc'],
      ['contacts', 'profilePicUrl', 'javascript:alert(1)'],
      ['users', 'email', 'no address'],
      ['users', 'email', 'a@b.test\nBcc: all@b.test'],
      ['users', 'email', ` ${otherCompany.admin.email}`],
      ['users', 'timeZone', 'Mars/Olympus'],
      ['tickets', 'number', 2_147_483_647],
      ['tickets', 'botSession', { of: 'x' }],
      ['tickets', 'unreadMessages', 2_147_483_647],
      ['queues', 'resolveGoal', 10_000_000],
      ['companies', 'holidays', [{ day: 'never' }]],
    ]
    const before = await hashTablesWithout(to, 0)
    for (const [table, column, value] of faults)
      await expect(importArchive(await withCell(table, column, value)), `${table}.${column}`).rejects.toThrow(
        `${table}.jsonl, line 1`,
      )
    await expect(importArchive(await withCell('settings', 'key', 'timezone'))).rejects.toThrow('a value of timezone')
    expect(await hashTablesWithout(to, 0)).toEqual(before)
  })

  it('are refused if the company name has invisible characters', async () => {
    for (const name of ['Vecina\u200b', 'Ve\u00adcina', 'Vecina\u061c']) {
      const path = await archiveWith((archive) => {
        archive.manifest.company.name = name
        firstRow(archive, 'companies').name = name
      })
      await expectRefusal(path, /a value in name/)
    }
  })

  it('are refused if an email address belongs to an existing user or occurs twice', async () => {
    await expectRefusal(
      await withCell('users', 'email', otherCompany.admin.email.toUpperCase()),
      /has this address already/,
    )
    const twice = await archiveWith((archive) => {
      const [one, two] = archiveRows(archive, 'users') as [LooseRow, LooseRow]
      two.email = String(one.email).toUpperCase()
    })
    await expectRefusal(twice, /two people with the address/)
  })

  it('are limited in number, length and depth, unless the operator allows more', async () => {
    const path = await archiveWith(() => {})
    const limits = (change: Partial<typeof defaultLimits>) => ({ limits: { ...defaultLimits, ...change } })
    await expectRefusal(path, /Rows of .*--limit tableRows=/, limits({ tableRows: 1 }))
    await expectRefusal(path, /Rows of all tables.*--limit rows=/, limits({ rows: 10 }))
    await expectRefusal(path, /Bytes of .*--limit tableBytes=/, limits({ tableBytes: 100 }))
    await expectRefusal(path, /--limit bytes=/, limits({ bytes: 1000 }))
    await expectRefusal(path, /a line of more than 20 bytes/, limits({ lineBytes: 20 }))
    await expectRefusal(path, /--limit files=/, limits({ files: 0 }))
    await expectRefusal(path, /--limit fileBytes=/, limits({ fileBytes: 1 }))
    const deep = await archiveWith((archive) => {
      archive.rows.tags = [`{"id":${'['.repeat(100_000)}`]
    })
    await expectRefusal(deep, /tags\.jsonl, line 1 is nested deeper/)
    for (const line of ['[]', 'null', '{"a":1', '7'])
      await expectRefusal(
        await archiveWith((archive) => {
          archive.rows.tags = [line]
        }),
        /tags\.jsonl, line 1 is not/,
      )
  })

  it('are checked by a schema for every JSON and list column', async () => {
    const columns = exportedTables(await readSchema(to)).flatMap((table) =>
      table.columns
        .filter(({ name, type }) => /^jsonb?$|\[\]$/.test(type) && exportedColumns(table).includes(name))
        .filter(({ name }) => !columnShapes[table.name]?.[name])
        .map(({ name }) => `${table.name}.${name}: give it a shape in shapes.ts`),
    )
    expect(columns).toEqual([])
  })
})

describe('files of an archive', () => {
  it("are refused unless their names are in our store's format and occur once", async () => {
    for (const name of ['../../../app-secret', '/etc/passwd', 'short.txt', `${stored}\n`, `${'a'.repeat(32)}.txt/x`]) {
      const path = await archiveWith((archive) => {
        archive.media = [{ ...(archive.media[0] as LooseRow), name }]
      })
      await expectRefusal(path, /media\.jsonl, line 1/)
    }
    const twice = await archiveWith((archive) => {
      archive.media.push({ ...(archive.media[0] as LooseRow) })
    })
    await expectRefusal(twice, /twice/)
  })

  it('are refused unless they are regular files of the listed length: no links, pipes or folders', async () => {
    const secret = join(folder, 'secret')
    await writeFile(secret, 'a file')
    const linked = await archiveWith(() => {})
    await rm(join(linked, 'media', stored))
    await symlink(secret, join(linked, 'media', stored))
    await expectRefusal(linked, /not a plain file/)
    const piped = await archiveWith(() => {})
    await rm(join(piped, 'media', stored))
    execFileSync('mkfifo', [join(piped, 'media', stored)])
    await expectRefusal(piped, /not a plain file/)
    const rows = await archiveWith(() => {})
    await rename(join(rows, 'users.jsonl'), secret)
    await symlink(secret, join(rows, 'users.jsonl'))
    await expectRefusal(rows, /users\.jsonl is not a plain file/)
    const elsewhere = await archiveWith(() => {})
    await rename(join(elsewhere, 'media'), join(folder, 'elsewhere'))
    await symlink(join(folder, 'elsewhere'), join(elsewhere, 'media'))
    await expectRefusal(elsewhere, /media is not a folder/)
    const list = await archiveWith(() => {})
    await rm(join(list, 'media.jsonl'))
    await mkdir(join(list, 'media.jsonl'))
    await expectRefusal(list, /media\.jsonl is not a plain file/)
    const longer = await archiveWith((archive) => {
      archive.files[stored] = Buffer.from('a file and more')
    })
    await expectRefusal(longer, /is not what was exported/)
  })
})

describe('an accepted archive', () => {
  it('never makes the server process journaled events, even if the column that marks them as processed is missing', async () => {
    const path = await archiveWith((archive) => {
      archive.manifest.company.name = 'Sin columna'
      firstRow(archive, 'companies').name = 'Sin columna'
      for (const user of archiveRows(archive, 'users')) user.email = `sin-${user.email}`
      const journal = archiveTable(archive, 'journal')
      journal.columns = journal.columns.filter((column) => column !== 'processedAt')
      for (const row of archiveRows(archive, 'journal')) delete row.processedAt
      firstRow(archive, 'users').name = 'Ana\u202e\u200b Gil'
    })
    const { companyId } = await importArchive(path)
    const { db } = target.wide()
    const waiting = await db
      .selectFrom('journal')
      .select('id')
      .where('companyId', '=', companyId)
      .where('processedAt', 'is', null)
      .execute()
    expect(waiting).toEqual([])
    const people = await db.selectFrom('users').select('name').where('companyId', '=', companyId).execute()
    expect(people.map(({ name }) => name)).toContain('Ana Gil')
  })

  it("is imported with the operator's plan and due date, and with passwords and references that can do no harm", async () => {
    const before = await hashTablesWithout(to, 0)
    const path = await archiveWith((archive) => {
      const company = firstRow(archive, 'companies')
      company.dueDate = '2099-01-01'
      archive.manifest.plan = { name: 'Para siempre', users: 1_000_000, value: 0 }
      const [one, two] = archiveRows(archive, 'users') as [LooseRow, LooseRow]
      two.passwordHash = 'argon2id$4194304$1000$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
      one.weeklyMail = true
      const journal = firstRow(archive, 'journal')
      journal.processedAt = null
      // An id without a row is accepted as the id of a deleted user, but this one belongs to a user of another
      // company.
      firstRow(archive, 'messages').userId = otherCompany.admin.id
    })
    await expectRefusal(path, /There is no plan Oro/, { terms: { ...defaultTerms, plan: 'Oro' } })
    const brought = await importArchive(path, { terms: { ...defaultTerms, plan: 'Completo', dueDate: '2027-01-31' } })
    expect(await hashTablesWithout(to, brought.companyId)).toEqual(before)
    const { db } = target.wide()
    const mine = async (table: string): Promise<LooseRow[]> => {
      const { rows } = await sql<LooseRow>`
        select * from ${sql.table(table)} where "companyId" = ${brought.companyId}`.execute(db)
      return rows
    }
    const company = await db
      .selectFrom('companies')
      .selectAll()
      .where('id', '=', brought.companyId)
      .executeTakeFirstOrThrow()
    expect(company).toMatchObject({ planId: 2, dueDate: '2027-01-31', platform: false, trialExpiration: null })
    const users = (await mine('users')) as { super: boolean; passwordHash: string; weeklyMail: boolean }[]
    expect(users.some((user) => user.super || user.weeklyMail)).toBe(false)
    expect(users.filter(({ passwordHash }) => /^argon2id\$(8|19456)\$/.test(passwordHash))).toHaveLength(users.length)
    expect(brought.changeCounts).toMatchObject({
      'people without a password that can be kept: they ask for a new one': 1,
      'people whose weekly mail was turned off': 1,
      'events of lines that were not handled before the export': 1,
    })
    expect((await mine('journal')) as object[]).toMatchObject([{ error: 'not handled before the export' }])
    const people = await db.selectFrom('users').select('id').where('companyId', '<>', brought.companyId).execute()
    const [message] = (await mine('messages')) as { userId: number }[]
    expect(people.map(({ id }) => id)).not.toContain(message?.userId)
    // An id of the reserved block is never assigned later.
    const { rows: next } = await to.query<{ id: number }>(
      `select nextval(pg_get_serial_sequence('users', 'id'))::int as id`,
    )
    expect(next[0]?.id).toBeGreaterThan(message?.userId as number)
  })
})
