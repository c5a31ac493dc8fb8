import type { BillingField } from '@recado/contract/billing'
import { type Company, companiesApi, recurrences } from '@recado/contract/companies'
import { topics } from '@recado/contract/live'
import type { Selectable } from 'kysely'
import { addDays, addMonths, dayIn, hours } from '../kernel/clock.ts'
import { hashPassword } from '../kernel/crypto.ts'
import { inLine } from '../kernel/data/locks.ts'
import { records } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { AppError, orConflict } from '../kernel/errors.ts'
import { resource, route } from '../kernel/http/http.ts'
import { callerOf, makeLimit } from '../kernel/http/limits.ts'
import type { Mailer } from '../kernel/outgoing/mail.ts'
import { billingOf, dueDay, presentCompanies, tellCompanies } from './company-view.ts'
import { changesOf, writeDownChanges } from './doors/audit.ts'
import { endSessions } from './ending.ts'
import { openCompany } from './founding.ts'
import { invite, unknownPassword } from './invitations.ts'
import { mailTo } from './mail-to.ts'
import { writeChange } from './money/history.ts'
import { renewInvoices } from './money/invoices.ts'
import { plans } from './plans.ts'
import { mustBeTaken } from './platform/passwords.ts'
import { settingsOf, settingValue, writeSetting, zoneOf } from './settings.ts'

declare module '../kernel/events.ts' {
  interface Events {
    /** A company and everything it had is gone from the database. */
    'company.deleted': { companyId: number }
  }
}

const trialPlan = 2
const trialDays = 30

type Row = Selectable<DB['companies']>
const store = records('companies', companiesApi, {
  platform: true,
  audience: () => ({ super: true }),
  present: presentCompanies,
})

/** The own company, or any for the super user; another one does not exist. */
async function reachable(scope: Scope, id: number): Promise<Scope> {
  if (!scope.wide && id !== scope.companyId) throw new AppError('ERR_NO_COMPANY_FOUND')
  const found = await scope.db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw new AppError('ERR_NO_COMPANY_FOUND')
  return scope.of(id)
}

async function profile(scope: Scope) {
  const row = await scope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const [company] = await presentCompanies(scope, [row])
  return { ...row, dueDate: company?.dueDate ?? null }
}

const tellChanged = async (scope: Scope, row: Row): Promise<Company> =>
  (await tellCompanies(scope, [row]))[0] as Company

async function change(
  scope: Scope,
  id: number,
  values: Partial<
    Pick<Row, BillingField | 'name' | 'email' | 'phone' | 'planId' | 'status' | 'dueDate' | 'recurrence'>
  >,
): Promise<Row> {
  return orConflict(
    { companies_name_key: 'ERR_COMPANY_NAME_ALREADY_EXISTS', companies_planId_fkey: 'ERR_NO_PLAN_FOUND' },
    () => scope.db.updateTable('companies').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
  )
}

async function endAll(scope: Scope): Promise<void> {
  const people = await scope.db.selectFrom('users').select('id').where('companyId', '=', scope.companyId).execute()
  await endSessions(
    scope,
    people.map((p) => p.id),
    'account-closed',
  )
}

export function companyRoutes(limitClock: Scope['means']['clock'], delivery: Mailer['delivery']) {
  /** Enough for an office behind one address, too little to fill the platform with junk. */
  const signups = makeLimit(limitClock, { tries: 60, window: hours(1) })
  /** Whoever signs up again and again with somebody's address does not fill their mailbox. */
  const remindedOwners = makeLimit(limitClock, { tries: 1, window: hours(1) })
  return [
    ...resource(companiesApi, store, ['show', 'create', 'update', 'remove']),
    route(companiesApi.all, (scope) => store.all(scope)),
    route(companiesApi.show, async (scope, { params }) => profile(await reachable(scope, params.id))),
    route(companiesApi.plan, async (scope, { params }) => {
      const home = await reachable(scope, params.id)
      const { planId } = await home.db
        .selectFrom('companies')
        .select('planId')
        .where('id', '=', home.companyId)
        .executeTakeFirstOrThrow()
      return { id: params.id, plan: await plans.find(home, planId ?? 0) }
    }),
    route(companiesApi.schedules, async (scope, { params, body }) => {
      const home = await reachable(scope, params.id)
      const own = home.db.selectFrom('companies').select('schedules').where('id', '=', home.companyId)
      const before = await own.forNoKeyUpdate().executeTakeFirstOrThrow()
      await writeDownChanges(
        home,
        'setting.changed',
        home.companyId,
        'schedules',
        changesOf(before, body, ['schedules']),
      )
      await home.db
        .updateTable('companies')
        .set({ schedules: JSON.stringify(body.schedules) })
        .where('id', '=', home.companyId)
        .execute()
      home.live(topics.ownCompany, { action: 'update', company: { id: home.companyId } })
      return profile(home)
    }),
    route(
      companiesApi.signup,
      async (scope, { body, query }, { request }) => {
        signups.check(callerOf(request))
        signups.count(callerOf(request))
        await mustBeTaken(scope, 'password', body.password, { about: [body.name, body.userName, body.email] })
        const passwordHash = await hashPassword(body.password)
        const timezone = body.timeZone ?? 'America/Sao_Paulo'
        const dueDate = addDays(dayIn(scope.now(), timezone), trialDays)
        const { name, email, phone } = body
        const opened = scope.transaction(async (tx) => {
          const referrerId = await knownReferrer(tx, query.companyId ?? body.companyId)
          const made = await openCompany(
            tx,
            {
              name,
              email,
              phone,
              planId: trialPlan,
              dueDate,
              trialExpiration: dueDate,
              recurrence: 'MENSAL',
              referrerId,
            },
            { name: body.userName ?? name, email, passwordHash, language: body.language ?? null },
            { campaignsEnabled: 'true', timezone, ...(body.language && { language: body.language }) },
          )
          tx.tell(companiesApi.topic, { action: 'create', row: await store.shown(tx, made.company) }, { super: true })
        })
        // That an address is taken is told to its owner alone. The work up to here was the same.
        await opened.catch(async (error) => {
          if (!(error instanceof AppError && error.code === 'ERR_EMAIL_ALREADY_EXISTS')) throw error
          if (!remindedOwners.isOver(email)) await remindOwner(scope, email)
          remindedOwners.count(email)
        })
        return { message: 'signed up' }
      },
      { transaction: false },
    ),
    route(companiesApi.create, async (scope, { body }) => {
      if (body.password) await mustBeTaken(scope, 'password', body.password, { about: [body.name, body.email] })
      const { name, email, phone, status, recurrence } = body
      const admin = email
        ? {
            name,
            email,
            passwordHash: body.password ? await hashPassword(body.password) : await unknownPassword(),
            invited: !body.password,
          }
        : null
      const planId = body.planId ?? (await cheapestPlan(scope))
      const made = await openCompany(
        scope,
        {
          ...{ name, email, phone, status, recurrence, planId, dueDate: dueDay(body.dueDate, 'America/Sao_Paulo') },
          ...billingOf(body),
        },
        admin,
        {
          campaignsEnabled: String(body.campaignsEnabled),
        },
      )
      if (made.admin && !body.password) await invite(made.home, made.admin, delivery)
      await renewInvoices(scope, made.company.id)
      const company = await store.shown(scope, made.company)
      scope.tell(companiesApi.topic, { action: 'create', row: company }, { super: true })
      return company
    }),
    route(companiesApi.update, async (scope, { params, body }) => {
      const before = await store.held(scope, params.id)
      const home = scope.of(params.id)
      if (before.platform && (!body.status || body.dueDate)) throw new AppError('ERR_COMPANY_IS_PLATFORM')
      const { name, email, phone, status, recurrence } = body
      const dueDate = dueDay(body.dueDate, await zoneOf(home))
      const row = await change(scope, params.id, {
        name,
        email,
        phone,
        status,
        recurrence,
        dueDate,
        planId: body.planId ?? before.planId,
        ...billingOf(body),
      })
      const campaigns = String(body.campaignsEnabled)
      const was = settingValue((await settingsOf(home, [params.id])).get(params.id), 'campaignsEnabled')
      if (campaigns !== was) await writeSetting(home, 'campaignsEnabled', campaigns)
      if (!status) await endAll(home)
      await writeChange(scope, before, row, scope.actor.name)
      await renewInvoices(scope, params.id)
      return tellChanged(scope, row)
    }),
    route(companiesApi.renew, async (scope, { params }) => {
      const before = await store.held(scope, params.id)
      if (before.platform) throw new AppError('ERR_COMPANY_IS_PLATFORM')
      const from = before.dueDate ?? dayIn(scope.now(), await zoneOf(scope.of(params.id)))
      const row = await change(scope, params.id, {
        dueDate: addMonths(from, recurrences[before.recurrence ?? 'MENSAL']),
      })
      await writeChange(scope, before, row, scope.actor.name)
      await renewInvoices(scope, params.id)
      return tellChanged(scope, row)
    }),
    route(companiesApi.remove, async (scope, { params }) => {
      // Whoever adds up its figures holds rows that go with it, one tag after the other: the two would stop each other.
      await inLine(scope.of(params.id), 'figures')
      const row = await store.held(scope, params.id)
      if (row.platform) throw new AppError('ERR_COMPANY_IS_PLATFORM')
      await endAll(scope.of(params.id))
      await store.remove(scope, params.id)
      await scope.emit('company.deleted', { companyId: params.id })
      return { message: 'deleted' }
    }),
  ]
}

/** Somebody signed up with an address that has an account: its owner is told, and where to go on. */
async function remindOwner(scope: Scope, email: string): Promise<void> {
  const user = await scope.db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email))
    .where('active', '=', true)
    .executeTakeFirst()
  if (!user) return
  const { publicUrl } = scope.means
  await mailTo(scope.of(user.companyId), user, ({ known }) => ({
    subject: known.subject,
    text: known.text(user.name, publicUrl),
  }))
}

async function cheapestPlan(scope: Scope): Promise<number> {
  const plan = await scope.db
    .selectFrom('plans')
    .select('id')
    .orderBy('value')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!plan) throw new AppError('ERR_NO_PLAN_FOUND')
  return plan.id
}

/** A referrer that does not exist is no reason to refuse a customer. */
async function knownReferrer(scope: Scope, id: number | null): Promise<number | null> {
  if (!id) return null
  const found = await scope.db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
  return found?.id ?? null
}
