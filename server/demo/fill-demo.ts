import { sql } from 'kysely'
import { endSessions } from '../src/accounts/end-sessions.ts'
import { hashPassword } from '../src/kernel/crypto.ts'
import { lockInCompany, lockPlatformWide } from '../src/kernel/data/advisory-locks.ts'
import { type Deps, Scope } from '../src/kernel/data/scope.ts'
import type { DemoCustomer } from './customers.ts'
import { demoCompany, demoStaff } from './demo-company.ts'
import { createFixtures, demoMark } from './fixtures.ts'
import { makeStories } from './stories.ts'
import { type Story, storyStart } from './story.ts'
import { writeCampaigns } from './write-campaigns.ts'
import { writeChats } from './write-chats.ts'
import { writeContacts } from './write-contacts.ts'
import { writeGoals } from './write-goals.ts'
import { makeDemoMessages, writeMessages } from './write-messages.ts'
import { writeDemoJournal, writeSandboxPhones } from './write-phone.ts'
import { writeReportData } from './write-reports.ts'
import { writeSchedules } from './write-schedules.ts'
import { writeTickets } from './write-tickets.ts'

export type DemoOptions = {
  password: string
  recreate?: boolean
  /** How many weeks of history the demo has: default six. */
  weeks?: number
}
export type DemoResult = {
  /** `there`: the demo existed, and only its passwords were changed. `taken`: another company has its name. */
  outcome: 'made' | 'made-again' | 'there' | 'taken'
  companyId: number
  tickets: number
  messages: number
}

/**
 * Writes the demo company with its history, all or nothing. The application code can only write the present, so the
 * past is written directly into its tables, in the form that the application would have stored. A company without the
 * demo's mark is never changed.
 */
export async function fillDemo(deps: Deps, o: DemoOptions): Promise<DemoResult> {
  const passwordHash = await hashPassword(o.password)
  return new Scope(deps, { companyId: 0, wide: true }).transaction(async (wide) => {
    await lockPlatformWide(wide, 'demo')
    const before = await findDemoCompany(wide)
    if (before === 'taken') return { outcome: 'taken', companyId: 0, tickets: 0, messages: 0 }
    if (before !== null && !o.recreate) {
      await renewPasswords(wide.forCompany(before), passwordHash)
      return { outcome: 'there', companyId: before, ...(await countDemoRows(wide.forCompany(before))) }
    }
    if (before !== null) await deleteDemoCompany(wide.forCompany(before))
    const { scope, fixtures } = await createFixtures(wide, passwordHash)
    const stories = makeStories(wide.now(), o.weeks)
    const contactIds = await writeContacts(scope, firstMessageByCustomer(stories), fixtures)
    const tickets = await writeTickets(scope, stories, { contactIds: contactIds, fixtures: fixtures })
    await writeGoals(scope, tickets)
    await writeReportData(scope, tickets, fixtures, o.weeks)
    const messages = await makeDemoMessages(scope, tickets, contactIds)
    await writeMessages(scope, messages, fixtures)
    await writeSandboxPhones(scope, messages)
    await writeDemoJournal(scope, messages)
    await writeSchedules(scope, { contactIds: contactIds, fixtures: fixtures })
    await writeCampaigns(scope, { contactIds: contactIds, fixtures: fixtures })
    await writeChats(scope, fixtures, tickets)
    const outcome = before === null ? 'made' : 'made-again'
    return { outcome, companyId: scope.companyId, tickets: tickets.length, messages: messages.length }
  })
}

/** The id of the demo company, null, or `taken` if another company has its name. */
async function findDemoCompany({ db }: Scope): Promise<number | 'taken' | null> {
  const marked = await db
    .selectFrom('settings')
    .select('companyId')
    .where('key', '=', demoMark.key)
    .where('value', '=', demoMark.value)
    .executeTakeFirst()
  if (marked) return marked.companyId
  const addresses = demoStaff.map(({ email }) => email)
  const { rows } = await sql`
    select from companies where lower(name) = lower(${demoCompany.name})
    union all select from users where lower(email) = any(${addresses}::text[])`.execute(db)
  return rows.length ? 'taken' : null
}

async function renewPasswords({ db, companyId }: Scope, passwordHash: string): Promise<void> {
  const addresses = demoStaff.map(({ email }) => email)
  await db
    .updateTable('users')
    .set({ passwordHash })
    .where('companyId', '=', companyId)
    .where('email', 'in', addresses)
    .execute()
}

async function countDemoRows({ db, companyId }: Scope): Promise<{ tickets: number; messages: number }> {
  const { rows } = await sql<{ tickets: number; messages: number }>`
    select (select count(*)::int from tickets where "companyId" = ${companyId}) as tickets,
      (select count(*)::int from messages where "companyId" = ${companyId}) as messages`.execute(db)
  return rows[0] ?? { tickets: 0, messages: 0 }
}

/** Deletes the company as the super user's screen does: its users are notified, and its files are removed by a job. */
async function deleteDemoCompany(scope: Scope): Promise<void> {
  const { db, companyId } = scope
  await lockInCompany(scope, 'figures')
  const contactIds = await db.selectFrom('users').select('id').where('companyId', '=', companyId).execute()
  await endSessions(
    scope,
    contactIds.map(({ id }) => id),
    'account-closed',
  )
  await db.deleteFrom('companies').where('id', '=', companyId).execute()
  await scope.signal('lines')
  await scope.emit('company.deleted', { companyId })
}

/** Every customer who ever wrote, with the time of the first message. */
function firstMessageByCustomer(stories: Story[]): Map<DemoCustomer, Date> {
  const first = new Map<DemoCustomer, Date>()
  for (const story of stories)
    for (const one of [story.customer, ...story.customer.members])
      if (!first.has(one)) first.set(one, storyStart(story))
  return first
}
