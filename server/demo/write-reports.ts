import { addMs, days, hours } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import { splitIntoBatches } from './batches.ts'
import { listPastDays, localMidnight, localWeekday } from './calendar.ts'
import { demoStaff } from './demo-company.ts'
import type { DemoFixtures } from './fixtures.ts'
import { makeStoryRandom } from './random.ts'
import { authorOfMessage, splitIntoSessions } from './segments.ts'
import type { StoryMenuStep, StoryMessage } from './story.ts'
import type { DemoTicket } from './write-tickets.ts'

/** Writes the data that the dashboard counts besides tickets: later replies, menus, presence, and line states. */
export async function writeReportData(
  scope: Scope,
  tickets: DemoTicket[],
  fixtures: DemoFixtures,
  weeks = 6,
): Promise<void> {
  await writeNextAnswers(scope, tickets, fixtures)
  await writeMenus(scope, tickets, fixtures)
  await writePresence(scope, tickets, fixtures, weeks)
  await writeLines(scope, fixtures, weeks)
}

async function writeNextAnswers(
  { db, companyId }: Scope,
  tickets: DemoTicket[],
  { staff }: DemoFixtures,
): Promise<void> {
  const rows = tickets.flatMap(({ id, story, queueId, userId, whatsappId }) =>
    userId === null
      ? []
      : splitIntoSessions(story)
          .flatMap(findNextAnswers)
          .map(([askedAt, message]) => ({
            ...{ companyId, ticketId: id, queueId, whatsappId, askedAt, at: message.at },
            userId: staff.get(authorOfMessage(story, message)?.name ?? '') ?? userId,
          })),
  )
  for (const batch of splitIntoBatches(rows)) await db.insertInto('nextAnswers').values(batch).execute()
}

/** Finds the waiting times from the first customer message since the last reply to the next reply. */
function findNextAnswers(messages: StoryMessage[]): [Date, StoryMessage][] {
  const found: [Date, StoryMessage][] = []
  let answered = false
  let asked: Date | null = null
  for (const message of messages) {
    if (message.by === 'customer' && answered) asked ??= message.at
    if (message.by !== 'agent') continue
    if (asked) found.push([asked, message])
    asked = null
    answered = true
  }
  return found
}

async function writeMenus({ db, companyId }: Scope, tickets: DemoTicket[], { queues }: DemoFixtures): Promise<void> {
  const options = await db
    .selectFrom('queueOptions')
    .select(['id', 'queueId', 'option'])
    .where('companyId', '=', companyId)
    .execute()
  const rows = tickets.flatMap(({ id, story, whatsappId, queueId }) => {
    const start = story.messages[0]?.at
    const led: StoryMenuStep[] =
      story.agent && story.status === 'closed' && !story.customer.isGroup && start
        ? [{ at: addMs(start, 12_000), queue: null, option: null, kind: 'right' }]
        : []
    const steps = story.menu?.steps ?? led
    const first = steps.find((step) => step.kind === 'right')
    return steps.map((step) => {
      const place = step.queue === null ? null : (queues.get(step.queue) ?? queueId)
      const option = options.find((one) => one.queueId === place && one.option === step.option)
      return {
        ...{ companyId, ticketId: id, whatsappId, queueId: place, optionId: option?.id ?? null },
        ...{ kind: step.kind, first: step === first, at: step.at },
      }
    })
  })
  for (const batch of splitIntoBatches(rows)) await db.insertInto('menuSteps').values(batch).execute()
}

/** Agents are online in the morning and afternoon on working days, fewer at the weekend; Portuguese speakers start later. */
async function writePresence(
  scope: Scope,
  tickets: DemoTicket[],
  fixtures: DemoFixtures,
  weeks: number,
): Promise<void> {
  const random = makeStoryRandom(20_260_411)
  const now = scope.now()
  const spoke = new Set(
    tickets.flatMap(({ story }) =>
      story.messages.flatMap((message) =>
        message.by === 'agent'
          ? `${fixtures.staff.get(authorOfMessage(story, message)?.name ?? '')} ${localMidnight(message.at).getTime()}`
          : [],
      ),
    ),
  )
  const rows = [...listPastDays(now, weeks), localMidnight(now)].flatMap((day) => {
    const weekend = [0, 6].includes(localWeekday(day))
    return demoStaff.flatMap(({ name, spokenLanguages: speaks }, n) => {
      const userId = fixtures.staff.get(name) ?? 0
      const isOff = (weekend && n % 3 !== 0) || random.withProbability(0.12)
      // An agent who replied on a day was present.
      if (isOff && !spoke.has(`${userId} ${day.getTime()}`)) return []
      const begins = 8.5 + (speaks.includes('pt') ? 1 : 0) + random.between(0, 0.6)
      const spans = weekend
        ? [[10, 14]]
        : [
            [begins, 12.6 + random.between(0, 0.8)],
            [14, 18 + random.between(0, 0.7)],
          ]
      return spans.map(([from = 0, until = 0]) => ({
        ...{ companyId: scope.companyId, userId },
        ...{ since: addMs(day, hours(from)), until: addMs(day, hours(until)) },
      }))
    })
  })
  const over = rows.filter(({ until }) => until < now)
  for (const batch of splitIntoBatches(over)) await scope.db.insertInto('userOnline').values(batch).execute()
}

/** The lines were connected all the time, except for one night and one lunch break. */
async function writeLines(scope: Scope, { lines }: DemoFixtures, weeks: number): Promise<void> {
  const now = scope.now()
  const since = addMs(now, -days(weeks * 7))
  const drops = [
    { line: 0, ago: days(19.4), lasted: hours(6.5) },
    { line: 1, ago: days(8.2), lasted: hours(1.2) },
    { line: 1, ago: days(3.1), lasted: hours(0.4) },
  ]
  const rows = [...lines.values()].flatMap((whatsappId, n) => {
    const own = drops.filter(({ line }) => line === n)
    const begins = [since, ...own.map(({ ago, lasted }) => addMs(now, lasted - ago))]
    const ends = [...own.map(({ ago }) => addMs(now, -ago)), now]
    return begins.map((from, i) => ({
      ...{ companyId: scope.companyId, whatsappId, since: from, until: ends[i] ?? now },
    }))
  })
  await scope.db.insertInto('lineUp').values(rows).execute()
}
