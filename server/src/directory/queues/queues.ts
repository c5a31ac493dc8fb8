import { defaultHours } from '@recado/contract/hours/hours'
import { goalFields, type Queue, queuesApi } from '@recado/contract/queues'
import type { ClosingFormWrite } from '@recado/contract/tickets/closing'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import { requireSkills, sortSkillIds } from '../../accounts/agents/skills.ts'
import { requirePlanCapacity } from '../../accounts/plan-limits.ts'
import { publishUser } from '../../accounts/user-view.ts'
import { scopeOfNamedCompany, setCapacities, setQueueMembers } from '../../accounts/users.ts'
import { makeRecords } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { findLine } from '../connections/find-line.ts'
import { publishConnection } from '../connections/view.ts'
import { setQueueLines } from '../connections/write-connection.ts'
import { pauseQuickMessagesOfQueue } from '../quick-messages.ts'
import { listTicketsOnScreens } from '../tickets-on-screens.ts'
import { listClosingForms, loadClosingForms, saveClosingForm } from './closing-form.ts'

declare module '../../kernel/events.ts' {
  interface Events {
    /** Tickets that wait without a queue on these lines are to be moved into the queue. */
    'queue.takes-waiting': { companyId: number; queueId: number; whatsappIds: number[] }
    /** A queue was deleted. `ticketIds`: its tickets that may be open on a screen. */
    'queue.deleted': { companyId: number; queueId: number; ticketIds: number[] }
  }
}

type Row = Selectable<DB['queues']>

/** Queues with their menus and closing forms. */
async function presentWithMenus(scope: Scope, rows: Row[]): Promise<Queue[]> {
  if (!rows.length) return []
  const options = await scope.db
    .selectFrom('queueOptions')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where(
      'queueId',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('option')
    .orderBy('id')
    .execute()
  const menus = Map.groupBy(options, (option) => option.queueId)
  const forms = await loadClosingForms(scope, rows)
  return rows.map((row) => ({
    ...row,
    options: menus.get(row.id) ?? [],
    closing: forms.get(row.id) ?? { reasonRequired: row.closingReasonRequired, reasons: [], fields: [] },
  }))
}

export const queues = makeRecords('queues', queuesApi, {
  present: presentWithMenus,
  conflicts: {
    queues_name_key: 'ERR_QUEUE_NAME_ALREADY_EXISTS',
    queues_color_key: 'ERR_QUEUE_COLOR_ALREADY_EXISTS',
    queues_companyId_promptId_fkey: 'ERR_NO_PROMPT_FOUND',
    queues_companyId_integrationId_fkey: 'ERR_NO_INTEGRATION_FOUND',
  },
})

/** Queues in the order of the customer's menu; queues without a position come last. */
export async function listQueuesInOrder(scope: Scope): Promise<Queue[]> {
  const rows = await scope.db
    .selectFrom('queues')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .orderBy('orderQueue', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute()
  return presentWithMenus(scope, rows)
}

type QueueDraft = z.output<typeof queuesApi.update.body>
/** The fields that the queue form sends. */
function formFields(body: QueueDraft) {
  const { name, color, orderQueue, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage } = body
  const schedules = body.schedules && { schedules: JSON.stringify(body.schedules) }
  const token = typeof body.token === 'string' && { token: body.token }
  const texts = { greetingMessage, complationMessage, outOfHoursMessage, ratingMessage }
  const { weight, ownerFirst, skillIds, asksLanguage, skillTimeoutMinutes } = body
  const { promptId, integrationId } = body
  const { routing, capacity, lastAgentFirst, returnAfterMinutes, offerSeconds } = body
  const goals = Object.fromEntries(goalFields.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key]]])))
  const assignment = {
    ...(routing !== undefined && { routing }),
    ...(capacity !== undefined && { capacity }),
    ...(lastAgentFirst !== undefined && { lastAgentFirst }),
    ...(returnAfterMinutes !== undefined && { returnAfterMinutes }),
    ...(weight !== undefined && { weight }),
    ...(ownerFirst !== undefined && { ownerFirst }),
    ...(skillIds && { skillIds: sortSkillIds(skillIds) }),
    ...(asksLanguage !== undefined && { asksLanguage }),
    ...(skillTimeoutMinutes !== undefined && { skillTimeoutMinutes }),
    ...(offerSeconds !== undefined && { offerSeconds }),
  }
  const closing = body.closing && { closingReasonRequired: body.closing.reasonRequired }
  const bots = { promptId, integrationId }
  return { name, color, orderQueue, ...bots, ...goals, ...assignment, ...texts, ...schedules, ...token, ...closing }
}

/**
 * Names and positions of queues are part of lines and of the sessions of their agents, so both are published when they
 * change. Their rows stay locked until the commit: other events about them come before ours, or have the new names.
 */
async function prepareQueueNews(
  scope: Scope,
  queueIds: number[],
  changed: { users: number[]; lines: number[] } = { users: [], lines: [] },
): Promise<() => Promise<void>> {
  const { companyId } = scope
  const users = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', companyId)
    .where((eb) =>
      eb.or([
        eb('profile', '=', 'admin'),
        eb('id', '=', eb.fn.any(eb.val(changed.users))),
        eb('id', 'in', eb.selectFrom('userQueues').select('userId').where('queueId', 'in', queueIds)),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const lines = await scope.db
    .selectFrom('whatsapps')
    .select('id')
    .where('companyId', '=', companyId)
    .where((eb) =>
      eb.or([
        eb('transferQueueId', 'in', queueIds),
        eb('id', '=', eb.fn.any(eb.val(changed.lines))),
        eb('id', 'in', eb.selectFrom('whatsappQueues').select('whatsappId').where('queueId', 'in', queueIds)),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return async () => {
    for (const { id } of lines) await publishConnection(scope, await findLine(scope, id))
    for (const { id } of users) {
      const row = await scope.db
        .selectFrom('users')
        .selectAll()
        .where('companyId', '=', companyId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (row) await publishUser(scope, 'update', row)
    }
  }
}

/** Sets the lines and users of a queue that the form names, and publishes everything that shows the queue. */
async function assignQueue(scope: Scope, id: number, body: QueueDraft): Promise<void> {
  const { whatsappIds, userIds, lineGreeting = '' } = body
  const lines = whatsappIds ? await setQueueLines(scope, id, { whatsappIds, lineGreeting }) : []
  const users = userIds ? await setQueueMembers(scope, id, userIds) : []
  users.push(...(await setCapacities(scope, id, body.capacities ?? [])))
  await (await prepareQueueNews(scope, [id], { lines, users }))()
  if (body.takesWaiting && whatsappIds?.length)
    await scope.emit('queue.takes-waiting', { companyId: scope.companyId, queueId: id, whatsappIds })
}

async function updateQueue(scope: Scope, id: number, body: QueueDraft): Promise<Queue> {
  if (body.closing) {
    await queues.lockRow(scope, id)
    await saveClosingForm(scope, id, body.closing)
  }
  await requireSkills(scope, body.skillIds)
  const queue = await queues.update(scope, id, { ...formFields(body), updatedAt: scope.now() })
  await assignQueue(scope, id, body)
  return queue
}

async function addClosingForm(scope: Scope, id: number, form: ClosingFormWrite): Promise<Queue> {
  await saveClosingForm(scope, id, form)
  const row = await queues.find(scope, id)
  scope.publish(queuesApi.topic, { action: 'update', row })
  return row
}

/** Numbers the queues 1, 2, 3 … in this order; queues that are not named come after, in their old order. */
async function arrangeQueues(scope: Scope, ids: number[]): Promise<Queue[]> {
  // All callers lock in the same order, so two parallel calls are serialized.
  const held = await scope.db
    .selectFrom('queues')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const own = new Set(held.map(({ id }) => id))
  if (ids.some((id) => !own.has(id))) throw new AppError('ERR_QUEUE_NOT_FOUND')
  const before = await listQueuesInOrder(scope)
  const places = new Map([...new Set([...ids, ...before.map(({ id }) => id)])].map((id, i) => [id, i + 1]))
  const moved = before.filter(({ id, orderQueue }) => orderQueue !== places.get(id)).map(({ id }) => id)
  if (moved.length === 0) return before
  for (const id of moved) await queues.update(scope, id, { orderQueue: places.get(id), updatedAt: scope.now() })
  await (await prepareQueueNews(scope, moved))()
  return listQueuesInOrder(scope)
}

export const queueRoutes = [
  route(queuesApi.list, (scope, { query }) => listQueuesInOrder(scopeOfNamedCompany(scope, query.companyId))),
  route(queuesApi.closingForms, (scope) => listClosingForms(scope)),
  route(queuesApi.show, (scope, { params }) => queues.find(scope, params.id)),
  route(queuesApi.create, async (scope, { body }) => {
    await requirePlanCapacity(scope, 'queues')
    await requireSkills(scope, body.skillIds)
    const schedules = body.schedules?.length ? body.schedules : defaultHours
    const created = await queues.create(scope, formFields({ ...body, schedules }))
    const queue = body.closing ? await addClosingForm(scope, created.id, body.closing) : created
    await assignQueue(scope, queue.id, body)
    return queue
  }),
  // Whaticket-compatible clients expect 201 for an update.
  route(queuesApi.update, (scope, { params, body }) => updateQueue(scope, params.id, body)),
  route(queuesApi.order, (scope, { body }) => arrangeQueues(scope, body.ids)),
  route(queuesApi.remove, async (scope, { params }) => {
    const tellBearers = await prepareQueueNews(scope, [params.id])
    const ticketIds = await listTicketsOnScreens(scope, 'queueId', params.id)
    await pauseQuickMessagesOfQueue(scope, params.id)
    await queues.remove(scope, params.id)
    await scope.emit('queue.deleted', { companyId: scope.companyId, queueId: params.id, ticketIds })
    await tellBearers()
    return { message: 'deleted' }
  }),
]
