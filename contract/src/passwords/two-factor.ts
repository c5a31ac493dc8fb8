import { z } from 'zod'
import { get, idParams, isoDateTime, messageReply, post } from '../endpoint.ts'

const password = z.string().max(200)
/** Six digits from the app, or a recovery code; spaces and dashes are ignored. */
export const twoFactorCode = z.string().trim().max(40)

/** Setup of an authenticator app: as a QR code (`address`) or typed (`secret`). */
export const AuthenticatorSetup = z.object({ secret: z.string(), address: z.string() })
export type AuthenticatorSetup = z.infer<typeof AuthenticatorSetup>
/** Each recovery code replaces a second-factor code once. The codes are shown only once. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

export const TwoFactorState = z.object({
  since: isoDateTime.nullable(),
  /** The company requires two-factor login of all users. */
  required: z.boolean(),
  recoveryCodesLeft: z.number(),
})
export type TwoFactorState = z.infer<typeof TwoFactorState>

/** A current or past login of a user. */
export const LoginRecord = z.object({ at: isoDateTime, from: z.string(), current: z.boolean() })
export type LoginRecord = z.infer<typeof LoginRecord>

export const twoFactorApi = {
  show: get('/auth/two-factor', {
    about: 'Whether the caller logs in with a second step',
    access: 'session',
    reply: TwoFactorState,
  }),
  begin: post('/auth/two-factor', {
    about: 'Create a new secret for an authenticator app; nothing changes until one of its codes is confirmed',
    access: 'session',
    body: z.object({ currentPassword: password }),
    example: { currentPassword: 'a-good-password' },
    reply: AuthenticatorSetup,
  }),
  confirm: post('/auth/two-factor/confirm', {
    about: 'Confirm the first code of the app: from now on every login asks for one',
    access: 'session',
    body: z.object({ code: twoFactorCode }),
    example: { code: '123456' },
    reply: RecoveryCodes,
  }),
  renew: post('/auth/two-factor/recovery-codes', {
    about: 'Create new recovery codes; the old ones become invalid',
    access: 'session',
    body: z.object({ code: twoFactorCode }),
    example: { code: '123456' },
    reply: RecoveryCodes,
  }),
  end: post('/auth/two-factor/end', {
    about: 'Turn the second step off; refused if the company requires it',
    access: 'session',
    body: z.object({ currentPassword: password, code: twoFactorCode }),
    example: { currentPassword: 'a-good-password', code: '123456' },
    reply: messageReply,
  }),
  atTheDoor: post('/auth/login/two-factor', {
    about: 'The secret for a user whose company requires a second step, before their first login with one',
    access: 'public',
    body: z.object({ email: z.string().trim().toLowerCase().max(254), password }),
    example: { email: 'ana@desk.example', password: 'a-good-password' },
    reply: AuthenticatorSetup,
  }),
  endFor: post('/users/:id/two-factor/end', {
    about:
      'Reset the second step of a user who lost their phone and codes: the next login goes without it, or sets it up again',
    access: 'users-page:manage',
    across: true,
    params: idParams('user'),
    reply: messageReply,
  }),
  logins: get('/auth/logins', {
    about: 'Where and when the caller logged in, newest first',
    access: 'session',
    reply: z.object({ logins: z.array(LoginRecord) }),
  }),
}
