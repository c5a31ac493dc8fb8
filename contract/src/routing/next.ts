import { z } from 'zod'
import { capacity, flag, nullableRef, post, ref } from '../endpoint.ts'
import { routingModes } from '../queues.ts'
import { languageCode, skillIds, ticketWeight } from './skills.ts'

/** Why an agent does not get a ticket now. `passed`: they were offered it and passed. */
export const obstacles = ['offline', 'break', 'away', 'offShift', 'passed', 'unskilled', 'full'] as const
export type Obstacle = (typeof obstacles)[number]

/** How many people the answer lists: those who are next first. */
export const maxPeopleListed = 50

const NextPerson = z.object({
  id: z.number(),
  name: z.string(),
  /** The position among those who are free, from 1. Null: the person gets nothing now. */
  rank: z.number().nullable(),
  obstacle: z.enum(obstacles).nullable(),
  /** What their open tickets take of their capacity, in all queues. Capacity null: no limit. */
  places: z.number(),
  capacity: z.number().nullable(),
})
export type NextPerson = z.infer<typeof NextPerson>

export const nextAgentApi = {
  next: post('/routing/next', {
    about: 'Who would get the next ticket of a queue with these rules, which are not saved, and who would not and why',
    access: 'queues-page:edit',
    body: z.object({
      /** Null: a queue that does not exist yet. */
      queueId: nullableRef('queue'),
      routing: z.enum(routingModes),
      capacity,
      weight: ticketWeight.default(1),
      skillIds: skillIds.default([]),
      asksLanguage: flag.default(false),
      /** The agents of the queue, with the capacities that they would have. Who is not named keeps theirs. */
      userIds: z.array(ref('user')).max(500).default([]),
      capacities: z
        .array(z.object({ userId: ref('user'), capacity }))
        .max(500)
        .default([]),
      /** The language of the customer. */
      language: z.preprocess((v) => v || null, languageCode.nullable()),
    }),
    example: { queueId: 1, routing: 'fewestOpen', capacity: 8, userIds: [1], language: 'pt' },
    reply: z.object({
      /** The names of the skills that the ticket would need. */
      skills: z.array(z.string()),
      people: z.array(NextPerson),
      peopleCount: z.number(),
    }),
  }),
}
