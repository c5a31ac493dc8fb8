import { topics } from '@recado/contract/live'
import { invoicesApi } from '@recado/contract/money/invoices'
import { type Subscription, subscriptionApi } from '@recado/contract/money/subscription'
import { fold } from '@recado/contract/words/fold'
import { sql } from 'kysely'
import { dayIn, minutes } from '../../kernel/clock.ts'
import { like, pageSize } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { route } from '../../kernel/http/http.ts'
import { makeLimit } from '../../kernel/http/limits.ts'
import { billingOf, lastMoment, ownCompany } from '../company-view.ts'
import { plans } from '../plans.ts'
import { readGrace } from '../platform/grace.ts'
import { zoneOf } from '../settings.ts'
import { checkCharge, openCharge, ownCharge, presentCharge } from './charges.ts'
import { type InvoiceRow, monthsOf, movedDueDate, platformScope, presentInvoice } from './invoices.ts'
import { changePlan, showPlanChange } from './plan-change.ts'
import { receiptOf, receiptPdf } from './receipt.ts'
import { moneySettings, providerOf } from './settings.ts'

/** By its number, with or without the mark before it, or by what it says. */
export const matching = (searchParam: string) => {
  const number = /^#?(\d{1,9})$/.exec(searchParam)?.[1]
  return number
    ? sql<boolean>`invoices.id = ${Number(number)}`
    : sql<boolean>`fold(invoices.detail) like ${like(fold(searchParam))}`
}

function ownInvoices(scope: Scope, searchParam = '') {
  const all = scope.db.selectFrom('invoices').where('invoices.companyId', '=', scope.companyId)
  return searchParam ? all.where(matching(searchParam)) : all
}
const newestFirst = <T extends { orderBy: (by: never, order: 'desc') => T }>(query: T): T =>
  query.orderBy('invoices.dueDate' as never, 'desc').orderBy('invoices.id' as never, 'desc')

async function subscription(scope: Scope): Promise<Subscription> {
  const row = await scope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const { expired, dueDate: _, ...company } = await ownCompany(scope)
  const zone = await zoneOf(scope)
  const months = monthsOf(row)
  const open = await newestFirst(ownInvoices(scope).selectAll('invoices').where('status', '=', 'open')).execute()
  const kept = await moneySettings(platformScope(scope))
  const admins = await scope.db
    .selectFrom('users')
    .select('name')
    .where('companyId', '=', scope.companyId)
    .where('profile', '=', 'admin')
    .where('active', '=', true)
    .orderBy('id')
    .limit(3)
    .execute()
  return {
    plan: row.planId ? await plans.find(scope, row.planId) : null,
    months,
    dueDate: lastMoment(row.dueDate, zone),
    nextDueDate: lastMoment(movedDueDate(row.dueDate, dayIn(scope.now(), zone), months), zone),
    trialExpiration: company.trialExpiration,
    isTrial: row.dueDate !== null && row.dueDate === row.trialExpiration,
    expired,
    admins: admins.map(({ name }) => name),
    graceDays: await readGrace(scope),
    open: open.map((one) => presentInvoice(one, zone)),
    provider: providerOf(kept) ? kept.provider : null,
    billing: billingOf(row),
  }
}

export function moneyRoutes(clock: Scope['means']['clock']) {
  /** Codes cost a call to a provider each. */
  const tries = makeLimit(clock, { tries: 30, window: minutes(10) })
  const own = { transaction: false }
  const shown = async (scope: Scope, row: InvoiceRow) => presentInvoice(row, await zoneOf(scope))
  const limited = (scope: Scope) => {
    tries.check(String(scope.companyId))
    tries.count(String(scope.companyId))
    return platformScope(scope)
  }
  return [
    route(invoicesApi.all, async (scope, { query }) => {
      // A cancelled one would have a button to pay it there.
      const rows = await newestFirst(
        ownInvoices(scope, query.searchParam).selectAll('invoices').where('status', 'in', ['open', 'paid']),
      ).execute()
      const zone = await zoneOf(scope)
      return rows.map((one) => presentInvoice(one, zone))
    }),
    route(invoicesApi.list, async (scope, { query }) => {
      const found = ownInvoices(scope, query.searchParam)
      const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      const offset = (query.pageNumber - 1) * pageSize
      const rows = await newestFirst(found.selectAll('invoices')).limit(pageSize).offset(offset).execute()
      const zone = await zoneOf(scope)
      return {
        invoices: rows.map((one) => presentInvoice(one, zone)),
        count,
        hasMore: offset + rows.length < count,
      }
    }),
    route(invoicesApi.receipt, (scope, { params }) => receiptOf(scope, params.id)),
    route(invoicesApi.receiptFile, (scope, { params }) => receiptPdf(scope, params.id), own),

    route(subscriptionApi.show, (scope) => subscription(scope)),
    route(subscriptionApi.pay, (scope, { body }) => openCharge(limited(scope), scope.companyId, body), own),
    route(subscriptionApi.charge, async (scope, { params }) =>
      presentCharge(await ownCharge(scope, scope.companyId, params.id)),
    ),
    route(subscriptionApi.check, (scope, { params }) => checkCharge(limited(scope), scope.companyId, params.id), own),
    route(subscriptionApi.billing, async (scope, { body }) => {
      const given = billingOf(body)
      if (Object.keys(given).length)
        await scope.db.updateTable('companies').set(given).where('id', '=', scope.companyId).execute()
      scope.live(topics.ownCompany, { action: 'update', company: { id: scope.companyId } })
      return subscription(scope)
    }),
    route(subscriptionApi.planChange, (scope, { params }) =>
      platformScope(scope).transaction((tx) => showPlanChange(tx, scope.companyId, params.id)),
    ),
    route(
      subscriptionApi.changePlan,
      async (scope, { params }) => {
        const row = await platformScope(scope).transaction((tx) => changePlan(tx, scope.companyId, params.id))
        return { invoice: row && (await shown(scope, row)) }
      },
      own,
    ),
  ]
}
