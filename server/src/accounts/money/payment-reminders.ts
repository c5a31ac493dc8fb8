import type { Currency } from '@recado/contract/money/currency'
import { fromCents } from '@recado/contract/money/invoices'
import { rules } from '@recado/contract/rules'
import { settingDefinitions } from '@recado/contract/settings'
import { formatAmount } from '@recado/contract/text/money'
import { sql } from 'kysely'
import { addDays, endOfDay, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { forEachCollectErrors } from '../../kernel/jobs.ts'
import { readGraceDays } from '../grace-days.ts'
import { mailUser } from '../mail-user.ts'
import { writeMoneyEvents } from './money-history.ts'

/** Reminders are sent this many days before and after the due date. */
const daysBeforeDue = [1, 3, 7]
const daysAfterDue = [-7, -3, -1]
/** The earliest local hour, so that no reminder is sent at night. */
const earliestHour = 8

/**
 * The reminder for the days left: the latest reminder that is due. After downtime it is sent late, with the number of
 * days left at that time.
 */
export function chooseReminder(days: number): number | null {
  if (days > 0) return daysBeforeDue.find((one) => days <= one) ?? null
  // No reminder on the due date itself.
  if (days === 0 || days < -10) return null
  return daysAfterDue.find((one) => days <= one) ?? null
}

type Due = { companyId: number; name: string; dueDate: string; zone: string | null; cents: number; currency: Currency }

export async function sendDueReminders(scope: Scope): Promise<void> {
  const now = scope.now()
  const today = toCalendarDay(now, 'UTC')
  const { rows } = await sql<Due>`
    select c.id as "companyId", c.name, c."dueDate", z.value as zone, i.cents, i.currency
    from companies c
    join invoices i on i."companyId" = c.id and i."dueDate" = c."dueDate" and i.kind = 'plan' and i.status = 'open'
    left join settings z on z."companyId" = c.id and z.key = 'timezone'
    where c.status and not c.platform and c."dueDate" between ${addDays(today, -11)}::date and ${addDays(today, 8)}::date
    order by c.id`.execute(scope.db)
  const grace = rows.length ? await readGraceDays(scope) : 0
  await forEachCollectErrors(rows, async (due) => {
    const zone = due.zone ?? settingDefinitions.timezone.default
    const local = toCalendarDay(now, zone)
    const isEarly = endOfDay(local, zone).getTime() - now.getTime() > (24 - earliestHour) * 3_600_000
    const days = Math.round((Date.parse(due.dueDate) - Date.parse(local)) / 86_400_000)
    const step = chooseReminder(days)
    if (step === null || isEarly) return
    await scope.transaction((tx) => sendReminder(tx.forCompany(due.companyId), due, step, days, grace))
  })
}

/** Marks the reminder as sent and mails it in one transaction, so that it is sent once. */
async function sendReminder(scope: Scope, due: Due, step: number, days: number, grace: number): Promise<void> {
  const { companyId, dueDate } = due
  const reminder = await scope.db
    .insertInto('reminders')
    .values({ companyId, dueDate, days: step, createdAt: scope.now() })
    .onConflict((c) => c.columns(['companyId', 'dueDate', 'days']).doNothing())
    .returning('days')
    .executeTakeFirst()
  if (!reminder) return
  await writeMoneyEvents(scope, companyId, [
    { kind: 'reminded', cents: due.cents, currency: due.currency, after: dueDate },
  ])
  const admins = await scope.db
    .selectFrom('users')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('profile', 'in', rules['financeiro-page:pay'])
    .where('active', '=', true)
    .where('invited', '=', false)
    .orderBy('id')
    .limit(20)
    .execute()
  const url = `${scope.deps.publicUrl}/financeiro`
  const day = dueDate.split('-').reverse().join('/')
  // The mail is in the company's language, like its invoices, not in each user's language.
  for (const admin of admins)
    await mailUser(scope, { ...admin, language: null }, ({ paymentDue: words }, language) => {
      const value = formatAmount(fromCents(due.cents), due.currency, language)
      return {
        subject: words.subject(due.name, days),
        text: words.text({ name: admin.name, company: due.name, days, day, value, url, graceDays: grace }),
      }
    })
}
