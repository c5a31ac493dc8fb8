import { can } from '@recado/contract/rules'
import { type Tag, tagsApi } from '@recado/contract/tags'
import { sql } from 'kysely'
import type { z } from 'zod'
import { requireSkills, sortSkillIds } from '../accounts/agents/skills.ts'
import { hideIdFromPlanner, keepPrepared } from '../kernel/data/keep-prepared.ts'
import { assertBelowRowLimit, makeRecords } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { crudRoutes, route } from '../kernel/http/routes.ts'
import { tagTallies } from './tallies.ts'

/** Maximum number of tags per company: every ticket screen loads all of them. */
const maxTags = 5000

type TagDraft = z.output<typeof tagsApi.create.body>

export const tags = makeRecords('tags', tagsApi, {
  present: async (scope, rows) => {
    const counts = await countTicketsPerTag(
      scope,
      rows.map((r) => r.id),
    )
    return rows.map((row) => ({ ...row, ticketsCount: counts.get(row.id) ?? 0 }))
  },
})

async function countTicketsPerTag(scope: Scope, ids: number[]): Promise<Map<number, number>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<{ tagId: number; count: number }>`${keepPrepared}
    select "tagId", count from ${tagTallies(scope)} n where "tagId" = any(${ids}::int[])`.execute(scope.db)
  return new Map(rows.map((row) => [row.tagId, row.count]))
}

/** All tags, for the selects of every ticket screen, in one statement. */
async function listAllTags(scope: Scope): Promise<Tag[]> {
  const { rows } = await sql<Tag>`${keepPrepared}
    select g.id, g.name, g.color, g.kanban, g."userId", g.weight, g."skillIds", case when n.count is null then 0 else n.count end as "ticketsCount"
    from tags g left join ${tagTallies(scope)} n on n."tagId" = g.id
    where g."companyId" = ${hideIdFromPlanner(scope.companyId)} order by lower(g.name) collate "C", g.id`.execute(
    scope.db,
  )
  return rows
}

export async function addTag(scope: Scope, values: object): Promise<Tag> {
  await assertBelowRowLimit(scope, 'tags', maxTags)
  return tags.create(scope, values)
}

/** The position of a new lane, which comes last. */
export async function nextLanePosition(scope: Scope): Promise<number> {
  const { last } = await scope.db
    .selectFrom('tags')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('companyId', '=', scope.companyId)
    .where('kanban', '=', 1)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Sets the order of the lanes, which the caller has locked; publishes the lanes that moved. */
export async function reorderLanes(scope: Scope, ids: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update tags g set position = o.place from unnest(${ids}::int[]) with ordinality as o(id, place)
    where g."companyId" = ${scope.companyId} and g.id = o.id and g.position <> o.place returning g.id`.execute(scope.db)
  const moved = new Set(rows.map((row) => row.id))
  for (const row of moved.size ? await tags.listAll(scope) : [])
    if (moved.has(row.id)) scope.publish(tagsApi.topic, { action: 'update', row }, { company: scope.companyId })
}

/**
 * Decides the board switch of a tag. Forms send the whole row back, so the switch is ignored if the user may not use
 * the board.
 */
const kanbanValues = async (scope: Scope, wanted: number | undefined, before = 0) => {
  if (wanted === undefined || !can(scope.actor, 'tags-page:kanban')) return {}
  return { kanban: wanted, ...(wanted === 1 && before !== 1 && { position: await nextLanePosition(scope) }) }
}

/** The weight and the skills of tickets with the tag, as far as the form sends them. */
async function routingValues(scope: Scope, { weight, skillIds }: TagDraft) {
  await requireSkills(scope, skillIds)
  return { ...(weight !== undefined && { weight }), ...(skillIds && { skillIds: sortSkillIds(skillIds) }) }
}

export const tagRoutes = [
  ...crudRoutes(tagsApi, tags, ['create', 'update', 'remove']),
  /**
   * Creates a tag, or returns the tag that already has this name, because the tag bar of a ticket creates tags by name.
   */
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
    const values = { name, color, ...(await kanbanValues(scope, body.kanban)), ...(await routingValues(scope, body)) }
    return addTag(scope, { ...values, userId: scope.actor.id })
  }),
  route(tagsApi.update, async (scope, { params, body }) => {
    const before = await tags.lockRow(scope, params.id)
    const lane = await kanbanValues(scope, body.kanban, before.kanban)
    const routing = await routingValues(scope, body)
    const tag = await tags.update(scope, params.id, { name: body.name, color: body.color, ...lane, ...routing })
    const isSame = tag.weight === before.weight && String(tag.skillIds) === String(before.skillIds)
    if (!isSame) await scope.emit('routing.needs-changed', { companyId: scope.companyId, tagId: tag.id })
    return tag
  }),
  /** Deleting a lane's tag deletes the lane, so this requires the right to create lanes. */
  route(tagsApi.remove, async (scope, { params }) => {
    const tag = await tags.lockRow(scope, params.id)
    if (tag.kanban === 1 && !can(scope.actor, 'tags-page:kanban')) throw new AppError('ERR_NO_PERMISSION')
    await tags.remove(scope, params.id)
    return { message: 'deleted' }
  }),
  route(tagsApi.all, (scope, { query }) =>
    query.searchParam ? tags.listAll(scope, query.searchParam) : listAllTags(scope),
  ),
  route(tagsApi.kanban, async (scope) => {
    const order = await scope.db
      .selectFrom('tags')
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('kanban', '=', 1)
      .orderBy('position')
      .orderBy('id')
      .execute()
    const all = new Map((await tags.listAll(scope)).map((tag) => [tag.id, tag]))
    return { lista: order.flatMap(({ id }) => all.get(id) ?? []) }
  }),
]
