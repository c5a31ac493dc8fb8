import { z } from 'zod'
import { get } from './endpoint.ts'

export const serverApi = {
  version: get('/version', {
    about: 'The version of Recado, and the maximum size of one file in bytes',
    access: 'public',
    reply: z.object({ version: z.string(), uploadLimit: z.number() }),
  }),
}

/** Share of the plan's storage at which admins are warned. */
export const storageWarningRatio = 0.8

export const storageApi = {
  usage: get('/storage', {
    about: 'How many bytes the files of the company use, and how many its plan allows; null means no limit',
    access: 'settings-page:edit',
    reply: z.object({ bytes: z.number(), quotaBytes: z.number().nullable() }),
  }),
}
