import { ConnectionWrite } from '@recado/contract/connections'
import { openCompany } from '../src/accounts/founding.ts'
import { create as createLine } from '../src/directory/connections/writes.ts'
import { addMonths, dayIn } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { setLinked } from '../src/lines/sandbox/phone.ts'
import { firm, type LineName, lines, queues, quickReplies, staff, tags } from './firm.ts'
import type { QueueName } from './script.ts'

/** What the stories refer to, by the names they use. */
export type Furniture = {
  staff: Map<string, number>
  queues: Map<QueueName, number>
  tags: Map<string, number>
  lines: Map<LineName, number>
}

/** By which the demo's own company is known again. No other gets it: the settings of a company have other keys. */
export const mark = { key: 'demo', value: 'npm run demo' }

/** The company with everything that stands in it before the first customer writes. */
export async function furnish(wide: Scope, passwordHash: string): Promise<{ home: Scope; furniture: Furniture }> {
  const [owner] = staff
  if (!owner) throw new Error('Nobody works here')
  const { home, admin } = await openCompany(
    wide,
    {
      name: firm.name,
      email: firm.email,
      phone: '549000555010',
      planId: await widestPlan(wide),
      dueDate: addMonths(dayIn(wide.now(), firm.zone), 12),
      recurrence: 'ANUAL',
    },
    { name: owner.name, email: owner.email, passwordHash, language: owner.language },
    {
      timezone: firm.zone,
      language: 'es',
      userRating: 'enabled',
      // Each queue has its own.
      scheduleType: 'queue',
      CheckMsgIsGroup: 'disabled',
      campaignsEnabled: 'true',
    },
  )
  await home.db
    .insertInto('settings')
    .values({ companyId: home.companyId, ...mark })
    .execute()
  const queueIds = await writeQueues(home)
  const furniture: Furniture = {
    queues: queueIds,
    staff: await writeStaff(home, passwordHash, queueIds, admin?.id ?? 0),
    tags: await writeTags(home),
    lines: await openLines(home, [...queueIds.values()]),
  }
  return { home, furniture }
}

/** The plans are the operator's: whichever has the most room. */
async function widestPlan({ db }: Scope): Promise<number> {
  const plan = await db
    .selectFrom('plans')
    .select('id')
    .orderBy('connections', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return plan.id
}

async function writeQueues({ db, companyId }: Scope): Promise<Map<QueueName, number>> {
  const ids = new Map<QueueName, number>()
  for (const [name, queue] of Object.entries(queues)) {
    const row = { name: queue.name, color: queue.color, greetingMessage: queue.greeting, orderQueue: ids.size + 1 }
    const hours = { schedules: JSON.stringify(queue.hours), outOfHoursMessage: queue.closed }
    const goals = { answerGoal: queue.goals.answer, resolveGoal: queue.goals.resolve }
    const { id } = await db
      .insertInto('queues')
      .values({ ...row, ...hours, ...goals, companyId, integrationId: null, promptId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(name as QueueName, id)
  }
  for (const [name, { options }] of Object.entries(queues)) {
    const rows = options.map(({ title, message, leads = 'person' as const, to }, i) => ({
      ...{ companyId, queueId: ids.get(name as QueueName) ?? 0, parentId: null, option: i + 1 },
      ...{ title, message, leads, forwardQueueId: to ? (ids.get(to) ?? null) : null },
    }))
    if (rows.length) await db.insertInto('queueOptions').values(rows).execute()
  }
  return ids
}

async function writeStaff(
  { db, companyId }: Scope,
  passwordHash: string,
  queueIds: Map<QueueName, number>,
  adminId: number,
): Promise<Map<string, number>> {
  const ids = new Map([[staff[0]?.name ?? '', adminId]])
  for (const { name, email, profile, language } of staff.slice(1)) {
    const { id } = await db
      .insertInto('users')
      .values({ companyId, name, email, profile, language, passwordHash, allTicket: 'desabled', whatsappId: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(name, id)
  }
  const rows = staff.flatMap((one) =>
    one.queues.map((queue) => ({ companyId, userId: ids.get(one.name) ?? 0, queueId: queueIds.get(queue) ?? 0 })),
  )
  await db.insertInto('userQueues').values(rows).execute()
  const replies = quickReplies.map(([shortcode, message]) => ({ shortcode, message, companyId, userId: adminId }))
  await db
    .insertInto('quickMessages')
    .values(replies.map((reply) => ({ ...reply, geral: true, status: true, mediaPath: null, mediaName: null })))
    .execute()
  return ids
}

async function writeTags({ db, companyId }: Scope): Promise<Map<string, number>> {
  const rows = await db
    .insertInto('tags')
    .values(tags.map((tag, position) => ({ ...tag, position, companyId, userId: null })))
    .returning(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Test lines, scanned: they connect as soon as a house runs. */
async function openLines(scope: Scope, queueIds: number[]): Promise<Map<LineName, number>> {
  const ids = new Map<LineName, number>()
  for (const [name, line] of Object.entries(lines)) {
    const { id } = await createLine(
      scope,
      ConnectionWrite.parse({
        ...{ name: line.name, provider: 'sandbox', greetingMessage: line.greeting, queueIds },
        ...{ complationMessage: line.completion, ratingMessage: line.rating },
      }),
    )
    await setLinked(scope, id, true)
    ids.set(name as LineName, id)
  }
  return ids
}
