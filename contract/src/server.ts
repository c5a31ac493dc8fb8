import { z } from 'zod'
import { get } from './kit.ts'

export const serverApi = {
  version: get('/version', {
    about: 'Which Recado this is, and how many bytes one file may have',
    access: 'public',
    reply: z.object({ version: z.string(), uploadLimit: z.number() }),
  }),
}
