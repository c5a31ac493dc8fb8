import { can } from '@recado/contract/rules'
import { tagsApi } from '@recado/contract/tags'
import { records } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { resource, route } from '../kernel/http/http.ts'

export const tags = records('tags', tagsApi, {
  present: async (scope, rows) => {
    const counts = await ticketsPerTag(
      scope,
      rows.map((r) => r.id),
    )
    return rows.map((row) => ({ ...row, ticketsCount: counts.get(row.id) ?? 0 }))
  },
})

async function ticketsPerTag(scope: Scope, ids: number[]): Promise<Map<number, number>> {
  if (!ids.length) return new Map()
  const rows = await scope.db
    .selectFrom('ticketTags')
    .select((eb) => ['tagId', eb.fn.countAll<number>().as('n')])
    .where('companyId', '=', scope.companyId)
    .where('tagId', 'in', ids)
    .groupBy('tagId')
    .execute()
  return new Map(rows.map((r) => [r.tagId, r.n]))
}

/** Forms send the whole row back: from people who may not use the board, its switch is not a wish. */
const kanbanOf = (scope: Scope, wanted: number | undefined) =>
  wanted !== undefined && can(scope.actor, 'tags-page:kanban') ? { kanban: wanted } : {}

export const tagRoutes = [
  ...resource(tagsApi, tags, ['create', 'update', 'remove']),
  /** The ticket's tag bar creates by name: the same tag twice is one tag. */
  route(tagsApi.create, async (scope, { body }) => {
    const { name, color } = body
    const twin = await scope.db
      .selectFrom('tags')
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('name', '=', name)
      .where('color', '=', color)
      .executeTakeFirst()
    if (twin) return tags.find(scope, twin.id)
    return tags.create(scope, { name, color, ...kanbanOf(scope, body.kanban), userId: scope.actor.id })
  }),
  route(tagsApi.update, (scope, { params, body }) =>
    tags.update(scope, params.id, { name: body.name, color: body.color, ...kanbanOf(scope, body.kanban) }),
  ),
  /** With a lane's tag goes the lane: that is for those who may make one. */
  route(tagsApi.remove, async (scope, { params }) => {
    const tag = await tags.held(scope, params.id)
    if (tag.kanban === 1 && !can(scope.actor, 'tags-page:kanban')) throw new AppError('ERR_NO_PERMISSION')
    await tags.remove(scope, params.id)
    return { message: 'deleted' }
  }),
  route(tagsApi.all, (scope, { query }) => tags.all(scope, query.searchParam)),
  route(tagsApi.kanban, async (scope) => {
    const lanes = (await tags.all(scope)).filter((tag) => tag.kanban === 1)
    return { lista: lanes.sort((a, b) => a.id - b.id) }
  }),
]
