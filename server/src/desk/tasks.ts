import { topics } from '@recado/contract/live'
import { maxTasksPerUser, type Task, tasksApi } from '@recado/contract/schedules/tasks'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { route } from '../kernel/http/routes.ts'

const columns = ['id', 'text', 'createdAt', 'updatedAt'] as const
const selectOwnTasks = (scope: Scope) =>
  scope.db
    .selectFrom('tasks')
    .select(columns)
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)

/** Publishes changed tasks, to the user's own devices only. */
const publishTasks = (scope: Scope): void => scope.live(topics.tasks, { action: 'update' }, { users: [scope.actor.id] })

async function createTask(scope: Scope, { text, createdAt }: { text: string; createdAt?: string | undefined }) {
  const { n } = await scope.db
    .selectFrom('tasks')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .executeTakeFirstOrThrow()
  if (Number(n) >= maxTasksPerUser) throw new AppError('ERR_VALIDATION', { text: 'Too Long!' })
  const at = createdAt ? new Date(createdAt) : scope.now()
  const owner = { companyId: scope.companyId, userId: scope.actor.id }
  const task = await scope.db
    .insertInto('tasks')
    .values({ ...owner, text, createdAt: at, updatedAt: at })
    .onConflict((c) => c.doNothing())
    .returning(columns)
    .executeTakeFirst()
  publishTasks(scope)
  if (task) return task
  return selectOwnTasks(scope)
    .where('createdAt', '=', at.toISOString())
    .where('text', '=', text)
    .executeTakeFirstOrThrow()
}

async function updateTask(scope: Scope, id: number, text: string): Promise<Task> {
  const task = await scope.db
    .updateTable('tasks')
    .set({ text, updatedAt: scope.now() })
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  if (!task) throw new AppError('ERR_NO_TASK_FOUND')
  publishTasks(scope)
  return task
}

async function removeTask(scope: Scope, id: number): Promise<void> {
  const removed = await scope.db
    .deleteFrom('tasks')
    .where('companyId', '=', scope.companyId)
    .where('userId', '=', scope.actor.id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new AppError('ERR_NO_TASK_FOUND')
  publishTasks(scope)
}

export const taskRoutes = [
  route(tasksApi.list, (scope) => selectOwnTasks(scope).orderBy('createdAt').orderBy('id').execute()),
  route(tasksApi.create, (scope, { body }) => createTask(scope, body)),
  route(tasksApi.update, (scope, { params, body }) => updateTask(scope, params.id, body.text)),
  route(tasksApi.remove, async (scope, { params }) => {
    await removeTask(scope, params.id)
    return { message: 'deleted' }
  }),
]
