import { randomBytes } from 'node:crypto'
import { recurrences } from '@recado/contract/companies'
import { accepts, isSettingKey, settingKeys } from '@recado/contract/settings'
import { sql } from 'kysely'
import { openCompany } from '../../src/accounts/founding.ts'
import { addMonths, dayIn } from '../../src/kernel/clock.ts'
import { hashPassword } from '../../src/kernel/crypto.ts'
import { Scope } from '../../src/kernel/data/scope.ts'
import type { Row } from '../dump/read.ts'
import { insertRows } from '../insert.ts'
import { isNone, json, text, whole, words, yes } from './cells.ts'
import { weekIn } from './hours.ts'
import type { Home, Move } from './move.ts'

const flags = [
  'useCampaigns',
  'useKanban',
  'useOpenAi',
  'useIntegrations',
  'useSchedules',
  'useInternalChat',
  'useExternalApi',
] as const
/** Signup opens companies on it; so are those that come without a plan. */
const usualPlan = 2
/** In which bcrypt's hashes are written; a cost that would hold the house up for seconds at a login is not taken. */
const bcrypt = /^\$2[aby]\$(0[4-9]|1[0-2])\$[./A-Za-z0-9]{53}$/

/** Plans by their name: one that is here already stays as it is. */
async function movePlans(move: Move): Promise<Map<number, number>> {
  const { report, wide } = move
  const ids = new Map<number, number>()
  const here = await wide.db.selectFrom('plans').select(['id', 'name']).execute()
  const byName = new Map(here.map(({ id, name }) => [name.toLowerCase(), id]))
  for (const row of await move.spool.all('plans')) {
    const oldId = whole(row, 'id')
    const name = words(row, 'name', 50)
    report.of('plans').found++
    if (oldId === null || !name) {
      report.skip('plans', 'without a name', row.id)
      continue
    }
    const known = byName.get(name.toLowerCase())
    if (known !== undefined) {
      ids.set(oldId, known)
      report.of('plans').there++
      continue
    }
    const limits = {
      users: whole(row, 'users') ?? 0,
      connections: whole(row, 'connections') ?? 0,
      queues: whole(row, 'queues') ?? 0,
    }
    // Where a plan does not say, everything is allowed, as it was over there.
    const allowed = Object.fromEntries(flags.map((flag) => [flag, isNone(row, flag) || yes(row, flag)]))
    const value = Math.min(Math.max(Number(row.value ?? 0) || 0, 0), 9_999_999)
    const id = move.dryRun
      ? move.imagine()
      : ((await insertRows(wide.db, 'plans', [{ name, ...limits, value, ...allowed }]))[0] ?? usualPlan)
    ids.set(oldId, id)
    byName.set(name.toLowerCase(), id)
    report.of('plans').written++
  }
  return ids
}

/** A name that nobody has yet. */
export function freeName(wish: string, taken: Set<string>, more: string): string {
  const tries = [wish, `${wish} (${more})`]
  for (let n = 2; ; n++) {
    const name = tries.shift() ?? `${wish} (${more} ${n})`
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

/** Every company of the dump that is wanted, with its plan and its hours. */
export async function moveCompanies(move: Move): Promise<void> {
  const { report, wide, spool, order } = move
  const plans = await movePlans(move)
  const single: Row = { id: '0', name: order.name ?? 'Whaticket', status: 't' }
  const rows = move.many ? await spool.all('companies') : [single]
  const names = await wide.db.selectFrom('companies').select('name').execute()
  const taken = new Set(names.map(({ name }) => name.toLowerCase()))
  for (const row of rows) {
    const oldId = whole(row, 'id')
    if (order.company !== null && move.many && oldId !== order.company) continue
    report.of('companies').found++
    if (oldId === null) {
      report.skip('companies', 'cannot be read', row.id)
      continue
    }
    const known = move.known('company', oldId)
    if (known === 0) {
      report.skip('companies', 'deleted here since it came', oldId)
      continue
    }
    if (known) {
      report.of('companies').there++
      move.homes.set(oldId, { oldId, id: known, scope: new Scope(move.means, { companyId: known }), isNew: false })
      continue
    }
    const wish = words(row, 'name', 100) || `Company ${oldId}`
    const name = freeName(wish, taken, move.kind)
    if (name !== wish) report.change('companies', 'renamed, the name is taken', oldId)
    const id = move.dryRun ? move.imagine() : await openOne(move, row, oldId, name, plans)
    move.same('company', oldId, id)
    move.homes.set(oldId, { oldId, id, scope: new Scope(move.means, { companyId: id }), isNew: true })
    report.of('companies').written++
  }
  if (!move.homes.size)
    throw new Error(order.company === null ? 'The dump has no company.' : `The dump has no company ${order.company}.`)
}

async function openOne(move: Move, row: Row, oldId: number, name: string, plans: Map<number, number>): Promise<number> {
  const { wide, source } = move
  const week = weekIn(json(row, 'schedules'))
  const recurrence = words(row, 'recurrence', 20).toUpperCase()
  const dueDate = /^\d{4}-\d\d-\d\d/.exec(row.dueDate ?? '')?.[0] ?? null
  return wide.transaction(async (tx) => {
    const company = {
      name,
      email: words(row, 'email', 100) || null,
      phone: words(row, 'phone', 30),
      planId: plans.get(whole(row, 'planId') ?? -1) ?? usualPlan,
      status: isNone(row, 'status') || yes(row, 'status'),
      // One without a date was never told to pay; here it has a year to be told.
      dueDate: dueDate ?? addMonths(dayIn(move.means.clock.now(), 'UTC'), 12),
      recurrence: recurrence in recurrences ? (recurrence as keyof typeof recurrences) : ('MENSAL' as const),
    }
    const { home, company: made } = await openCompany(tx, company, null, {})
    const createdAt = move.at(row, 'createdAt') ?? move.now()
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
    return made.id
  })
}

/** The nearest of the numbers that a setting may have. */
const nearest = (value: number, choices: readonly string[]): string =>
  choices.reduce((a, b) => (Math.abs(Number(b) - value) < Math.abs(Number(a) - value) ? b : a))

/** Settings that mean the same here, where nobody chose yet. */
export async function moveSettings(move: Move): Promise<void> {
  const { report, means } = move
  await move.each(
    'settings',
    'settings',
    (row) => {
      const home = move.homeOf(row)
      const key = words(row, 'key', 60)
      if (!home) {
        if (move.order.company === null) report.skip('settings', 'of no company', key)
        else report.of('settings').found--
        return null
      }
      const said = text(row, 'value', 4096)
      const choices = key === 'autoReopenTimeout' ? settingKeys.autoReopenTimeout.values : null
      const value = choices && /^\d+$/.test(said) ? nearest(Number(said), choices) : said
      if (!isSettingKey(key) || !accepts(key, value)) {
        report.skip('settings', isSettingKey(key) ? 'a value that is none here' : 'no such setting here', key)
        return null
      }
      const secret = 'secret' in settingKeys[key]
      return { home, entry: { companyId: home.id, key, value: secret && value ? means.vault.seal(value) : value } }
    },
    async (home, entries) => {
      const here =
        home.id < 0
          ? []
          : await home.scope.db.selectFrom('settings').select('key').where('companyId', '=', home.id).execute()
      const known = new Set(here.map(({ key }) => key))
      const fresh = entries.filter(({ key }) => !known.has(key) && known.add(key))
      report.of('settings').there += entries.length - fresh.length
      if (!move.dryRun) await insertRows(home.scope.db, 'settings', fresh, null)
      report.of('settings').written += fresh.length
    },
  )
}

const profiles = ['admin', 'supervisor', 'user'] as const

/** People, with the passwords they have. An address that somebody has here already is changed, and said so. */
export async function moveUsers(move: Move): Promise<void> {
  const { report, wide } = move
  const nobody = await hashPassword(randomBytes(24).toString('base64url'))
  await move.each(
    'users',
    'users',
    (row) => {
      const home = move.homeOf(row)
      const oldId = whole(row, 'id')
      if (!home || oldId === null) {
        move.orphan('users', 'of no company that came', row.id)
        return null
      }
      if (move.known('user', oldId) !== undefined) {
        report.of('users').there++
        return null
      }
      return { home, entry: { oldId, row } }
    },
    async (home, all) => {
      const asked = all.map(({ row }) => words(row, 'email', 200).toLowerCase())
      const { rows } = await sql<{ email: string }>`
        select lower(email) as email from users where lower(email) = any(${asked}::text[])`.execute(wide.db)
      const taken = new Set(rows.map(({ email }) => email))
      const entries = all.map(({ oldId, row }) => {
        const email = freeAddress(words(row, 'email', 200), oldId, taken)
        if (email.changed) {
          report.change('users', 'address changed, it was taken or none', oldId)
          report.note(`User ${oldId} logs in with ${email.address}.`)
        }
        if (yes(row, 'super')) report.change('users', 'no longer a super user', oldId)
        const hash = text(row, 'passwordHash', 100)
        const fits = bcrypt.test(hash)
        if (!fits) report.change('users', 'without a password that can be kept: has to ask for a new one', oldId)
        const profile = words(row, 'profile', 20).toLowerCase()
        return {
          oldId,
          row: {
            name: words(row, 'name', 50) || email.address.split('@')[0],
            email: email.address,
            passwordHash: fits ? hash : nobody,
            profile: profiles.find((one) => one === profile) ?? 'user',
            allTicket: /^enable/.test(row.allTicket ?? '') ? 'enabled' : 'desabled',
            language: /^(es|pt|en)/.exec(row.language ?? '')?.[0] ?? null,
            whatsappId: move.ours('line', whole(row, 'whatsappId')),
            createdAt: move.at(row, 'createdAt') ?? move.now(),
          },
        }
      })
      await move.write(home, 'user', 'users', entries)
    },
  )
}

/** One address is one person on the whole platform. */
function freeAddress(said: string, oldId: number, taken: Set<string>): { address: string; changed: boolean } {
  const plain = said.toLowerCase()
  const [name = 'user', host = 'moved.invalid'] = plain.includes('@') ? plain.split('@') : [plain || 'user']
  let address = plain.includes('@') ? plain : `${name.replace(/[^\w.-]/g, '') || 'user'}@${host}`
  for (let n = 0; taken.has(address); n++) address = `${name}+moved${oldId}${n ? `.${n}` : ''}@${host}`
  taken.add(address)
  return { address, changed: address !== plain }
}

/** In which queues somebody works, or a connection's customers may choose. */
export async function moveLinks(move: Move): Promise<void> {
  await moveLink(move, 'userqueues', 'queues of users', 'userQueue', 'user', 'userId', 'userQueues')
  await moveLink(move, 'whatsappqueues', 'queues of connections', 'lineQueue', 'line', 'whatsappId', 'whatsappQueues')
}

async function moveLink(
  move: Move,
  table: 'userqueues' | 'whatsappqueues',
  name: string,
  kind: string,
  parent: 'user' | 'line',
  column: 'userId' | 'whatsappId',
  into: 'userQueues' | 'whatsappQueues',
): Promise<void> {
  const homes = await homesOf(move, parent)
  await move.each(
    table,
    name,
    (row) => {
      const oldId = `${row[column]}:${row.queueId}`
      const one = move.ours(parent, whole(row, column))
      const queueId = move.ours('queue', whole(row, 'queueId'))
      const home = one === null ? undefined : homes.get(one)
      if (!home || queueId === null || one === null) {
        move.orphan(name, `its ${parent === 'user' ? 'user' : 'connection'} or queue did not come`, oldId)
        return null
      }
      return { home, entry: { oldId, row: { [column]: one, queueId } } }
    },
    async (home, entries) => {
      const once = [...new Map(entries.map((entry) => [entry.oldId, entry])).values()]
      await move.write(home, kind, into, await move.fresh(home, kind, once), { back: null })
    },
  )
}

/** Whose each row of a kind is: the dump's own rows say so of theirs. */
async function homesOf(move: Move, parent: 'user' | 'line'): Promise<Map<number, Home>> {
  const homes = new Map<number, Home>()
  for await (const rows of move.spool.portions(parent === 'user' ? 'users' : 'whatsapps', 2000))
    for (const row of rows) {
      const [home, id] = [move.homeOf(row), move.ours(parent, whole(row, 'id'))]
      if (home && id !== null) homes.set(id, home)
    }
  return homes
}
