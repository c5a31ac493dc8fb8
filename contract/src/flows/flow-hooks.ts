import { z } from 'zod'
import { anyJson, messageReply, post } from '../endpoint.ts'

export const flowHookPath = '/flow-hooks/'

const maxParts = 500
/** What a program sends. The flow keeps parts of it in variables (`keep` of its trigger). */
const HookCall = z
  .object({
    /** The phone number of the contact: country code, area code and number. Characters between the digits are ignored. */
    number: z.preprocess((v) => (typeof v === 'number' ? String(v) : v), z.string().trim().min(1).max(60)),
  })
  .catchall(anyJson)
  .refine((call) => Object.keys(call).length <= maxParts)
  .meta({ maxProperties: maxParts })

export const flowHooksApi = {
  start: post(`${flowHookPath}:token`, {
    about:
      'Start a flow for a contact, by its secret address. A waiting ticket is created if the contact has none. Repeating a call with the same Idempotency-Key header starts nothing again',
    access: 'public',
    params: z.object({ token: z.string().max(100) }),
    idempotent: true,
    body: HookCall,
    example: { number: '5490005550452', order: { id: 'A-1001', state: 'shipped' } },
    reply: messageReply,
    status: 202,
  }),
}
