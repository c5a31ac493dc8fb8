import { z } from 'zod'
import { crud, get, optionalText, requiredText } from './endpoint.ts'

export const Help = z.object({ id: z.number(), title: z.string(), description: z.string(), video: z.string() })
export type Help = z.infer<typeof Help>

/** A video is stored as its YouTube id: the id is extracted from a full URL. */
const video = z.preprocess(
  (v) => {
    const given = String(v ?? '').trim()
    return /(?:youtu\.be\/|[?&]v=|\/embed\/|\/shorts\/)([\w-]{6,20})/.exec(given)?.[1] ?? given
  },
  z
    .string()
    .max(60)
    .regex(/^[\w-]*$/),
)

export const HelpWrite = z.object({ title: requiredText(1, 100), description: optionalText(2000), video })

export const helpsApi = {
  ...crud({
    path: '/helps',
    entity: 'help',
    plural: 'records',
    row: Help,
    search: ['title'],
    topic: { name: () => 'company-help' },
    write: HelpWrite,
    example: { title: 'Primeros pasos', description: 'Conecta tu línea en dos minutos', video: 'aqz-KE-bpKQ' },
    read: 'session',
    edit: 'super',
  }),
  all: get('/helps/list', { about: 'Every help video', access: 'session', reply: z.array(Help) }),
}
