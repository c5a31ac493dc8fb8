import { z } from 'zod'
import { Connection } from '../connections.ts'
import { flag, get, isoDateTime, nullableRef, optionalText, post } from '../endpoint.ts'
import { removeHiddenCharacters } from '../hidden-characters.ts'

/** A number of the business that the person shared at Meta. */
export const SignupNumber = z.object({
  phoneNumberId: z.string(),
  /** As Meta writes it: `+1 555 010-2030`. */
  number: z.string(),
  /** The display name that Meta verified; may be empty. */
  name: z.string(),
  /** Whether the number is also in the WhatsApp Business app of a phone; null: Meta did not say. */
  onPhone: z.boolean().nullable(),
})
export type SignupNumber = z.infer<typeof SignupNumber>

/** Either the finished line, or the numbers to choose from. */
const SignupResult = z.object({ connection: Connection.nullable(), numbers: z.array(SignupNumber) })
export type SignupResult = z.infer<typeof SignupResult>

const access = 'connections-page:addConnection' as const
const state = z.string().regex(/^[\w-]{43}$/)
const exampleState = 'x'.repeat(43)

/** Meta's Embedded Signup: a number becomes an official line without copying ids and tokens (docs/lines.md). */
export const lineSignupApi = {
  available: get('/line-signup', {
    about: 'Whether this installation has an app at Meta with which numbers can be connected',
    access,
    reply: z.object({ available: z.boolean() }),
  }),
  begin: post('/line-signup', {
    about: 'Begin to connect a number with Meta: the address of its dialog, valid once and for ten minutes',
    access,
    body: z.object({
      /** Whether contacts and older messages of the phone are requested as soon as the line is connected. */
      history: flag.default(false),
      /** The name of the new line; empty: the name that Meta has verified. */
      name: optionalText(50).transform(removeHiddenCharacters),
      /** The line to connect; null: a new one. */
      whatsappId: nullableRef('connection'),
    }),
    example: { history: true, name: 'Ventas', whatsappId: null },
    reply: z.object({ url: z.string(), state: z.string(), expiresAt: isoDateTime }),
  }),
  exchange: post('/line-signup/exchange', {
    about: "Hand over the code of Meta's dialog: it is exchanged once, and the line is created if there is one number",
    access,
    body: z.object({ state, code: z.string().min(1).max(4000) }),
    example: { state: exampleState, code: 'AQBx' },
    reply: SignupResult,
  }),
  complete: post('/line-signup/complete', {
    about: 'Choose one of several numbers, or try again after a failure that followed the exchange of the code',
    access,
    body: z.object({
      state,
      /** Empty: the only number. */
      phoneNumberId: z.preprocess((v) => v ?? '', z.string().regex(/^\d{0,40}$/)),
    }),
    example: { state: exampleState, phoneNumberId: '1055501020' },
    reply: SignupResult,
  }),
}
