import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { forEachCollectErrors, type JobHandlers } from '../../kernel/jobs.ts'
import { chargeJobs } from './charges.ts'
import { writeDueInvoices } from './invoices.ts'
import { sendDueReminders } from './payment-reminders.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'money:day': Record<string, never>
  }
}

/**
 * Runs every hour, because days begin at another hour in each company's time zone: creates invoices and sends
 * reminders. Each is created or sent once, however often this runs, and runs missed during downtime are made up for.
 */
export const moneyJobs = (deps: Deps): Pick<JobHandlers, 'money:day' | keyof ReturnType<typeof chargeJobs>> => ({
  ...chargeJobs(deps),
  'money:day': async () => {
    const scope = new Scope(deps, { companyId: 0, wide: true })
    await forEachCollectErrors([writeDueInvoices, sendDueReminders], (part) => part(scope))
  },
})
