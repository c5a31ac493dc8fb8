import { z } from 'zod'
import { crud, get, ref, requiredName } from '../endpoint.ts'

/** How many skills a company names. */
export const maxSkills = 50

/** How many places of an agent's capacity a ticket takes. */
export const maxTicketWeight = 10
export const ticketWeight = z.coerce.number().int().min(1).max(maxTicketWeight)
export const skillIds = z.array(ref('skill')).max(maxSkills)

/** An ISO 639 code, such as `pt`. */
export const languageCode = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z]{2,3}$/)

/** What an agent can do and a ticket may need. `language`: the skill means that the agent speaks this language. */
export const Skill = z.object({ id: z.number(), name: z.string(), language: z.string().nullable() })
export type Skill = z.infer<typeof Skill>

export const SkillWrite = z.object({
  name: requiredName(1, 40),
  language: z.preprocess((v) => v || null, languageCode.nullable()),
})

export const skillsApi = {
  ...crud({
    path: '/skills',
    entity: 'skill',
    plural: 'skills',
    row: Skill,
    search: ['name'],
    write: SkillWrite,
    example: { name: 'Portugués', language: 'pt' },
    read: 'session',
    edit: 'users-page:manage',
  }),
  all: get('/skills/list', {
    about: 'Every skill of the company',
    access: 'session',
    reply: z.array(Skill),
  }),
}
