import { isDeepStrictEqual } from 'node:util'
import { checkMenu, type DraftMenuOption } from '@recado/contract/menu/menu-check'
import { type MenuItemWrite, queueOptionsApi } from '@recado/contract/queue-options'
import { requireSkills, sortSkillIds } from '../../accounts/agents/skills.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import {
  beginMenuChange,
  insertOption,
  listMenuOptions,
  maxMenuOptions,
  type QueueOptionRow,
  saveOption,
} from './queue-options.ts'
import { listQueuesInOrder } from './queues.ts'

/** Customers choose an option with at most two digits. */
const maxSiblings = 99

type NumberedLine = MenuItemWrite & { option: number }

/** Assigns positions to menu options. Refuses an unreachable option, because the form itself would lose it. */
function numberLines(lines: MenuItemWrite[]): NumberedLine[] {
  const counts = new Map<string | null, number>()
  const menu = lines.map((line): NumberedLine => {
    const option = (counts.get(line.parentKey) ?? 0) + 1
    counts.set(line.parentKey, option)
    return { ...line, option }
  })
  const wrong = menu.findIndex(
    ({ key, id, option }, i) =>
      option > maxSiblings || menu.some((other, k) => k < i && (other.key === key || (id !== null && other.id === id))),
  )
  const lost = checkMenu(menu, []).find((f) => f.kind === 'unreachable')
  const at = wrong >= 0 ? wrong : menu.findIndex((line) => line.key === lost?.key)
  if (at >= 0) throw new AppError('ERR_VALIDATION', { [`options.${at}.parentKey`]: 'Invalid' })
  return menu
}

/** Sorts each option after its parent, so that the parent's id is known when the option is saved. */
function sortParentsFirst(menu: NumberedLine[], parentKey: string | null = null): NumberedLine[] {
  return menu.filter((l) => l.parentKey === parentKey).flatMap((line) => [line, ...sortParentsFirst(menu, line.key)])
}

const lineFields = (line: NumberedLine, parentId: number | null) => {
  const { option, title, message, leads, forwardQueueId, skillIds } = line
  const fields = { parentId, option, title, message, leads, forwardQueueId }
  return { ...fields, ...(skillIds && { skillIds: sortSkillIds(skillIds) }) }
}
type LineFields = ReturnType<typeof lineFields>
const isSameExcept = (row: QueueOptionRow, values: LineFields, ...not: (keyof LineFields)[]): boolean =>
  (Object.keys(values) as (keyof LineFields)[]).every(
    (name) => not.includes(name) || isDeepStrictEqual(row[name], values[name]),
  )

/** The stored row of a menu option. If the response of an earlier save was lost, the option is matched by its text. */
function findStoredOption(
  stored: QueueOptionRow[],
  line: NumberedLine,
  values: LineFields,
  free: (row: QueueOptionRow) => boolean,
) {
  if (line.id === null) return stored.find((row) => free(row) && isSameExcept(row, values, 'option'))
  const row = stored.find((o) => o.id === line.id)
  if (!row) throw new AppError('ERR_QUEUE_OPTION_NOT_FOUND')
  return row
}

/**
 * Replaces a whole menu. Options are deleted last: an option that moved out of a deleted branch must not be deleted
 * with the branch.
 */
async function replaceMenu(
  scope: Scope,
  queueId: number,
  lines: MenuItemWrite[],
  seen: number[] | undefined,
): Promise<void> {
  const stored = await listMenuOptions(scope, queueId)
  await requireSkills(
    scope,
    lines.flatMap((line) => line.skillIds ?? []),
  )
  const menu = sortParentsFirst(numberLines(lines))
  const unseen = (row: QueueOptionRow) => seen !== undefined && !seen.includes(row.id)
  const named = new Set(lines.map((l) => l.id))
  const ids = new Map<string, number>()
  const keptIds = new Set<number>()
  for (const line of menu) {
    const values = lineFields(line, line.parentKey === null ? null : (ids.get(line.parentKey) as number))
    const free = (row: QueueOptionRow) => unseen(row) && !keptIds.has(row.id) && !named.has(row.id)
    const before = findStoredOption(stored, line, values, free)
    if (before && !isSameExcept(before, values)) await saveOption(scope, before.id, values)
    const { id } = before ?? (await insertOption(scope, { queueId, ...values }))
    ids.set(line.key, id)
    keptIds.add(id)
  }
  const gone = stored.filter((row) => !keptIds.has(row.id) && !unseen(row)).map((row) => row.id)
  if (gone.length)
    await scope.db.deleteFrom('queueOptions').where('companyId', '=', scope.companyId).where('id', 'in', gone).execute()
  await moveOthersLast(scope, queueId, keptIds)
}

/** Moves options that other users added behind the options of this menu. */
async function moveOthersLast(scope: Scope, queueId: number, keptIds: Set<number>): Promise<void> {
  const all = await listMenuOptions(scope, queueId)
  if (all.length > maxMenuOptions) throw new AppError('ERR_VALIDATION', { options: 'Too Long!' })
  const others = all.filter((row) => !keptIds.has(row.id))
  for (const parentId of new Set(others.map((row) => row.parentId))) {
    const level = all.filter((row) => row.parentId === parentId)
    const first = level.filter((row) => keptIds.has(row.id)).length + 1
    for (const [i, row] of level.filter((row) => !keptIds.has(row.id)).entries())
      if (row.option !== first + i) await saveOption(scope, row.id, { option: first + i })
  }
}

const toDraftOption = (row: QueueOptionRow): DraftMenuOption => ({
  ...row,
  key: String(row.id),
  parentKey: row.parentId === null ? null : String(row.parentId),
})

export const queueMenuRoutes = [
  route(queueOptionsApi.replace, async (scope, { params: { queueId }, body: { options, seen } }) => {
    const tell = await beginMenuChange(scope, queueId)
    await replaceMenu(scope, queueId, options, seen)
    await tell()
    const now = await listMenuOptions(scope, queueId)
    const queues = await listQueuesInOrder(scope)
    const queueIds = queues.map((queue) => queue.id)
    return { options: now, findings: checkMenu(now.map(toDraftOption), queueIds) }
  }),
]
