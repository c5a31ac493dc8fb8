import { ConnectionWrite } from '@recado/contract/connections'
import { createCompany } from '../src/accounts/create-company.ts'
import { createConnection as createLine } from '../src/directory/connections/write-connection.ts'
import { addMonths, toCalendarDay } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { setPhoneLinked } from '../src/lines/sandbox/test-phone.ts'
import {
  type DemoLineName,
  demoCompany,
  demoLines,
  demoQueues,
  demoQuickReplies,
  demoStaff,
  demoTags,
} from './demo-company.ts'
import type { DemoQueueName } from './script.ts'

/** The records that stories refer to, by name. */
export type DemoFixtures = {
  staff: Map<string, number>
  queues: Map<DemoQueueName, number>
  tags: Map<string, number>
  lines: Map<DemoLineName, number>
}

/** Marks the demo company. No other company can have this mark: company settings have other keys. */
export const demoMark = { key: 'demo', value: 'npm run demo' }

/** Creates the company with everything that exists before the first customer writes. */
export async function createFixtures(
  platformScope: Scope,
  passwordHash: string,
): Promise<{ scope: Scope; fixtures: DemoFixtures }> {
  const [owner] = demoStaff
  if (!owner) throw new Error('Nobody works here')
  const { companyScope: scope, admin } = await createCompany(
    platformScope,
    {
      name: demoCompany.name,
      email: demoCompany.email,
      phone: '549000555010',
      planId: await findLargestPlan(platformScope),
      dueDate: addMonths(toCalendarDay(platformScope.now(), demoCompany.zone), 12),
      recurrence: 'ANUAL',
    },
    { name: owner.name, email: owner.email, passwordHash, language: owner.language },
    {
      timezone: demoCompany.zone,
      language: 'es',
      userRating: 'enabled',
      // Each queue has its own opening hours.
      scheduleType: 'queue',
      CheckMsgIsGroup: 'disabled',
      campaignsEnabled: 'true',
    },
  )
  await scope.db
    .insertInto('settings')
    .values({ companyId: scope.companyId, ...demoMark })
    .execute()
  const queueIds = await writeQueues(scope)
  const fixtures: DemoFixtures = {
    queues: queueIds,
    staff: await writeStaff(scope, passwordHash, queueIds, admin?.id ?? 0),
    tags: await writeTags(scope),
    lines: await openLines(scope, [...queueIds.values()]),
  }
  return { scope: scope, fixtures: fixtures }
}

/** Plans are created by the operator: finds the plan with the highest limits. */
async function findLargestPlan({ db }: Scope): Promise<number> {
  const plan = await db
    .selectFrom('plans')
    .select('id')
    .orderBy('connections', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return plan.id
}

async function writeQueues({ db, companyId }: Scope): Promise<Map<DemoQueueName, number>> {
  const ids = new Map<DemoQueueName, number>()
  for (const [name, queue] of Object.entries(demoQueues)) {
    const row = { name: queue.name, color: queue.color, greetingMessage: queue.greeting, orderQueue: ids.size + 1 }
    const hours = { schedules: JSON.stringify(queue.hours), outOfHoursMessage: queue.closedMessage }
    const goals = { answerGoal: queue.goals.answer, resolveGoal: queue.goals.resolve }
    const { id } = await db
      .insertInto('queues')
      .values({ ...row, ...hours, ...goals, companyId, integrationId: null, promptId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(name as DemoQueueName, id)
  }
  for (const [name, { options }] of Object.entries(demoQueues)) {
    const rows = options.map(({ title, message, leads = 'person' as const, targetQueue: to }, i) => ({
      ...{ companyId, queueId: ids.get(name as DemoQueueName) ?? 0, parentId: null, option: i + 1 },
      ...{ title, message, leads, forwardQueueId: to ? (ids.get(to) ?? null) : null },
    }))
    if (rows.length) await db.insertInto('queueOptions').values(rows).execute()
  }
  return ids
}

async function writeStaff(
  { db, companyId }: Scope,
  passwordHash: string,
  queueIds: Map<DemoQueueName, number>,
  adminId: number,
): Promise<Map<string, number>> {
  const ids = new Map([[demoStaff[0]?.name ?? '', adminId]])
  for (const { name, email, profile, language } of demoStaff.slice(1)) {
    const { id } = await db
      .insertInto('users')
      .values({ companyId, name, email, profile, language, passwordHash, allTicket: 'desabled', whatsappId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(name, id)
  }
  const rows = demoStaff.flatMap((one) =>
    one.queues.map((queue) => ({ companyId, userId: ids.get(one.name) ?? 0, queueId: queueIds.get(queue) ?? 0 })),
  )
  await db.insertInto('userQueues').values(rows).execute()
  const replies = demoQuickReplies.map(([shortcode, message]) => ({ shortcode, message, companyId, userId: adminId }))
  await db
    .insertInto('quickMessages')
    .values(replies.map((reply) => ({ ...reply, geral: true, status: true, mediaPath: null, mediaName: null })))
    .execute()
  return ids
}

async function writeTags({ db, companyId }: Scope): Promise<Map<string, number>> {
  const rows = await db
    .insertInto('tags')
    .values(demoTags.map((tag, position) => ({ ...tag, position, companyId, userId: null })))
    .returning(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Creates test lines that are already linked: they connect as soon as a server runs. */
async function openLines(scope: Scope, queueIds: number[]): Promise<Map<DemoLineName, number>> {
  const ids = new Map<DemoLineName, number>()
  for (const [name, line] of Object.entries(demoLines)) {
    const { id } = await createLine(
      scope,
      ConnectionWrite.parse({
        ...{ name: line.name, provider: 'sandbox', greetingMessage: line.greeting, queueIds },
        ...{ complationMessage: line.completion, ratingMessage: line.rating },
      }),
    )
    await setPhoneLinked(scope, id, true)
    ids.set(name as DemoLineName, id)
  }
  return ids
}
