import { z } from 'zod'
import { del, get, messageReply, post } from './endpoint.ts'
import { PasskeyAssertion, passkeyAssertionExample } from './passwords/passkeys.ts'
import { newPassword } from './passwords/passwords.ts'
import { twoFactorCode } from './passwords/two-factor.ts'
import { profiles } from './rules.ts'
import { SessionUser } from './users.ts'

const LoginReply = z.object({ token: z.string(), user: SessionUser })

const PasswordResetBody = z.object({
  email: z.string().trim().toLowerCase().max(254),
  token: z.string().trim().max(50),
  newPassword,
})

/** The part of the link after the `#`, which appears in no log of a server or proxy. */
const invitationKey = z.string().trim().max(80)

export const authApi = {
  login: post('/auth/login', {
    about: 'Log in; ends any other session of the same user',
    access: 'public',
    body: z.object({
      email: z.string().trim().toLowerCase().max(254),
      password: z.string().max(200),
      /** Required after `ERR_TWO_FACTOR_REQUIRED`, or after `ERR_TWO_FACTOR_SETUP` and `/auth/login/two-factor`. */
      code: twoFactorCode.nullish(),
    }),
    example: { email: 'ana@desk.example', password: 'a-good-password' },
    /** The recovery codes are returned only when the user completes the second step for the first time. */
    reply: LoginReply.extend({ recoveryCodes: z.array(z.string()).optional() }),
  }),
  passkey: post('/auth/login/passkey', {
    about: 'Log in with a passkey, which counts as both steps',
    access: 'public',
    body: PasskeyAssertion,
    example: passkeyAssertionExample,
    reply: LoginReply,
  }),
  refresh: post('/auth/refresh_token', {
    about: 'Get a new access token for the cookie `jrt`',
    access: 'public',
    reply: LoginReply,
  }),
  logout: del('/auth/logout', { about: 'End this session', access: 'public', reply: messageReply }),
  socket: post('/auth/socket', {
    about: 'Create a ticket that opens sockets for half a minute: send it in `auth: { ticket }`, never in a URL',
    access: 'session',
    whenExpired: true,
    reply: z.object({ ticket: z.string() }),
  }),
  me: get('/auth/me', {
    about: 'The current user',
    access: 'session',
    whenExpired: true,
    reply: z.object({ id: z.number(), profile: z.enum(profiles), super: z.boolean() }),
  }),
  forgot: post('/forgetpassword/:email', {
    about: 'Send a reset code to this address; the response does not reveal whether the address is known',
    access: 'public',
    params: z.object({ email: z.string().max(254) }),
    reply: z.object({ status: z.number(), delivery: z.enum(['mail', 'folder']) }),
  }),
  reset: post('/resetpasswords', {
    about: 'Set a new password with the code from the mail',
    access: 'public',
    body: PasswordResetBody,
    example: { email: 'ana@desk.example', token: '12345678', newPassword: 'Better-Than-1234' },
    reply: messageReply,
  }),
  invitation: post('/invitations/read', {
    about: 'Who is invited by a link, and to which company',
    access: 'public',
    body: z.object({ key: invitationKey }),
    example: { key: '7-0123456789abcdef0123456789abcdef' },
    reply: z.object({ name: z.string(), email: z.string(), company: z.string() }),
  }),
  acceptInvitation: post('/invitations/accept', {
    about: 'Choose the first password. A link works once and is valid for seven days',
    access: 'public',
    body: z.object({ key: invitationKey, password: newPassword }),
    example: { key: '7-0123456789abcdef0123456789abcdef', password: 'a-good-password' },
    reply: messageReply,
  }),
  resetByPath: post('/resetpasswords/:email/:token/:newPassword', {
    about: 'The same, for older clients; prefer the body, because paths end up in logs',
    access: 'public',
    params: PasswordResetBody,
    reply: messageReply,
  }),
}
