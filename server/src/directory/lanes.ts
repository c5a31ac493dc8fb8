import { boardApi, type Lane } from '@recado/contract/board/board'
import type { Selectable } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { AppError } from '../kernel/errors.ts'
import { route } from '../kernel/http/routes.ts'
import { addTag, nextLanePosition, reorderLanes, tags } from './tags.ts'

type TagRow = Selectable<DB['tags']>

const toLane = ({ id, name, color, position, ...row }: TagRow): Lane => ({
  id,
  name,
  color,
  position,
  say: { on: row.sayOn, text: row.sayText },
  carry: { on: row.carryOn, hours: row.carryHours, to: row.carryTo },
})

const laneRows = (scope: Scope) =>
  scope.db
    .selectFrom('tags')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('kanban', '=', 1)
    .orderBy('position')
    .orderBy('id')

/** The lanes of the board, in their order. */
export const listLanes = async (scope: Scope): Promise<Lane[]> => (await laneRows(scope).execute()).map(toLane)

/** All lanes, with their rows locked: otherwise two parallel changes could create a cycle. */
async function lockLanes(scope: Scope): Promise<Lane[]> {
  const held = await laneRows(scope).clearOrderBy().orderBy('id').forNoKeyUpdate().execute()
  return held.map(toLane)
}

/** Finds a lane; a tag that is not a lane gives a separate error. */
export async function findLane(scope: Scope, lanes: Lane[], id: number): Promise<Lane> {
  const lane = lanes.find((one) => one.id === id)
  if (lane) return lane
  await tags.findRow(scope, id)
  throw new AppError('ERR_NO_LANE')
}

/** Refuses a change after which lanes would pass cards on in a cycle. */
function assertNoCircle(lanes: Lane[], changed: Lane): void {
  const next = new Map(lanes.map((lane) => [lane.id, (lane.id === changed.id ? changed : lane).carry]))
  const met = new Set<number>()
  for (let at: number | null = changed.id; at !== null; ) {
    if (met.has(at)) throw new AppError('ERR_LANE_CIRCLE')
    met.add(at)
    const carry = next.get(at)
    at = carry?.on ? carry.to : null
  }
}

export const laneRoutes = [
  route(boardApi.create, async (scope, { body }) => {
    const twin = await scope.db
      .selectFrom('tags')
      .select(['id', 'kanban'])
      .where('companyId', '=', scope.companyId)
      .where('name', '=', body.name)
      .where('color', '=', body.color)
      .executeTakeFirst()
    const position = await nextLanePosition(scope)
    if (twin) {
      if (twin.kanban !== 1) await tags.update(scope, twin.id, { kanban: 1, position })
      return toLane(await tags.findRow(scope, twin.id))
    }
    const made = await addTag(scope, { ...body, kanban: 1, position, userId: scope.actor.id })
    return toLane(await tags.findRow(scope, made.id))
  }),
  route(boardApi.update, async (scope, { params, body }) => {
    const lanes = await lockLanes(scope)
    const before = await findLane(scope, lanes, params.id)
    const { name = before.name, color = before.color, say = before.say, carry = before.carry } = body
    if (carry.to !== null) await findLane(scope, lanes, carry.to)
    assertNoCircle(lanes, { ...before, carry })
    await tags.update(scope, params.id, {
      name,
      color,
      sayOn: say.on,
      sayText: say.text,
      carryOn: carry.on,
      carryHours: carry.hours,
      carryTo: carry.to,
    })
    return toLane(await tags.findRow(scope, params.id))
  }),
  route(boardApi.remove, async (scope, { params }) => {
    await findLane(scope, await lockLanes(scope), params.id)
    await tags.update(scope, params.id, { kanban: 0 })
    return { message: 'removed' }
  }),
  route(boardApi.order, async (scope, { body }) => {
    const lanes = await lockLanes(scope)
    const named = [...new Set(body.ids)]
    for (const id of named) await findLane(scope, lanes, id)
    const rest = lanes.sort((a, b) => a.position - b.position || a.id - b.id).filter(({ id }) => !named.includes(id))
    await reorderLanes(scope, [...named, ...rest.map(({ id }) => id)])
    return { message: 'ordered' }
  }),
]
