import { defaultHours } from '@recado/contract/hours'
import { topics } from '@recado/contract/live'
import { type Queue, queuesApi } from '@recado/contract/queues'
import type { Selectable } from 'kysely'
import type { z } from 'zod'
import { route } from '../kernel/http.ts'
import { records } from '../kernel/records.ts'
import type { Scope } from '../kernel/scope.ts'
import type { DB } from '../kernel/tables.ts'
import { takePlace } from './plan-places.ts'

export const queues = records<Selectable<DB['queues']>, Queue>('queues', {
  topic: topics.queue,
  missing: 'ERR_QUEUE_NOT_FOUND',
  search: ['name'],
  conflicts: { queues_name_key: 'ERR_QUEUE_NAME_ALREADY_EXISTS', queues_color_key: 'ERR_QUEUE_COLOR_ALREADY_EXISTS' },
})

/** In the order of the customer's menu; those without a place in it come last. */
export async function queuesInOrder(scope: Scope): Promise<Queue[]> {
  return scope.db
    .selectFrom('queues')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .orderBy('orderQueue', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute()
}

type Write = z.output<typeof queuesApi.create.body>
/** The form's own fields. Prompts and integrations have no rows yet that an id could mean. */
function fields(body: Write) {
  const { name, color, orderQueue, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage } = body
  const schedules = body.schedules && { schedules: JSON.stringify(body.schedules) }
  return { name, color, orderQueue, greetingMessage, complationMessage, outOfHoursMessage, ratingMessage, ...schedules }
}

export const queueRoutes = [
  route(queuesApi.list, (scope) => queuesInOrder(scope)),
  route(queuesApi.show, (scope, { params }) => queues.find(scope, params.id)),
  route(queuesApi.create, async (scope, { body }) => {
    await takePlace(scope, 'queues')
    return queues.create(scope, fields({ ...body, schedules: body.schedules?.length ? body.schedules : defaultHours }))
  }),
  // The family answers an update with 201.
  route(
    queuesApi.update,
    (scope, { params, body }) => queues.update(scope, params.id, { ...fields(body), updatedAt: scope.now() }),
    { status: 201 },
  ),
  route(queuesApi.remove, async (scope, { params }) => {
    await queues.remove(scope, params.id)
    return { message: 'deleted' }
  }),
]
