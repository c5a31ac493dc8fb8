import type { BillingField } from '@recado/contract/billing'
import { type Company, companiesApi } from '@recado/contract/companies'
import { topics } from '@recado/contract/live'
import type { Currency } from '@recado/contract/money/currency'
import { findPlanPrice } from '@recado/contract/plans'
import type { Selectable } from 'kysely'
import { addDays, hours, toCalendarDay } from '../kernel/clock.ts'
import { hashPassword } from '../kernel/crypto.ts'
import { lockInCompany } from '../kernel/data/advisory-locks.ts'
import { makeRecords } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../kernel/errors.ts'
import { callerAddress, makeAttemptLimiter } from '../kernel/http/rate-limits.ts'
import { crudRoutes, route } from '../kernel/http/routes.ts'
import type { Mailer } from '../kernel/outgoing/mail.ts'
import { diffAuditFields, writeAuditChanges } from './api-access/audit.ts'
import { parseDueDay, pickBillingFields, presentCompanies, publishCompanies } from './company-view.ts'
import { createCompany } from './create-company.ts'
import { endSessions } from './end-sessions.ts'
import { hashRandomPassword, inviteUser } from './invitations.ts'
import { mailUser } from './mail-user.ts'
import { monthsPerPayment, moveDueDate, renewInvoices } from './money/invoices.ts'
import { writeSubscriptionChange } from './money/money-history.ts'
import { plans } from './plans.ts'
import { assertPasswordAccepted } from './platform/password-rules.ts'
import { loadCompanyTimeZone, loadSettings, readSettingValue, writeSetting } from './settings.ts'

declare module '../kernel/events.ts' {
  interface Events {
    /** A company and all its data were deleted from the database. */
    'company.deleted': { companyId: number }
  }
}

const trialPlanId = 2
const trialDays = 30

type Row = Selectable<DB['companies']>
const store = makeRecords('companies', companiesApi, {
  platform: true,
  audience: () => ({ super: true }),
  present: presentCompanies,
})

/** The caller's own company, or any company for the super user; for others the answer is "not found". */
async function scopeOfCompany(scope: Scope, id: number): Promise<Scope> {
  if (!scope.wide && id !== scope.companyId) throw new AppError('ERR_NO_COMPANY_FOUND')
  const found = await scope.db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw new AppError('ERR_NO_COMPANY_FOUND')
  return scope.forCompany(id)
}

async function loadProfile(scope: Scope) {
  const row = await scope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const [company] = await presentCompanies(scope, [row])
  return { ...row, dueDate: company?.dueDate ?? null }
}

const publishCompany = async (scope: Scope, row: Row): Promise<Company> =>
  (await publishCompanies(scope, [row]))[0] as Company

async function updateCompany(
  scope: Scope,
  id: number,
  values: Partial<
    Pick<
      Row,
      | BillingField
      | 'name'
      | 'email'
      | 'phone'
      | 'planId'
      | 'status'
      | 'dueDate'
      | 'billingDay'
      | 'recurrence'
      | 'currency'
    >
  >,
): Promise<Row> {
  return translateConstraintErrors(
    { companies_name_key: 'ERR_COMPANY_NAME_ALREADY_EXISTS', companies_planId_fkey: 'ERR_NO_PLAN_FOUND' },
    () => scope.db.updateTable('companies').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
  )
}

async function endAllSessions(scope: Scope): Promise<void> {
  const people = await scope.db.selectFrom('users').select('id').where('companyId', '=', scope.companyId).execute()
  await endSessions(
    scope,
    people.map((p) => p.id),
    'account-closed',
  )
}

export function companyRoutes(limitClock: Scope['deps']['clock'], delivery: Mailer['delivery']) {
  /** Sign-ups per hour and address: enough for an office behind one IP address, too few to fill the platform with junk. */
  const signups = makeAttemptLimiter(limitClock, { maxAttempts: 60, windowMs: hours(1) })
  /** Limits these mails: repeated sign-ups with another person's address must not fill that person's mailbox. */
  const remindedOwners = makeAttemptLimiter(limitClock, { maxAttempts: 1, windowMs: hours(1) })
  return [
    ...crudRoutes(companiesApi, store, ['show', 'create', 'update', 'remove']),
    route(companiesApi.all, (scope) => store.listAll(scope)),
    route(companiesApi.show, async (scope, { params }) => loadProfile(await scopeOfCompany(scope, params.id))),
    route(companiesApi.plan, async (scope, { params }) => {
      const companyScope = await scopeOfCompany(scope, params.id)
      const { planId } = await companyScope.db
        .selectFrom('companies')
        .select('planId')
        .where('id', '=', companyScope.companyId)
        .executeTakeFirstOrThrow()
      return { id: params.id, plan: await plans.find(companyScope, planId ?? 0) }
    }),
    route(companiesApi.schedules, async (scope, { params, body }) => {
      const companyScope = await scopeOfCompany(scope, params.id)
      const companyQuery = companyScope.db
        .selectFrom('companies')
        .select('schedules')
        .where('id', '=', companyScope.companyId)
      const previous = await companyQuery.forNoKeyUpdate().executeTakeFirstOrThrow()
      await writeAuditChanges(
        companyScope,
        'setting.changed',
        companyScope.companyId,
        'schedules',
        diffAuditFields(previous, body, ['schedules']),
      )
      await companyScope.db
        .updateTable('companies')
        .set({ schedules: JSON.stringify(body.schedules) })
        .where('id', '=', companyScope.companyId)
        .execute()
      companyScope.live(topics.ownCompany, { action: 'update', company: { id: companyScope.companyId } })
      return loadProfile(companyScope)
    }),
    route(
      companiesApi.signup,
      async (scope, { body, query }, { request }) => {
        signups.check(callerAddress(request))
        signups.count(callerAddress(request))
        await assertPasswordAccepted(scope, 'password', body.password, {
          personalWords: [body.name, body.userName, body.email],
        })
        const passwordHash = await hashPassword(body.password)
        const timezone = body.timeZone ?? 'America/Sao_Paulo'
        const dueDate = addDays(toCalendarDay(scope.now(), timezone), trialDays)
        const { name, email, phone } = body
        const signup = scope.transaction(async (tx) => {
          const referrerId = await findReferrer(tx, query.companyId ?? body.companyId)
          const created = await createCompany(
            tx,
            {
              name,
              email,
              phone,
              planId: trialPlanId,
              dueDate,
              trialExpiration: dueDate,
              recurrence: 'MENSAL',
              referrerId,
            },
            { name: body.userName ?? name, email, passwordHash, language: body.language ?? null },
            { campaignsEnabled: 'true', timezone, ...(body.language && { language: body.language }) },
          )
          tx.publish(
            companiesApi.topic,
            { action: 'create', row: await store.presentRow(tx, created.company) },
            { super: true },
          )
        })
        // Only the owner learns that the address is in use. The work up to here is the same in both cases.
        await signup.catch(async (error) => {
          if (!(error instanceof AppError && error.code === 'ERR_EMAIL_ALREADY_EXISTS')) throw error
          if (!remindedOwners.isLimitReached(email)) await remindOwner(scope, email)
          remindedOwners.count(email)
        })
        return { message: 'signed up' }
      },
      { transaction: false },
    ),
    route(companiesApi.create, async (scope, { body }) => {
      if (body.password)
        await assertPasswordAccepted(scope, 'password', body.password, { personalWords: [body.name, body.email] })
      const { name, email, phone, status, recurrence } = body
      const admin = email
        ? {
            name,
            email,
            passwordHash: body.password ? await hashPassword(body.password) : await hashRandomPassword(),
            invited: !body.password,
          }
        : null
      const planId = body.planId ?? (await findCheapestPlan(scope, body.currency))
      if (body.currency) await assertPlanPrice(scope, planId, body.currency)
      const created = await createCompany(
        scope,
        {
          ...{
            name,
            email,
            phone,
            status,
            recurrence,
            planId,
            currency: body.currency,
            dueDate: parseDueDay(body.dueDate, 'America/Sao_Paulo'),
          },
          ...pickBillingFields(body),
        },
        admin,
        {
          campaignsEnabled: String(body.campaignsEnabled),
        },
      )
      if (created.admin && !body.password) await inviteUser(created.companyScope, created.admin, delivery)
      await renewInvoices(scope, created.company.id)
      const company = await store.presentRow(scope, created.company)
      scope.publish(companiesApi.topic, { action: 'create', row: company }, { super: true })
      return company
    }),
    route(companiesApi.update, async (scope, { params, body }) => {
      const previous = await store.lockRow(scope, params.id)
      const companyScope = scope.forCompany(params.id)
      if (previous.platform && (!body.status || body.dueDate)) throw new AppError('ERR_COMPANY_IS_PLATFORM')
      const { name, email, phone, status, recurrence } = body
      const dueDate = parseDueDay(body.dueDate, await loadCompanyTimeZone(companyScope))
      const planId = body.planId ?? previous.planId
      const currency = body.currency ?? previous.currency
      const isPriceNew = planId !== previous.planId || currency !== previous.currency
      if (planId && isPriceNew && !previous.platform) await assertPlanPrice(scope, planId, currency)
      const row = await updateCompany(scope, params.id, {
        name,
        email,
        phone,
        status,
        recurrence,
        dueDate,
        billingDay: dueDate === previous.dueDate ? previous.billingDay : null,
        planId,
        currency,
        ...pickBillingFields(body),
      })
      const campaigns = String(body.campaignsEnabled)
      const was = readSettingValue((await loadSettings(companyScope, [params.id])).get(params.id), 'campaignsEnabled')
      if (campaigns !== was) await writeSetting(companyScope, 'campaignsEnabled', campaigns)
      if (!status) await endAllSessions(companyScope)
      await writeSubscriptionChange(scope, previous, row, scope.actor.name)
      await renewInvoices(scope, params.id)
      return publishCompany(scope, row)
    }),
    route(companiesApi.renew, async (scope, { params }) => {
      const previous = await store.lockRow(scope, params.id)
      if (previous.platform) throw new AppError('ERR_COMPANY_IS_PLATFORM')
      const from =
        previous.dueDate ?? toCalendarDay(scope.now(), await loadCompanyTimeZone(scope.forCompany(params.id)))
      const { billingDay } = previous
      const { dueDate, billingDay: day } = moveDueDate({ dueDate: from, billingDay }, monthsPerPayment(previous))
      const row = await updateCompany(scope, params.id, { dueDate, billingDay: day })
      await writeSubscriptionChange(scope, previous, row, scope.actor.name)
      await renewInvoices(scope, params.id)
      return publishCompany(scope, row)
    }),
    route(companiesApi.remove, async (scope, { params }) => {
      // The reports job locks rows that are deleted with the company, one tag after another: without this lock both
      // would deadlock.
      await lockInCompany(scope.forCompany(params.id), 'figures')
      const row = await store.lockRow(scope, params.id)
      if (row.platform) throw new AppError('ERR_COMPANY_IS_PLATFORM')
      await endAllSessions(scope.forCompany(params.id))
      await store.remove(scope, params.id)
      await scope.emit('company.deleted', { companyId: params.id })
      return { message: 'deleted' }
    }),
  ]
}

/** Mails the owner of an address that was used for another sign-up, with a link to log in. */
async function remindOwner(scope: Scope, email: string): Promise<void> {
  const user = await scope.db
    .selectFrom('users')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email))
    .where('active', '=', true)
    .executeTakeFirst()
  if (!user) return
  const { publicUrl } = scope.deps
  await mailUser(scope.forCompany(user.companyId), user, ({ accountExists: known }) => ({
    subject: known.subject,
    text: known.text(user.name, publicUrl),
  }))
}

/** The plan with the lowest price in this currency; without a currency or such a plan, the lowest number. */
async function findCheapestPlan(scope: Scope, currency: Currency | undefined): Promise<number> {
  const all = await scope.db.selectFrom('plans').selectAll().orderBy('value').orderBy('id').execute()
  const priced = all.flatMap((plan) => {
    const price = currency === undefined ? null : findPlanPrice(plan, currency)
    return price === null ? [] : [{ plan, price }]
  })
  const plan = priced.sort((a, b) => a.price - b.price)[0]?.plan ?? all[0]
  if (!plan) throw new AppError('ERR_NO_PLAN_FOUND')
  return plan.id
}

/** A company pays in a currency for which its plan has a price. */
async function assertPlanPrice(scope: Scope, planId: number, currency: Currency): Promise<void> {
  if (findPlanPrice(await plans.find(scope, planId), currency) === null) throw new AppError('ERR_PLAN_NO_PRICE')
}

/** Returns null for an unknown referrer, which is no reason to refuse a sign-up. */
async function findReferrer(scope: Scope, id: number | null): Promise<number | null> {
  if (!id) return null
  const found = await scope.db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst()
  return found?.id ?? null
}
