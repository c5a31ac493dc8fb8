import { z } from 'zod'
import { flag, get, put } from '../endpoint.ts'

/** The super user's switch. It is apart from the endpoints of a line, so that no screen loads both. */
export const passkeyLinkingApi = {
  show: get('/platform/passkey-linking', {
    about: 'Whether phones may be linked with a passkey, which is untried with real numbers',
    access: 'super',
    reply: z.object({ enabled: z.boolean() }),
  }),
  save: put('/platform/passkey-linking', {
    about: 'Allow linking phones with a passkey; untried with real numbers, and off on a new server',
    access: 'super',
    body: z.object({ enabled: flag }),
    example: { enabled: false },
    reply: z.object({ enabled: z.boolean() }),
  }),
}
