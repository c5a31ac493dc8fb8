import { z } from 'zod'
import { color, crud, get, listQuery, pageReply, requiredName } from './endpoint.ts'
import { skillIds, ticketWeight } from './routing/skills.ts'

export const Tag = z.object({
  id: z.number(),
  name: z.string(),
  color: z.string(),
  kanban: z.number(),
  userId: z.number().nullable(),
  ticketsCount: z.number(),
  /** How many places of an agent's capacity a ticket with this tag takes. */
  weight: z.number(),
  /** The skills that tickets with this tag need. */
  skillIds: z.array(z.number()),
})
export type Tag = z.infer<typeof Tag>

export const defaultTagColor = '#A4CCCC'

export const TagWrite = z.object({
  name: requiredName(3, 50),
  color: z.preprocess((v) => v || defaultTagColor, color),
  /** Only users with access to the board can set this field; if absent or not allowed, it is unchanged. */
  kanban: z.preprocess((v) => (v === undefined || v === null ? undefined : Number(v) ? 1 : 0), z.number().optional()),
  /** Absent: unchanged. */
  weight: ticketWeight.optional(),
  skillIds: skillIds.optional(),
})

export const tagsApi = {
  ...crud({
    path: '/tags',
    entity: 'tag',
    plural: 'tags',
    row: Tag,
    search: ['name'],
    topic: { one: 'tag', gone: 'tagId', alias: { name: () => 'user', one: 'tags' } },
    write: TagWrite,
    example: { name: 'Urgente', color: '#d73434', kanban: 0 },
    read: 'session',
    edit: 'session',
    key: 'tickets',
  }),
  /** Without `pageNumber` it returns the whole list, for selects of older clients. */
  list: get('/tags', {
    about: 'A page of tags; all of them without pageNumber',
    access: 'session',
    key: 'tickets',
    query: listQuery.extend({ pageNumber: listQuery.shape.pageNumber.unwrap().optional() }),
    reply: pageReply('tags', Tag),
  }),
  all: get('/tags/list', {
    about: 'Every tag',
    access: 'session',
    key: 'tickets',
    query: z.object({ searchParam: z.string().trim().max(200).default('') }),
    reply: z.array(Tag),
  }),
  kanban: get('/tags/kanban', {
    about: 'The lanes of the board',
    access: 'session',
    plan: 'useKanban',
    reply: z.object({ lista: z.array(Tag) }),
  }),
}
