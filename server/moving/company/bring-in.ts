import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Files } from '../../src/kernel/files/files.ts'
import { formVersion, Manifest, MediaFile, manifestName, mediaFolder, sumOf } from './manifest.ts'
import { columnsOf, inside, isSealed, type Renumber, referred } from './rules.ts'
import { later, readSchema, type Table } from './schema.ts'
import { copySummed, type MovingMeans, NotMoved, type Say } from './take-out.ts'

type Row = Record<string, unknown>
export type BroughtIn = { companyId: number; name: string; was: 'new' | 'there'; rows: number; files: number }

/** So many rows, or so much text, in one statement. */
const portion = { rows: 500, signs: 2_000_000 }

/**
 * A company from a folder that `takeOut` made. Its rows come in one transaction: nobody sees half of it, and whoever
 * kills this begins anew. Its files wait beside those of other companies until then; who was killed between the two is
 * finished by the next run. The same folder again changes nothing.
 */
export async function bringIn({ owner, files }: MovingMeans, folder: string, say: Say = () => {}): Promise<BroughtIn> {
  const manifest = await readManifest(folder)
  const waiting = files.aside(manifest.id)
  const known = await broughtBefore(owner, manifest.id)
  if (known) {
    await takeFiles(files, waiting, known.companyId)
    return { ...known, was: 'there', rows: 0, files: 0 }
  }
  const order = (await readSchema(owner)).filter(({ name }) => manifest.tables.some((table) => table.name === name))
  mustFit(manifest, order)
  await mustBeWhole(manifest, folder)
  await mustBeFree(owner, folder, manifest)
  const moved = await copyFiles(manifest, folder, waiting, say)
  const shifts = await makeRoom(owner, manifest, order)
  const companyId = manifest.company.id + (shifts.get('companies') ?? 0)
  const rows = await inOneTransaction(owner, (client) =>
    writeAll({ client, files, folder, manifest, order, shifts, companyId, say }),
  )
  await takeFiles(files, waiting, companyId)
  return { companyId, name: manifest.company.name, was: 'new', rows, files: moved }
}

/** Who is killed meanwhile goes on with those that are left. */
async function takeFiles(files: Files, waiting: string, companyId: number): Promise<void> {
  for (const name of await readdir(waiting).catch(() => [])) await files.take(companyId, name, join(waiting, name))
  await rm(waiting, { recursive: true, force: true })
}

export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, manifestName)
  if (!existsSync(file)) throw new NotMoved(`${folder} is no whole export: it has no ${manifestName}.`)
  const read = Manifest.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!read.success) throw new NotMoved(`${file} is not the manifest of an exported company.`)
  if (read.data.version > formVersion) throw new NotMoved('It was exported by a newer Recado: update this one first.')
  return read.data
}

async function asPlatform<T>(owner: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return inOneTransaction(owner, async (client) => {
    await client.query('set local role recado_platform')
    return work(client)
  })
}

async function inOneTransaction<T>(owner: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

const broughtBefore = (owner: pg.Pool, id: string) =>
  asPlatform(owner, async (client) => {
    const { rows } = await client.query<{ companyId: number; name: string }>(
      `select id as "companyId", name from companies where "movedFrom" = $1`,
      [id],
    )
    return rows[0] ?? null
  })

/** What this database does not know cannot be kept: better nothing than less. */
function mustFit(manifest: Manifest, order: Table[]): void {
  const unknown = manifest.tables.flatMap(({ name, columns }) => {
    const table = order.find((one) => one.name === name)
    if (!table) return [name]
    const has = columnsOf(table)
    return columns.filter((column) => !has.includes(column)).map((column) => `${name}.${column}`)
  })
  if (unknown.length) throw new NotMoved(`This Recado does not know ${unknown.join(', ')}: update it first.`)
}

async function mustBeWhole(manifest: Manifest, folder: string): Promise<void> {
  for (const { file, sha256 } of [...manifest.tables, manifest.media]) {
    const sum = await sumOf(join(folder, file)).catch(() => '')
    if (sum !== sha256) throw new NotMoved(`${file} is not what was exported: its checksum differs.`)
  }
}

/** Names of companies and addresses of people are one on the whole platform. */
async function mustBeFree(owner: pg.Pool, folder: string, manifest: Manifest): Promise<void> {
  const emails: string[] = []
  for await (const row of rowsOf(folder, manifest, 'users')) emails.push(String(row.email).toLowerCase())
  await asPlatform(owner, async (client) => {
    const { rows: names } = await client.query('select 1 from companies where lower(name) = lower($1)', [
      manifest.company.name,
    ])
    if (names.length) throw new NotMoved(`There is a company named ${manifest.company.name} already.`)
    const { rows: taken } = await client.query<{ email: string }>(
      'select email from users where lower(email) = any ($1)',
      [emails],
    )
    if (taken.length)
      throw new NotMoved(`Somebody here has this address already: ${taken.map(({ email }) => email).join(', ')}.`)
  })
}

async function copyFiles(manifest: Manifest, folder: string, to: string, say: Say): Promise<number> {
  await rm(to, { recursive: true, force: true })
  await mkdir(to, { recursive: true })
  let copied = 0
  for await (const line of linesOf(join(folder, manifest.media.file))) {
    const { name, sha256 } = MediaFile.parse(JSON.parse(line))
    if (!/^[\w-]+\.[a-z0-9]+$/.test(name)) throw new NotMoved(`${name} is no name of a file of ours.`)
    const copy = await copySummed(createReadStream(join(folder, mediaFolder, name)), join(to, name))
    if (copy.sha256 !== sha256) throw new NotMoved(`The file ${name} is not what was exported.`)
    copied++
    say('files', 1, manifest.media.files)
  }
  return copied
}

/**
 * New ids are the old ones, moved up as a block beyond all that were given out here: references move by the same
 * number, so nothing has to be remembered. Nobody writes in between, for as long as that takes.
 */
async function makeRoom(owner: pg.Pool, manifest: Manifest, order: Table[]): Promise<Map<string, number>> {
  const counted = order.flatMap(({ name, counted }) => {
    const ids = manifest.tables.find((table) => table.name === name)?.ids
    return counted && ids ? [{ name, sequence: counted.sequence, ...ids }] : []
  })
  return inOneTransaction(owner, async (client) => {
    await client.query(`lock table ${counted.map(({ name }) => `"${name}"`)} in share row exclusive mode`)
    const shifts = new Map<string, number>()
    for (const { name, sequence, low, high } of counted) {
      const { rows } = await client.query<{ next: string }>('select nextval($1) as next', [sequence])
      const first = Number(rows[0]?.next)
      shifts.set(name, first - low)
      await client.query('select setval($1, $2)', [sequence, first + high - low])
    }
    return shifts
  })
}

type Work = {
  client: pg.PoolClient
  files: Files
  folder: string
  manifest: Manifest
  order: Table[]
  shifts: Map<string, number>
  companyId: number
  say: Say
}

async function writeAll(work: Work): Promise<number> {
  const { client, manifest, order, companyId, say } = work
  await client.query('set local role recado_platform')
  const planId = await planHere(client, manifest)
  const late = new Map(order.map((table) => [table.name, later(table, order)]))
  let rows = 0
  for (const table of order) {
    const first = (row: Row): Row => ({
      ...row,
      ...Object.fromEntries((late.get(table.name) ?? []).map((c) => [c, null])),
    })
    const more = table.name === 'companies' ? { planId, movedFrom: manifest.id } : {}
    const written = await inPortions(work, table, (row) => ({ ...first(row), ...more }), insert)
    rows += written
  }
  for (const table of order) {
    const columns = late.get(table.name) ?? []
    if (columns.length) await inPortions(work, table, (row) => (columns.some((c) => row[c] != null) ? row : null), fill)
  }
  const { rows: found } = await client.query<{ last: number | null }>(
    'select max(number) as last from tickets where "companyId" = $1',
    [companyId],
  )
  await client.query('reset role')
  if (found[0]?.last)
    await client.query('select setval($1::regclass, $2)', [`numbers."tickets_${companyId}"`, found[0].last])
  return rows

  async function insert(table: Table, batch: Row[]): Promise<void> {
    const names = Object.keys(batch[0] ?? {})
    const columns = names.map((name) => `"${name}"`)
    await client.query(
      `insert into "${table.name}" (${columns}) overriding system value select ${columns} from json_populate_recordset(null::"${table.name}", $1::json)`,
      [JSON.stringify(batch)],
    )
    say(table.name, batch.length, 0)
  }
  async function fill(table: Table, batch: Row[]): Promise<void> {
    const id = table.counted?.column ?? 'id'
    const columns = (late.get(table.name) ?? []).map((name) => `"${name}" = r."${name}"`)
    await client.query(
      `update "${table.name}" t set ${columns} from json_populate_recordset(null::"${table.name}", $1::json) r where t."${id}" = r."${id}"`,
      [JSON.stringify(batch)],
    )
  }
}

/** The plan of the same name, or one like it. */
async function planHere(client: pg.PoolClient, { plan }: Manifest): Promise<number | null> {
  if (!plan) return null
  const { rows } = await client.query<{ id: number }>('select id from plans where lower(name) = lower($1)', [plan.name])
  if (rows[0]) return rows[0].id
  const { rows: known } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'plans'`,
  )
  const columns = Object.keys(plan).filter((key) => key !== 'id' && known.some(({ name }) => name === key))
  const list = columns.map((name) => `"${name}"`)
  const made = await client.query<{ id: number }>(
    `insert into plans (${list}) select ${list} from json_populate_record(null::plans, $1::json) returning id`,
    [JSON.stringify(plan)],
  )
  return made.rows[0]?.id ?? null
}

async function inPortions(
  work: Work,
  table: Table,
  shape: (row: Row) => Row | null,
  write: (table: Table, batch: Row[]) => Promise<void>,
): Promise<number> {
  const number = renumbering(work, table)
  let batch: Row[] = []
  let signs = 0
  let all = 0
  const flush = async () => {
    if (batch.length) await write(table, batch)
    all += batch.length
    batch = []
    signs = 0
  }
  for await (const row of rowsOf(work.folder, work.manifest, table.name)) {
    const made = shape(number(row))
    if (!made) continue
    batch.push(made)
    signs += Number(row[size])
    if (batch.length >= portion.rows || signs > portion.signs) await flush()
  }
  await flush()
  return all
}

/** How a row of this table gets the ids and addresses of this house. */
function renumbering({ manifest, order, shifts, files, companyId }: Work, table: Table): (row: Row) => Row {
  // Nothing and nobody is 0 in some places: it stays so.
  const to: Renumber = (name, id) => (id > 0 ? id + (shifts.get(name) ?? 0) : id)
  const columns = manifest.tables.find(({ name }) => name === table.name)?.columns ?? []
  const target = (column: string) => {
    if (column === table.counted?.column) return table.name
    return column === 'companyId' ? 'companies' : referred(order, table.name, column)
  }
  const known = columns.map((column) => ({ column, to: target(column), inside: inside[table.name]?.[column] }))
  const sealed = table.columns.filter((c) => isSealed(c.name) && !c.default && !c.nullable)
  return (row) => {
    const made: Row = Object.fromEntries(sealed.map(({ name }) => [name, '']))
    for (const { column, to: name, inside: change } of known) {
      const value = row[column]
      if (value === null || value === undefined) made[column] = null
      else if (change) made[column] = change(value as never, to, row)
      else if (name && typeof value === 'number') made[column] = to(name, value)
      else made[column] = typeof value === 'string' ? ownAddress(files, companyId, value) : value
    }
    return made
  }
}

/** The lasting address of a file (a portrait's) names the company and carries this house's signature. */
function ownAddress(files: Files, companyId: number, text: string): string {
  const found = /^\/public\/\d+\/([^/?]+)\/([^/?]+)\?until=\d+&sig=[\w-]+$/.exec(text)
  if (!found) return text
  const [, mediaPath = '', shown = ''] = found
  return `/public/${files.lasting(companyId, { mediaPath, mediaName: decodeURIComponent(shown) })}`
}

/** How long a line was, so that a statement does not get too long. */
const size = Symbol('size')

/** By line feeds alone: Node's own reader also breaks at signs that may stand in a text. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line) yield line
  }
  if (rest) yield rest
}

async function* rowsOf(folder: string, manifest: Manifest, table: string): AsyncGenerator<Row & { [size]: number }> {
  const file = manifest.tables.find(({ name }) => name === table)?.file
  if (!file) return
  for await (const line of linesOf(join(folder, file))) yield { ...(JSON.parse(line) as Row), [size]: line.length }
}
