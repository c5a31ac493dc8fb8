import { topics } from '@recado/contract/live'
import { invoicesApi } from '@recado/contract/money/invoices'
import { type Subscription, subscriptionApi } from '@recado/contract/money/subscription'
import { priceForCompany } from '@recado/contract/plans'
import { fold } from '@recado/contract/text/fold'
import { sql } from 'kysely'
import { minutes, toCalendarDay } from '../../kernel/clock.ts'
import { likePattern, recordsPerPage } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { route } from '../../kernel/http/routes.ts'
import { endOfDueDay, pickBillingFields, presentOwnCompany } from '../company-view.ts'
import { readGraceDays } from '../grace-days.ts'
import { plans } from '../plans.ts'
import { loadCompanyTimeZone } from '../settings.ts'
import { claimChargePaid, claimInvoicePaid, findOwnCharge, openCharge, presentCharge } from './charges.ts'
import { advanceDueDate, type InvoiceRow, monthsPerPayment, presentInvoice, toPlatformScope } from './invoices.ts'
import { loadMoneySettings, makeProvider } from './money-settings.ts'
import { changePlan, previewPlanChange } from './plan-change.ts'
import { loadReceipt, renderReceiptPdf } from './receipt.ts'

/** Matches invoices by number, with or without `#`, or by text. */
export const matchInvoice = (searchParam: string) => {
  const number = /^#?(\d{1,9})$/.exec(searchParam)?.[1]
  return number
    ? sql<boolean>`invoices.id = ${Number(number)}`
    : sql<boolean>`fold(invoices.detail) like ${likePattern(fold(searchParam))}`
}

function ownInvoices(scope: Scope, searchParam = '') {
  const all = scope.db.selectFrom('invoices').where('invoices.companyId', '=', scope.companyId)
  return searchParam ? all.where(matchInvoice(searchParam)) : all
}
const newestFirst = <T extends { orderBy: (by: never, order: 'desc') => T }>(query: T): T =>
  query.orderBy('invoices.dueDate' as never, 'desc').orderBy('invoices.id' as never, 'desc')

async function presentSubscription(scope: Scope): Promise<Subscription> {
  const row = await scope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const { expired, dueDate: _, ...company } = await presentOwnCompany(scope)
  const zone = await loadCompanyTimeZone(scope)
  const months = monthsPerPayment(row)
  const openInvoices = await newestFirst(
    ownInvoices(scope).selectAll('invoices').where('status', '=', 'open'),
  ).execute()
  const settings = await loadMoneySettings(toPlatformScope(scope))
  const admins = await scope.db
    .selectFrom('users')
    .select('name')
    .where('companyId', '=', scope.companyId)
    .where('profile', '=', 'admin')
    .where('active', '=', true)
    .orderBy('id')
    .limit(3)
    .execute()
  const plan = row.planId ? await plans.find(scope, row.planId) : null
  return {
    plan,
    price: plan && priceForCompany(plan, row.currency),
    currency: row.currency,
    months,
    dueDate: endOfDueDay(row.dueDate, zone),
    nextDueDate: endOfDueDay(advanceDueDate(row, toCalendarDay(scope.now(), zone), months).dueDate, zone),
    trialExpiration: company.trialExpiration,
    isTrial: row.dueDate !== null && row.dueDate === row.trialExpiration,
    expired,
    admins: admins.map(({ name }) => name),
    graceDays: await readGraceDays(scope),
    open: openInvoices.map((one) => presentInvoice(one, zone)),
    provider: makeProvider(settings) ? settings.provider : null,
    paymentInstructions: settings.plain.paymentInstructions,
    billing: pickBillingFields(row),
  }
}

export function moneyRoutes(clock: Scope['deps']['clock']) {
  /** Limits new payment codes, because each code costs a call to the provider. */
  const attempts = makeAttemptLimiter(clock, { maxAttempts: 30, windowMs: minutes(10) })
  const noTransaction = { transaction: false }
  const presentOwnInvoice = async (scope: Scope, row: InvoiceRow) =>
    presentInvoice(row, await loadCompanyTimeZone(scope))
  const limitedScope = (scope: Scope) => {
    attempts.check(String(scope.companyId))
    attempts.count(String(scope.companyId))
    return toPlatformScope(scope)
  }
  return [
    route(invoicesApi.all, async (scope, { query }) => {
      // The first page has all invoices, so any later page is empty.
      if ((query.pageNumber ?? 1) > 1) return []
      // Cancelled invoices are left out, because older clients would show a pay button on them.
      const rows = await newestFirst(
        ownInvoices(scope, query.searchParam).selectAll('invoices').where('status', 'in', ['open', 'paid']),
      ).execute()
      const zone = await loadCompanyTimeZone(scope)
      return rows.map((one) => presentInvoice(one, zone))
    }),
    route(invoicesApi.list, async (scope, { query }) => {
      const found = ownInvoices(scope, query.searchParam)
      const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      const offset = (query.pageNumber - 1) * recordsPerPage
      const rows = await newestFirst(found.selectAll('invoices')).limit(recordsPerPage).offset(offset).execute()
      const zone = await loadCompanyTimeZone(scope)
      return {
        invoices: rows.map((one) => presentInvoice(one, zone)),
        count,
        hasMore: offset + rows.length < count,
      }
    }),
    route(invoicesApi.receipt, (scope, { params }) => loadReceipt(scope, params.id)),
    route(invoicesApi.receiptFile, (scope, { params }) => renderReceiptPdf(scope, params.id), noTransaction),

    route(subscriptionApi.show, (scope) => presentSubscription(scope)),
    route(
      subscriptionApi.pay,
      (scope, { body }) => openCharge(limitedScope(scope), scope.companyId, body),
      noTransaction,
    ),
    route(subscriptionApi.charge, async (scope, { params }) =>
      presentCharge(await findOwnCharge(scope, scope.companyId, params.id)),
    ),
    route(
      subscriptionApi.check,
      (scope, { params }) => claimChargePaid(limitedScope(scope), scope.companyId, params.id),
      noTransaction,
    ),
    route(
      subscriptionApi.claim,
      async (scope, { body }) =>
        presentOwnInvoice(scope, await claimInvoicePaid(limitedScope(scope), scope.companyId, body.invoiceId)),
      noTransaction,
    ),
    route(subscriptionApi.billing, async (scope, { body }) => {
      const billingFields = pickBillingFields(body)
      if (Object.keys(billingFields).length)
        await scope.db.updateTable('companies').set(billingFields).where('id', '=', scope.companyId).execute()
      scope.live(topics.ownCompany, { action: 'update', company: { id: scope.companyId } })
      return presentSubscription(scope)
    }),
    route(subscriptionApi.planChange, (scope, { params }) =>
      toPlatformScope(scope).transaction((tx) => previewPlanChange(tx, scope.companyId, params.id)),
    ),
    route(
      subscriptionApi.changePlan,
      async (scope, { params }) => {
        const row = await toPlatformScope(scope).transaction((tx) => changePlan(tx, scope.companyId, params.id))
        return { invoice: row && (await presentOwnInvoice(scope, row)) }
      },
      noTransaction,
    ),
  ]
}
