import { z } from 'zod'
import { get, idParams, post, ref } from '../endpoint.ts'

/** What moves from one line to another, and what stays or has to be done first. */
export const LineMovePlan = z.object({
  /** Active conversations that move, with their messages that wait to be sent. */
  tickets: z.number(),
  waiting: z.number(),
  /** Conversations of groups, and those of people who already have one on the other line: they stay. */
  groups: z.number(),
  doubled: z.number(),
  /** Campaigns that have not started move; scheduled ones lose their time, and running ones have to be cancelled first. */
  draftCampaigns: z.number(),
  scheduledCampaigns: z.number(),
  runningCampaigns: z.number(),
  schedules: z.number(),
  /** Queues that the other line gets in addition, and agents whose line it becomes. */
  queues: z.number(),
  users: z.number(),
})
export type LineMovePlan = z.infer<typeof LineMovePlan>

const access = 'connections-page:editOrDeleteConnection' as const
const params = idParams('connection')

export const lineMoveApi = {
  plan: get('/whatsapp/:id/move', {
    about: 'What would move from this line to another: one is a linked phone, the other is on the official API',
    access,
    params,
    query: z.object({ toId: ref('connection') }),
    reply: LineMovePlan,
  }),
  move: post('/whatsapp/:id/move', {
    about:
      'Move conversations, queues, campaigns and scheduled messages to another line, and disconnect this one. Conversations follow in the background',
    access,
    params,
    body: z.object({ toId: ref('connection') }),
    example: { toId: 2 },
    reply: LineMovePlan,
  }),
}
