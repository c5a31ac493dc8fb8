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

/** The platform's tables, behind the interface that `plan-terms.ts` expects. */
const queryClientOf = ({ platformScope }: ImportRun): QueryClient => ({
  query: async <T extends object>(text: string, values: unknown[] = []) => {
    const { rows } = await platformScope.db.executeQuery<T>(CompiledQuery.raw(text, values))
    return { rows }
  },
})

/** With `--keep-plans`, plans are matched by name: a plan that already exists on this platform stays unchanged. */
async function importPlans(run: ImportRun): Promise<Map<number, number>> {
  const { report, platformScope, options } = run
  const ids = new Map<number, number>()
  if (!options.terms.keepsPlans || options.terms.plan) {
    report.tallyOf('plans').found = run.spool.count('plans')
    if (run.spool.count('plans'))
      report.addNote('Plans stay behind, and companies get yours: --keep-plans brings them.')
    return ids
  }
  const existing = await platformScope.db.selectFrom('plans').select(['id', 'name']).execute()
  const byName = new Map(existing.map(({ id, name }) => [name.toLowerCase(), id]))
  for (const row of await run.spool.readAll('plans')) {
    const oldId = intCell(row, 'id')
    const name = lineCell(row, 'name', 50)
    report.tallyOf('plans').found++
    if (oldId === null || !name) {
      report.countSkipped('plans', 'without a name', row.id)
      continue
    }
    const existingId = byName.get(name.toLowerCase())
    if (existingId !== undefined) {
      ids.set(oldId, existingId)
      report.tallyOf('plans').there++
      continue
    }
    // A feature flag that is missing in the source's plan means "allowed", as in the source system.
    const allowed = Object.fromEntries(planFlags.map((flag) => [flag, isNullCell(row, flag) || boolCell(row, flag)]))
    const plan = parseForeignPlan({ ...row, name, ...allowed })
    if (!plan) {
      report.countSkipped('plans', 'cannot be read', oldId)
      continue
    }
    const id = run.dryRun ? run.nextDryRunId() : (await choosePlan(queryClientOf(run), options.terms, plan)).id
    ids.set(oldId, id)
    byName.set(name.toLowerCase(), id)
    report.tallyOf('plans').written++
  }
  return ids
}

/** Maximum attempts to find a free name: a dump may contain the same name a hundred thousand times. */
export const maxNameTries = 50

/** A name that is not taken yet. */
export function findFreeName(wantedName: string, taken: Set<string>, suffix: string): string {
  const tries = [wantedName, `${wantedName} (${suffix})`]
  for (let n = 2; ; n++) {
    const name = tries.shift() ?? `${wantedName} (${suffix} ${n < maxNameTries ? n : randomBytes(4).toString('hex')})`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/** Imports every requested company of the dump, with its plan and its opening hours. */
export async function importCompanies(run: ImportRun): Promise<void> {
  const { report, platformScope, spool, options } = run
  const plans = await importPlans(run)
  const plan = await findPlan(queryClientOf(run), options.terms)
  const importedCompanies = await run.loadImportedCompanies()
  const single: DumpRow = { id: '0', name: options.name ?? 'Whaticket', status: 't' }
  const rows = run.hasCompanies ? await spool.readAll('companies') : [single]
  const names = await platformScope.db.selectFrom('companies').select('name').execute()
  const taken = new Set(names.map(({ name }) => name.toLowerCase()))
  for (const row of rows) {
    const oldId = intCell(row, 'id')
    if (options.company !== null && run.hasCompanies && oldId !== options.company) continue
    report.tallyOf('companies').found++
    if (oldId === null) {
      report.countSkipped('companies', 'cannot be read', row.id)
      continue
    }
    const existingId = importedCompanies.get(oldId)
    if (run.targetCompanies.has(oldId)) {
      report.countSkipped('companies', 'twice in the dump', oldId)
      continue
    }
    if (existingId === 0) {
      report.countSkipped('companies', 'deleted here since it came', oldId)
      continue
    }
    if (existingId) {
      const home = { oldId, id: existingId, scope: new Scope(run.deps, { companyId: existingId }), isNew: false }
      await assertSameDump(run, home)
      report.tallyOf('companies').there++
      run.targetCompanies.set(oldId, home)
      continue
    }
    const wantedName = lineCell(row, 'name', 100) || `Company ${oldId}`
    const name = findFreeName(wantedName, taken, run.kind)
    if (name !== wantedName) report.countChanged('companies', 'renamed, the name is taken', oldId)
    const id = run.dryRun
      ? run.nextDryRunId()
      : await createImportedCompany(run, row, oldId, name, plans.get(intCell(row, 'planId') ?? -1) ?? plan.id)
    run.targetCompanies.set(oldId, { oldId, id, scope: new Scope(run.deps, { companyId: id }), isNew: true })
    report.tallyOf('companies').written++
  }
  if (report.tallyOf('companies').written && !options.terms.keepsPlans)
    report.addNote(`New companies are on the plan ${plan.name}: --plan and --due say otherwise.`)
  if (!run.targetCompanies.size)
    throw new Error(
      options.company === null ? 'The dump has no company.' : `The dump has no company ${options.company}.`,
    )
}

/**
 * Another dump of the same installation writes its rows into companies that were imported before. Anyone who has seen
 * the first company and user of an installation could forge such a dump, so the operator has to declare that it is a
 * later dump. An import of the very same file resumes where it was interrupted.
 */
async function assertSameDump(
  { source, options, dumpHash: dump, dryRun }: ImportRun,
  home: TargetCompany,
): Promise<void> {
  const { rows } = await sql`
    select from "movedRows" where "companyId" = ${home.id} and source = ${source} and kind = 'dump' and "oldId" = ${dump}`.execute(
    home.scope.db,
  )
  if (rows.length) return
  if (!options.isUpdate)
    throw new DumpError(
      `Company ${home.id} came with another dump of this installation. If you know that this is a later one, say --later: its rows, people too, go into that company.`,
    )
  if (!dryRun) await recordDump(home.scope.db, source, dump, home.id)
}
const recordDump = (db: Kysely<DB>, source: string, dump: string, companyId: number) =>
  insertRows(db, 'movedRows', [{ companyId, source, kind: 'dump', oldId: dump, newId: null }], null)

/** The paid-until date, set by the operator or, with `--keep-plans`, by the dump. */
function dueDay(run: ImportRun, row: DumpRow): string {
  const { terms } = run.options
  const today = toCalendarDay(run.deps.clock.now(), 'UTC')
  if (terms.dueDate) return terms.dueDate
  if (!terms.keepsPlans) return addDays(today, terms.defaultDays)
  const parsedDate = z.iso.date().safeParse((row.dueDate ?? '').slice(0, 10))
  // A company without a due date was never asked to pay: it gets one year.
  return parsedDate.success && parsedDate.data > '2000' && parsedDate.data < '2100'
    ? parsedDate.data
    : addMonths(today, 12)
}

async function createImportedCompany(
  run: ImportRun,
  row: DumpRow,
  oldId: number,
  name: string,
  planId: number,
): Promise<number> {
  const { platformScope, source } = run
  const week = parseOpeningHours(jsonCell(row, 'schedules'))
  const recurrence = lineCell(row, 'recurrence', 20).toUpperCase()
  return platformScope.transaction(async (tx) => {
    const company = {
      name,
      email: lineCell(row, 'email', 100) || null,
      phone: lineCell(row, 'phone', 30),
      planId,
      status: isNullCell(row, 'status') || boolCell(row, 'status'),
      dueDate: dueDay(run, row),
      recurrence: recurrence in recurrenceMonths ? (recurrence as keyof typeof recurrenceMonths) : ('MENSAL' as const),
    }
    const { companyScope: home, company: made } = await createCompany(tx, company, null, {})
    const createdAt = run.timestampCell(row, 'createdAt') ?? run.now()
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
    await recordDump(home.db, source, run.dumpHash, made.id)
    return made.id
  })
}

/** The allowed value of a setting that is nearest to this number. */
const nearestChoice = (value: number, choices: readonly string[]): string =>
  choices.reduce((a, b) => (Math.abs(Number(b) - value) < Math.abs(Number(a) - value) ? b : a))

/** Imports settings that have the same meaning in Recado and are not set yet. */
export async function importSettings(run: ImportRun): Promise<void> {
  const { report, deps } = run
  await run.forEachBatch(
    'settings',
    'settings',
    (row) => {
      const home = run.companyOf(row)
      const key = lineCell(row, 'key', 60)
      if (!home) {
        if (run.options.company === null) report.countSkipped('settings', 'of no company', key)
        else report.tallyOf('settings').found--
        return null
      }
      const rawValue = textCell(row, 'value', 4096)
      const choices = key === 'autoReopenTimeout' ? settingDefinitions.autoReopenTimeout.values : null
      const value = choices && /^\d+$/.test(rawValue) ? nearestChoice(Number(rawValue), choices) : rawValue
      if (!isSettingKey(key) || !isValidSetting(key, value)) {
        report.countSkipped('settings', isSettingKey(key) ? 'a value that is none here' : 'no such setting here', key)
        return null
      }
      const secret = 'secret' in settingDefinitions[key]
      return { home, entry: { companyId: home.id, key, value: secret && value ? deps.vault.seal(value) : value } }
    },
    async (home, entries) => {
      const existing =
        home.id < 0
          ? []
          : await home.scope.db.selectFrom('settings').select('key').where('companyId', '=', home.id).execute()
      const existingKeys = new Set(existing.map(({ key }) => key))
      const newEntries = entries.filter(({ key }) => !existingKeys.has(key) && existingKeys.add(key))
      report.tallyOf('settings').there += entries.length - newEntries.length
      if (!run.dryRun) await insertRows(home.scope.db, 'settings', newEntries, null)
      report.tallyOf('settings').written += newEntries.length
    },
  )
}

const profiles = ['admin', 'supervisor', 'user'] as const

/** Imports users with their current passwords. An address that is already in use is changed and reported. */
export async function importUsers(run: ImportRun): Promise<void> {
  const { report, platformScope } = run
  const randomPasswordHash = await hashPassword(randomBytes(24).toString('base64url'))
  await run.forEachBatch(
    'users',
    'users',
    (row) => {
      const home = run.companyOf(row)
      const oldId = intCell(row, 'id')
      if (!home || oldId === null) {
        run.skipOrphan('users', 'of no company that came', row.id)
        return null
      }
      if (run.findImported(home, 'user', oldId) !== undefined) {
        report.tallyOf('users').there++
        return null
      }
      return { home, entry: { oldId, row } }
    },
    async (home, all) => {
      const emails = all.map(({ row }) => lineCell(row, 'email', 200).toLowerCase())
      const { rows } = await sql<{ email: string }>`
        select lower(email) as email from users where lower(email) = any(${emails}::text[])`.execute(platformScope.db)
      const taken = new Set(rows.map(({ email }) => email))
      const entries = all.map(({ oldId, row }) => {
        const login = findFreeEmail(lineCell(row, 'email', 200), oldId, taken)
        if (login.changed) {
          report.countChanged('users', 'address changed, it was taken or none', oldId)
          report.addNote(`User ${oldId} logs in with ${login.address}.`)
        }
        if (boolCell(row, 'super')) report.countChanged('users', 'no longer a super user', oldId)
        const hash = textCell(row, 'passwordHash', 100)
        const isHashAccepted = isAcceptedBcryptHash(hash)
        if (!isHashAccepted)
          report.countChanged('users', 'without a password that can be kept: has to ask for a new one', oldId)
        const profile = lineCell(row, 'profile', 20).toLowerCase()
        return {
          oldId,
          row: {
            name: lineCell(row, 'name', 50) || login.address.split('@')[0],
            email: login.address,
            passwordHash: isHashAccepted ? hash : randomPasswordHash,
            profile: profiles.find((one) => one === profile) ?? 'user',
            allTicket: /^enable/.test(row.allTicket ?? '') ? 'enabled' : 'desabled',
            language: /^(es|pt|en)/.exec(row.language ?? '')?.[0] ?? null,
            whatsappId: run.newIdOf(home, 'line', intCell(row, 'whatsappId')),
            createdAt: run.timestampCell(row, 'createdAt') ?? run.now(),
          },
        }
      })
      await run.writeEntries(home, 'user', 'users', entries)
    },
  )
}

/** An address is unique on the whole platform. An invalid one is replaced by an address that receives no mail. */
function findFreeEmail(rawValue: string, oldId: number, taken: Set<string>): { address: string; changed: boolean } {
  const plain = rawValue.toLowerCase()
  const isAddress = email.safeParse(plain).success
  const [name = 'user', host = 'moved.invalid'] = isAddress
    ? plain.split('@')
    : [plain.replace(/[^\w.-]|^[.-]+|[.-]+$/g, '').slice(0, 60) || 'user']
  let address = isAddress ? plain : `${name}@${host}`
  for (let n = 0; taken.has(address); n++) address = `${name}+moved${oldId}${n ? `.${n}` : ''}@${host}`
  taken.add(address)
  return { address, changed: address !== plain }
}

/** Imports the queues of each agent, and the queues that customers of a connection may choose. */
export async function importQueueMembers(run: ImportRun): Promise<void> {
  await importQueueLink(run, 'userqueues', 'queues of users', 'userQueue', 'user', 'userId', 'userQueues')
  await importQueueLink(
    run,
    'whatsappqueues',
    'queues of connections',
    'lineQueue',
    'line',
    'whatsappId',
    'whatsappQueues',
  )
}

async function importQueueLink(
  run: ImportRun,
  table: 'userqueues' | 'whatsappqueues',
  name: string,
  kind: string,
  parent: 'user' | 'line',
  column: 'userId' | 'whatsappId',
  into: 'userQueues' | 'whatsappQueues',
): Promise<void> {
  const companyByOldId = await loadOwners(run, parent)
  await run.forEachBatch(
    table,
    name,
    (row) => {
      const oldId = `${row[column]}:${row.queueId}`
      const home = companyByOldId.get(intCell(row, column) ?? -1)
      const one = home ? run.newIdOf(home, parent, intCell(row, column)) : null
      const queueId = home ? run.newIdOf(home, 'queue', intCell(row, 'queueId')) : null
      if (!home || queueId === null || one === null) {
        run.skipOrphan(name, `its ${parent === 'user' ? 'user' : 'connection'} or queue did not come`, oldId)
        return null
      }
      return { home, entry: { oldId, row: { [column]: one, queueId } } }
    },
    async (home, entries) => {
      const uniqueEntries = [...new Map(entries.map((entry) => [entry.oldId, entry])).values()]
      await run.writeEntries(home, kind, into, await run.filterNew(home, kind, uniqueEntries), {
        returningColumn: null,
      })
    },
  )
}

/** The company of each user or line, by its id in the source, as the dump's own rows name it. */
async function loadOwners(run: ImportRun, parent: 'user' | 'line'): Promise<Map<number, TargetCompany>> {
  const companyByOldId = new Map<number, TargetCompany>()
  for await (const rows of run.spool.batches(parent === 'user' ? 'users' : 'whatsapps', 2000))
    for (const row of rows) {
      const [home, id] = [run.companyOf(row), intCell(row, 'id')]
      if (home && id !== null) companyByOldId.set(id, home)
    }
  return companyByOldId
}
