import { setImmediate as turn } from 'node:timers/promises'
import { isTextOfTemplate, type Menu, playMenuConversation } from '@recado/contract/menu/menu'
import { checkMenu } from '@recado/contract/menu/menu-check'
import { type MenuTest, queuesApi } from '@recado/contract/queues'
import type { Selectable } from 'kysely'
import { findLine } from '../../directory/connections/find-line.ts'
import { queues } from '../../directory/queues/queues.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { buildMenu, loadRulebook, type Rulebook } from '../rulebook.ts'

type MenuTestRow = Selectable<DB['menuTests']>

/** Maximum number of tests: viewing a queue's tests runs all of them, so their number and length are limited. */
const maxTestsPerQueue = 50
const maxTestLength = 200_000

const selectTests = (scope: Scope, queueId: number) =>
  scope.db.selectFrom('menuTests').selectAll().where('companyId', '=', scope.companyId).where('queueId', '=', queueId)

/** The current menu of the line that the test was recorded with; if that line is deleted, the menu of the queue alone. */
function menuFor(rulebook: Rulebook, { queueId, whatsappId }: Pick<MenuTestRow, 'queueId' | 'whatsappId'>): Menu {
  const line = whatsappId === null ? undefined : rulebook.lines.get(whatsappId)
  if (line?.queueIds.includes(queueId)) return buildMenu(rulebook, line)
  const queue = rulebook.queues.get(queueId)
  return { greeting: '', queues: queue ? [queue] : [] }
}

/** Replays the customer's messages and compares the bot's answers. */
function runMenuTest(rulebook: Rulebook, row: MenuTestRow): MenuTest {
  const lines = row.steps.map((s) => s.customer)
  const now = playMenuConversation(menuFor(rulebook, row), rulebook.botTexts.menu, lines)
  const passes = row.steps.every(({ bot }, i) => {
    const said = now[i] ?? []
    return said.length === bot.length && said.every((template, k) => isTextOfTemplate(template, bot[k] ?? ''))
  })
  return { ...row, passes, now }
}

async function runAllTests(scope: Scope, queueId: number): Promise<MenuTest[]> {
  await queues.find(scope, queueId)
  const rulebook = await loadRulebook(scope)
  const tests: MenuTest[] = []
  for (const row of await selectTests(scope, queueId).orderBy('id').execute()) {
    tests.push(runMenuTest(rulebook, row))
    // Yields to other work of the event loop.
    await turn()
  }
  return tests
}

export const menuTestRoutes = [
  route(queuesApi.check, async (scope, { body }) => {
    const rows = await scope.db.selectFrom('queues').select('id').where('companyId', '=', scope.companyId).execute()
    const known = rows.map((q) => q.id)
    return { findings: checkMenu(body.options, known) }
  }),
  route(queuesApi.tests, (scope, { params }) => runAllTests(scope, params.queueId)),
  route(queuesApi.saveTest, async (scope, { params: { queueId }, body: { name, whatsappId, steps } }) => {
    await queues.lockRow(scope, queueId)
    if (whatsappId !== null) await findLine(scope, whatsappId)
    // The queue is locked: if two parallel requests save the last allowed test, one is refused.
    if ((await selectTests(scope, queueId).clearSelect().select('id').execute()).length >= maxTestsPerQueue)
      throw new AppError('ERR_LIST_FULL')
    const values = { companyId: scope.companyId, queueId, whatsappId, name, steps: JSON.stringify(steps) }
    if (values.steps.length > maxTestLength) throw new AppError('ERR_VALIDATION', { steps: 'Too Long!' })
    const row = await scope.db.insertInto('menuTests').values(values).returningAll().executeTakeFirstOrThrow()
    return runMenuTest(await loadRulebook(scope), row)
  }),
  route(queuesApi.dropTest, async (scope, { params }) => {
    const gone = await scope.db
      .deleteFrom('menuTests')
      .where('companyId', '=', scope.companyId)
      .where('queueId', '=', params.queueId)
      .where('id', '=', params.id)
      .returning('id')
      .executeTakeFirst()
    if (!gone) throw new AppError('ERR_NOT_FOUND')
    return { message: 'deleted' }
  }),
  route(queuesApi.runTests, async (scope, { params }) => {
    const tests = await runAllTests(scope, params.queueId)
    return { failed: tests.filter((t) => !t.passes).length, tests }
  }),
]
