import { z } from 'zod'
import { del, get, idParams, isoDateTime, messageReply, post, put, requiredText } from '../endpoint.ts'

/** A task of one user. Only that user sees it, on all of their devices. */
export const Task = z.object({ id: z.number(), text: z.string(), createdAt: isoDateTime, updatedAt: isoDateTime })
export type Task = z.infer<typeof Task>

/** A user has no more tasks than this. */
export const maxTasksPerUser = 1000
export const maxTaskLength = 2000
const text = requiredText(1, maxTaskLength)

export const tasksApi = {
  list: get('/tasks', {
    about: 'The tasks of the caller, oldest first',
    access: 'session',
    reply: z.array(Task),
  }),
  create: post('/tasks', {
    about:
      'Add a task. With the `createdAt` of a task that was kept in a browser, or deleted, it takes that place again; sent again, it is the same task',
    access: 'session',
    body: z.object({ text, createdAt: z.iso.datetime({ offset: true }).max(40).optional() }),
    example: { text: 'Llamar a Lucía' },
    reply: Task,
  }),
  update: put('/tasks/:id', {
    about: 'Change the text of a task',
    access: 'session',
    params: idParams('task'),
    body: z.object({ text }),
    example: { text: 'Llamar a Lucía el lunes' },
    reply: Task,
  }),
  remove: del('/tasks/:id', {
    about: 'Delete a task',
    access: 'session',
    params: idParams('task'),
    reply: messageReply,
  }),
}
