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
 * Every hour, because days begin at another hour in each company's zone: what comes due is written and said. Each of it
 * happens once, however often this runs, and what a sleeping house missed is done when it wakes.
 */
export const moneyJobs = (means: Deps): Pick<JobHandlers, 'money:day' | keyof ReturnType<typeof chargeJobs>> => ({
  ...chargeJobs(means),
  'money:day': async () => {
    const scope = new Scope(means, { companyId: 0, wide: true })
    await forEachCollectErrors([writeDueInvoices, sendDueReminders], (part) => part(scope))
  },
})
