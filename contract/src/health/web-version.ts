import { z } from 'zod'
import { get, isoDateTime, post, put } from '../endpoint.ts'

/** Three numbers, such as 2.3000.1043857760. */
const versionText = z
  .string()
  .trim()
  .max(30)
  .regex(/^\d{1,3}\.\d{1,5}\.\d{1,10}$/)
const optionalVersion = z.preprocess((v) => (v === '' || v === undefined ? null : v), versionText.nullable())

/** The version of WhatsApp Web with which linked lines present themselves; WhatsApp refuses one that is too old. */
export const WebVersionState = z.object({
  /** The version of the next connection. */
  inUse: z.string(),
  /** The version inside Recado. */
  builtIn: z.string(),
  /** The version that the super user chose by hand. */
  pinned: z.string().nullable(),
  /** The version that WhatsApp named last. */
  found: z.string().nullable(),
  foundAt: isoDateTime.nullable(),
  /** The highest version with which a line was connected. */
  accepted: z.string().nullable(),
  acceptedAt: isoDateTime.nullable(),
  /** The version that WhatsApp refuses as too old, until a line is connected again. */
  refused: z.string().nullable(),
  refusedAt: isoDateTime.nullable(),
})
export type WebVersionState = z.infer<typeof WebVersionState>

export const versionTrials = ['accepted', 'refused', 'unreachable'] as const

export const webVersionApi = {
  show: get('/platform/web-version', {
    about: 'The version of WhatsApp Web that linked lines use',
    access: 'super',
    reply: WebVersionState,
  }),
  pin: put('/platform/web-version', {
    about:
      'Use this version of WhatsApp Web; empty: the current one is looked up. Lines that were refused connect again',
    access: 'super',
    body: z.object({ pinned: optionalVersion }),
    example: { pinned: '2.3000.1043857760' },
    reply: WebVersionState,
  }),
  test: post('/platform/web-version/test', {
    about:
      'Ask WhatsApp whether it accepts this version, without linking a number; empty: looks the current one up and tests it',
    access: 'super',
    body: z.object({ version: optionalVersion }),
    example: { version: '2.3000.1043857760' },
    reply: z.object({ version: z.string(), result: z.enum(versionTrials), state: WebVersionState }),
  }),
}
