import { randomBytes } from 'node:crypto'
import { recurrenceMonths } from '@recado/contract/companies'
import { email } from '@recado/contract/endpoint'
import { isSettingKey, isValidSetting, settingDefinitions } from '@recado/contract/settings'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { createCompany } from '../../src/accounts/create-company.ts'
import { addDays, addMonths, toCalendarDay } from '../../src/kernel/clock.ts'
import { hashPassword } from '../../src/kernel/crypto.ts'
import { Scope } from '../../src/kernel/data/scope.ts'
import type { DB } from '../../src/kernel/data/tables.ts'
import { isAcceptedBcryptHash } from '../../src/kernel/password-hash.ts'
import { DumpError, type DumpRow } from '../dump/read-dump.ts'
import { insertRows } from '../insert.ts'
import { choosePlan, findPlan, parseForeignPlan, type QueryClient } from '../plan-terms.ts'
import { boolCell, intCell, isNullCell, jsonCell, lineCell, textCell } from './cells.ts'
import { parseOpeningHours } from './hours.ts'
import type { ImportRun, TargetCompany } from './import-run.ts'

const planFlags = [
  'useCampaigns',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
] as const

/** The platform's tables, behind the interface that `terms.ts` expects. */
const queryClientOf = ({ platformScope: wide }: ImportRun): QueryClient => ({
  query: async <T extends object>(text: string, values: unknown[] = []) => {
    const { rows } = await wide.db.executeQuery<T>(CompiledQuery.raw(text, values))
    return { rows }
  },
})

/** With `--keep-plans`, plans are matched by name: one that already exists here stays unchanged. */
async function importPlans(move: ImportRun): Promise<Map<number, number>> {
  const { report, platformScope: wide, options: order } = move
  const ids = new Map<number, number>()
  if (!order.terms.keepsPlans || order.terms.plan) {
    report.tallyOf('plans').found = move.spool.count('plans')
    if (move.spool.count('plans'))
      report.addNote('Plans stay behind, and companies get yours: --keep-plans brings them.')
    return ids
  }
  const here = await wide.db.selectFrom('plans').select(['id', 'name']).execute()
  const byName = new Map(here.map(({ id, name }) => [name.toLowerCase(), id]))
  for (const row of await move.spool.readAll('plans')) {
    const oldId = intCell(row, 'id')
    const name = lineCell(row, 'name', 50)
    report.tallyOf('plans').found++
    if (oldId === null || !name) {
      report.countSkipped('plans', 'without a name', row.id)
      continue
    }
    const known = byName.get(name.toLowerCase())
    if (known !== undefined) {
      ids.set(oldId, known)
      report.tallyOf('plans').there++
      continue
    }
    // A flag missing from the plan means "allowed", as in the source system.
    const allowed = Object.fromEntries(planFlags.map((flag) => [flag, isNullCell(row, flag) || boolCell(row, flag)]))
    const plan = parseForeignPlan({ ...row, name, ...allowed })
    if (!plan) {
      report.countSkipped('plans', 'cannot be read', oldId)
      continue
    }
    const id = move.dryRun ? move.nextDryRunId() : (await choosePlan(queryClientOf(move), order.terms, plan)).id
    ids.set(oldId, id)
    byName.set(name.toLowerCase(), id)
    report.tallyOf('plans').written++
  }
  return ids
}

/** Bounds the search: a dump may have the same name a hundred thousand times. */
export const maxNameTries = 50

/** A name that is not taken yet. */
export function findFreeName(wish: string, taken: Set<string>, more: string): string {
  const tries = [wish, `${wish} (${more})`]
  for (let n = 2; ; n++) {
    const name = tries.shift() ?? `${wish} (${more} ${n < maxNameTries ? n : randomBytes(4).toString('hex')})`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/** Every requested company of the dump, with its plan and its opening hours. */
export async function importCompanies(move: ImportRun): Promise<void> {
  const { report, platformScope: wide, spool, options: order } = move
  const plans = await importPlans(move)
  const plan = await findPlan(queryClientOf(move), order.terms)
  const before = await move.loadImportedCompanies()
  const single: DumpRow = { id: '0', name: order.name ?? 'Whaticket', status: 't' }
  const rows = move.hasCompanies ? await spool.readAll('companies') : [single]
  const names = await wide.db.selectFrom('companies').select('name').execute()
  const taken = new Set(names.map(({ name }) => name.toLowerCase()))
  for (const row of rows) {
    const oldId = intCell(row, 'id')
    if (order.company !== null && move.hasCompanies && oldId !== order.company) continue
    report.tallyOf('companies').found++
    if (oldId === null) {
      report.countSkipped('companies', 'cannot be read', row.id)
      continue
    }
    const known = before.get(oldId)
    if (move.targetCompanies.has(oldId)) {
      report.countSkipped('companies', 'twice in the dump', oldId)
      continue
    }
    if (known === 0) {
      report.countSkipped('companies', 'deleted here since it came', oldId)
      continue
    }
    if (known) {
      const home = { oldId, id: known, scope: new Scope(move.deps, { companyId: known }), isNew: false }
      await assertSameDump(move, home)
      report.tallyOf('companies').there++
      move.targetCompanies.set(oldId, home)
      continue
    }
    const wish = lineCell(row, 'name', 100) || `Company ${oldId}`
    const name = findFreeName(wish, taken, move.kind)
    if (name !== wish) report.countChanged('companies', 'renamed, the name is taken', oldId)
    const id = move.dryRun
      ? move.nextDryRunId()
      : await createImportedCompany(move, row, oldId, name, plans.get(intCell(row, 'planId') ?? -1) ?? plan.id)
    move.targetCompanies.set(oldId, { oldId, id, scope: new Scope(move.deps, { companyId: id }), isNew: true })
    report.tallyOf('companies').written++
  }
  if (report.tallyOf('companies').written && !order.terms.keepsPlans)
    report.addNote(`New companies are on the plan ${plan.name}: --plan and --due say otherwise.`)
  if (!move.targetCompanies.size)
    throw new Error(order.company === null ? 'The dump has no company.' : `The dump has no company ${order.company}.`)
}

/**
 * Another dump of the same installation writes its rows into companies that are already here. Its first company and user
 * can be copied by anyone who has seen them, so the operator has to declare that it is a later dump. The very same file
 * resumes where it was interrupted.
 */
async function assertSameDump(
  { source, options: order, dumpHash: dump, dryRun }: ImportRun,
  home: TargetCompany,
): Promise<void> {
  const { rows } = await sql`
    select from "movedRows" where "companyId" = ${home.id} and source = ${source} and kind = 'dump' and "oldId" = ${dump}`.execute(
    home.scope.db,
  )
  if (rows.length) return
  if (!order.isUpdate)
    throw new DumpError(
      `Company ${home.id} came with another dump of this installation. If you know that this is a later one, say --later: its rows, people too, go into that company.`,
    )
  if (!dryRun) await recordDump(home.scope.db, source, dump, home.id)
}
const recordDump = (db: Kysely<DB>, source: string, dump: string, companyId: number) =>
  insertRows(db, 'movedRows', [{ companyId, source, kind: 'dump', oldId: dump, newId: null }], null)

/** The paid-until date: set by the operator or, with `--keep-plans`, by the dump. */
function dueDay(move: ImportRun, row: DumpRow): string {
  const { terms } = move.options
  const today = toCalendarDay(move.deps.clock.now(), 'UTC')
  if (terms.dueDate) return terms.dueDate
  if (!terms.keepsPlans) return addDays(today, terms.defaultDays)
  const told = z.iso.date().safeParse((row.dueDate ?? '').slice(0, 10))
  // A company without a due date was never asked to pay; here it gets one year.
  return told.success && told.data > '2000' && told.data < '2100' ? told.data : addMonths(today, 12)
}

async function createImportedCompany(
  move: ImportRun,
  row: DumpRow,
  oldId: number,
  name: string,
  planId: number,
): Promise<number> {
  const { platformScope: wide, source } = move
  const week = parseOpeningHours(jsonCell(row, 'schedules'))
  const recurrence = lineCell(row, 'recurrence', 20).toUpperCase()
  return wide.transaction(async (tx) => {
    const company = {
      name,
      email: lineCell(row, 'email', 100) || null,
      phone: lineCell(row, 'phone', 30),
      planId,
      status: isNullCell(row, 'status') || boolCell(row, 'status'),
      dueDate: dueDay(move, row),
      recurrence: recurrence in recurrenceMonths ? (recurrence as keyof typeof recurrenceMonths) : ('MENSAL' as const),
    }
    const { companyScope: home, company: made } = await createCompany(tx, company, null, {})
    const createdAt = move.timestampCell(row, 'createdAt') ?? move.now()
    await tx.db
      .updateTable('companies')
      .set({
        createdAt,
        ...(week && { schedules: JSON.stringify(week.hours), holidays: JSON.stringify(week.holidays) }),
      })
      .where('id', '=', made.id)
      .execute()
    const language = /^(es|pt|en)/.exec(row.language ?? '')?.[0]
    const settings = { ...(week?.zone && { timezone: week.zone }), ...(language && { language }) }
    await insertRows(
      tx.db,
      'settings',
      Object.entries(settings).map(([key, value]) => ({ companyId: made.id, key, value })),
      null,
    )
    await insertRows(
      home.db,
      'movedRows',
      [{ companyId: made.id, source, kind: 'company', oldId: String(oldId), newId: made.id }],
      null,
    )
    await recordDump(home.db, source, move.dumpHash, made.id)
    return made.id
  })
}

/** The nearest of the numbers that the setting allows. */
const nearestChoice = (value: number, choices: readonly string[]): string =>
  choices.reduce((a, b) => (Math.abs(Number(b) - value) < Math.abs(Number(a) - value) ? b : a))

/** Imports settings that mean the same here and that are not set yet. */
export async function importSettings(move: ImportRun): Promise<void> {
  const { report, deps: means } = move
  await move.forEachBatch(
    'settings',
    'settings',
    (row) => {
      const home = move.companyOf(row)
      const key = lineCell(row, 'key', 60)
      if (!home) {
        if (move.options.company === null) report.countSkipped('settings', 'of no company', key)
        else report.tallyOf('settings').found--
        return null
      }
      const said = textCell(row, 'value', 4096)
      const choices = key === 'autoReopenTimeout' ? settingDefinitions.autoReopenTimeout.values : null
      const value = choices && /^\d+$/.test(said) ? nearestChoice(Number(said), choices) : said
      if (!isSettingKey(key) || !isValidSetting(key, value)) {
        report.countSkipped('settings', isSettingKey(key) ? 'a value that is none here' : 'no such setting here', key)
        return null
      }
      const secret = 'secret' in settingDefinitions[key]
      return { home, entry: { companyId: home.id, key, value: secret && value ? means.vault.seal(value) : value } }
    },
    async (home, entries) => {
      const here =
        home.id < 0
          ? []
          : await home.scope.db.selectFrom('settings').select('key').where('companyId', '=', home.id).execute()
      const known = new Set(here.map(({ key }) => key))
      const fresh = entries.filter(({ key }) => !known.has(key) && known.add(key))
      report.tallyOf('settings').there += entries.length - fresh.length
      if (!move.dryRun) await insertRows(home.scope.db, 'settings', fresh, null)
      report.tallyOf('settings').written += fresh.length
    },
  )
}

const profiles = ['admin', 'supervisor', 'user'] as const

/** Users, with their current passwords. An address already in use here is changed and reported. */
export async function importUsers(move: ImportRun): Promise<void> {
  const { report, platformScope: wide } = move
  const nobody = await hashPassword(randomBytes(24).toString('base64url'))
  await move.forEachBatch(
    'users',
    'users',
    (row) => {
      const home = move.companyOf(row)
      const oldId = intCell(row, 'id')
      if (!home || oldId === null) {
        move.skipOrphan('users', 'of no company that came', row.id)
        return null
      }
      if (move.findImported(home, 'user', oldId) !== undefined) {
        report.tallyOf('users').there++
        return null
      }
      return { home, entry: { oldId, row } }
    },
    async (home, all) => {
      const asked = all.map(({ row }) => lineCell(row, 'email', 200).toLowerCase())
      const { rows } = await sql<{ email: string }>`
        select lower(email) as email from users where lower(email) = any(${asked}::text[])`.execute(wide.db)
      const taken = new Set(rows.map(({ email }) => email))
      const entries = all.map(({ oldId, row }) => {
        const login = findFreeEmail(lineCell(row, 'email', 200), oldId, taken)
        if (login.changed) {
          report.countChanged('users', 'address changed, it was taken or none', oldId)
          report.addNote(`User ${oldId} logs in with ${login.address}.`)
        }
        if (boolCell(row, 'super')) report.countChanged('users', 'no longer a super user', oldId)
        const hash = textCell(row, 'passwordHash', 100)
        const fits = isAcceptedBcryptHash(hash)
        if (!fits) report.countChanged('users', 'without a password that can be kept: has to ask for a new one', oldId)
        const profile = lineCell(row, 'profile', 20).toLowerCase()
        return {
          oldId,
          row: {
            name: lineCell(row, 'name', 50) || login.address.split('@')[0],
            email: login.address,
            passwordHash: fits ? hash : nobody,
            profile: profiles.find((one) => one === profile) ?? 'user',
            allTicket: /^enable/.test(row.allTicket ?? '') ? 'enabled' : 'desabled',
            language: /^(es|pt|en)/.exec(row.language ?? '')?.[0] ?? null,
            whatsappId: move.newIdOf(home, 'line', intCell(row, 'whatsappId')),
            createdAt: move.timestampCell(row, 'createdAt') ?? move.now(),
          },
        }
      })
      await move.writeEntries(home, 'user', 'users', entries)
    },
  )
}

/** An address is unique on the whole platform. An invalid one is replaced by an address that receives no mail. */
function findFreeEmail(said: string, oldId: number, taken: Set<string>): { address: string; changed: boolean } {
  const plain = said.toLowerCase()
  const isAddress = email.safeParse(plain).success
  const [name = 'user', host = 'moved.invalid'] = isAddress
    ? plain.split('@')
    : [plain.replace(/[^\w.-]|^[.-]+|[.-]+$/g, '').slice(0, 60) || 'user']
  let address = isAddress ? plain : `${name}@${host}`
  for (let n = 0; taken.has(address); n++) address = `${name}+moved${oldId}${n ? `.${n}` : ''}@${host}`
  taken.add(address)
  return { address, changed: address !== plain }
}

/** The queues an agent works in, and the queues customers of a connection may choose. */
export async function importQueueMembers(move: ImportRun): Promise<void> {
  await importQueueLink(move, 'userqueues', 'queues of users', 'userQueue', 'user', 'userId', 'userQueues')
  await importQueueLink(
    move,
    'whatsappqueues',
    'queues of connections',
    'lineQueue',
    'line',
    'whatsappId',
    'whatsappQueues',
  )
}

async function importQueueLink(
  move: ImportRun,
  table: 'userqueues' | 'whatsappqueues',
  name: string,
  kind: string,
  parent: 'user' | 'line',
  column: 'userId' | 'whatsappId',
  into: 'userQueues' | 'whatsappQueues',
): Promise<void> {
  const homes = await loadOwners(move, parent)
  await move.forEachBatch(
    table,
    name,
    (row) => {
      const oldId = `${row[column]}:${row.queueId}`
      const home = homes.get(intCell(row, column) ?? -1)
      const one = home ? move.newIdOf(home, parent, intCell(row, column)) : null
      const queueId = home ? move.newIdOf(home, 'queue', intCell(row, 'queueId')) : null
      if (!home || queueId === null || one === null) {
        move.skipOrphan(name, `its ${parent === 'user' ? 'user' : 'connection'} or queue did not come`, oldId)
        return null
      }
      return { home, entry: { oldId, row: { [column]: one, queueId } } }
    },
    async (home, entries) => {
      const once = [...new Map(entries.map((entry) => [entry.oldId, entry])).values()]
      await move.writeEntries(home, kind, into, await move.filterNew(home, kind, once), { returningColumn: null })
    },
  )
}

/** The company of each row of a kind, by its id in the source: taken from the dump's own rows. */
async function loadOwners(move: ImportRun, parent: 'user' | 'line'): Promise<Map<number, TargetCompany>> {
  const homes = new Map<number, TargetCompany>()
  for await (const rows of move.spool.batches(parent === 'user' ? 'users' : 'whatsapps', 2000))
    for (const row of rows) {
      const [home, id] = [move.companyOf(row), intCell(row, 'id')]
      if (home && id !== null) homes.set(id, home)
    }
  return homes
}
