import { z } from 'zod'
import { Hours, WeekHours } from './hours.ts'
import { color, del, done, get, idOf, looseRef, post, put, text, words } from './kit.ts'

export const Queue = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  orderQueue: z.number().nullable(),
  greetingMessage: z.string(),
  complationMessage: z.string(),
  outOfHoursMessage: z.string(),
  ratingMessage: z.string(),
  integrationId: z.number().nullable(),
  promptId: z.number().nullable(),
  schedules: z.array(Hours),
})
export type Queue = z.infer<typeof Queue>

export const QueueWrite = z.object({
  name: words(2, 50),
  color,
  orderQueue: z.preprocess(
    (v) => (v === '' || v === undefined ? null : v),
    z.coerce.number().int().min(0).max(100_000).nullable(),
  ),
  greetingMessage: text(4096),
  complationMessage: text(4096),
  outOfHoursMessage: text(4096),
  ratingMessage: text(4096),
  integrationId: looseRef('integration'),
  promptId: looseRef('prompt'),
  schedules: WeekHours.optional(),
})

const example = { name: 'Ventas', color: '#2f9e44', orderQueue: 1, integrationId: null, promptId: null }
export const queuesApi = {
  list: get('/queue', { about: 'Every queue of the company, in menu order', access: 'session', reply: z.array(Queue) }),
  show: get('/queue/:id', { about: 'One queue', access: 'session', params: idOf('queue'), reply: Queue }),
  create: post('/queue', {
    about: 'Create a queue',
    access: 'queues-page:edit',
    body: QueueWrite,
    example,
    reply: Queue,
  }),
  update: put('/queue/:id', {
    about: 'Change a queue',
    access: 'queues-page:edit',
    params: idOf('queue'),
    body: QueueWrite,
    example,
    reply: Queue,
  }),
  remove: del('/queue/:id', {
    about: 'Delete a queue',
    access: 'queues-page:edit',
    params: idOf('queue'),
    reply: done,
  }),
}
