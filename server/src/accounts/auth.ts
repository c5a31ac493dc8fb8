import { randomBytes } from 'node:crypto'
import { authApi } from '@recado/contract/auth'
import { twoFactorApi } from '@recado/contract/passwords/two-factor'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { minutes } from '../kernel/clock.ts'
import { hasBcryptPrefix, hashPassword, passwordMatches } from '../kernel/crypto.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { callerAddress, makeAttemptLimiter } from '../kernel/http/rate-limits.ts'
import { route } from '../kernel/http/routes.ts'
import type { LiveUpdates } from '../kernel/live/live-updates.ts'
import { readBrowserCookie } from '../kernel/live/sockets.ts'
import { writeAudit } from './api-access/audit.ts'
import { describeClient, deviceOf } from './describe-client.ts'
import { publishSessionEnded } from './end-sessions.ts'
import { deletePushSubscriptions } from './push-subscriptions.ts'
import type { RefreshCookie } from './refresh-cookie.ts'
import { SessionRenewedError, type Sessions } from './sessions.ts'
import type { Passkeys } from './two-factor/passkeys.ts'
import type { SecondStep } from './two-factor/second-step.ts'
import { presentSessionUser, type UserRow } from './user-view.ts'

export function authRoutes(
  sessions: Sessions,
  clock: Scope['deps']['clock'],
  cookie: RefreshCookie,
  secondStep: SecondStep,
  passkeys: Passkeys,
) {
  const failedLogins = makeAttemptLimiter(clock, { maxAttempts: 10, windowMs: minutes(15) })
  const failedLoginsByAddress = makeAttemptLimiter(clock, { maxAttempts: 100, windowMs: minutes(15) })
  /** Verified for unknown addresses, so that they take as long to refuse as a wrong password. */
  const decoy = hashPassword('nobody has this password')
  const noTransaction = { transaction: false }

  async function presentLogin(scope: Scope, actor: Parameters<Sessions['accessToken']>[0]) {
    const companyScope = scope.forCompany(actor.companyId)
    const row = await companyScope.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', actor.id)
      .executeTakeFirstOrThrow()
    return { token: await sessions.accessToken(actor), user: await presentSessionUser(companyScope, row) }
  }

  /** Reactivates sockets that a client kept open across logout and login. A browser without a cookie gets its cookie here. */
  async function resumeBrowserSockets(
    live: LiveUpdates,
    sessionId: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const browser = readBrowserCookie(request.headers.cookie)
    const authContext = browser && (await sessions.loadAuthContext(sessionId))
    if (authContext) live.resumeSockets(browser, authContext.actor)
    const browserId = browser || randomBytes(24).toString('base64url')
    cookie.setBrowser(reply, browserId)
  }

  /**
   * Also computes the hash of the other type: while any user still has an imported hash, every refusal costs both
   * types, so its duration does not reveal which addresses exist.
   */
  async function equalizeHashTime(scope: Scope, password: string, triedHash: string | undefined): Promise<void> {
    if (triedHash && hasBcryptPrefix(triedHash)) return void (await passwordMatches(password, await decoy))
    const importedUser = await scope.db
      .selectFrom('users')
      .select('passwordHash')
      .where('passwordHash', 'like', '$2%')
      .limit(1)
      .executeTakeFirst()
    if (importedUser) await passwordMatches(password, importedUser.passwordHash)
  }

  type TypedCredentials = { email: string; password: string }
  type Exchange = { request: FastifyRequest; reply: FastifyReply }

  /** Logs a refused login and, if the account is known, records it in its company's audit. */
  function recordRefusedLogin(scope: Scope, user: UserRow | undefined, { request, reply }: Exchange): void {
    // Never log what was typed: people type passwords into the wrong field.
    request.log.warn({ from: request.ip, userId: user?.id ?? null }, 'login refused')
    if (!user) return
    const companyScope = scope.forCompany(user.companyId)
    // The audit entry is written after the response, whose duration must not reveal whether the address exists.
    reply.raw.once('close', () => {
      writeAudit(companyScope, 'login.refused', user.id, describeClient(request), null).catch((err) =>
        request.log.error({ err }, 'a refused login was not written down'),
      )
    })
  }

  async function identify(
    scope: Scope,
    { email, password }: TypedCredentials,
    { request, reply }: Exchange,
  ): Promise<UserRow> {
    const ip = callerAddress(request)
    const key = `${ip}|${email}`
    failedLogins.check(key)
    failedLoginsByAddress.check(ip)
    // The attempt is counted before the check, because otherwise parallel guesses would all pass. A correct password
    // resets the count.
    failedLogins.count(key)
    failedLoginsByAddress.count(ip)
    const user = await scope.db
      .selectFrom('users')
      .selectAll()
      .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email))
      .executeTakeFirst()
    const matches = await passwordMatches(password, user?.passwordHash ?? (await decoy))
    if (!user || !matches || !user.active) {
      await equalizeHashTime(scope, password, user?.passwordHash)
      recordRefusedLogin(scope, user, { request, reply })
      throw new AppError('ERR_INVALID_CREDENTIALS')
    }
    failedLogins.reset(key)
    failedLoginsByAddress.undoAttempt(ip)
    if (!hasBcryptPrefix(user.passwordHash)) return user
    const rehashedUser = await scope.db
      .updateTable('users')
      .set({ passwordHash: await hashPassword(password) })
      .where('id', '=', user.id)
      .where('passwordHash', '=', user.passwordHash)
      .returningAll()
      .executeTakeFirst()
    // Another login of this user came first, or the password has changed.
    return rehashedUser ?? identify(scope, { email, password }, { request, reply })
  }

  /**
   * Opens a session after both login steps, and ends the sessions that the company's setting does not allow beside it.
   * `user`: the row that was checked.
   */
  async function openSession(scope: Scope, user: UserRow, { request, reply }: Exchange) {
    const companyScope = scope.forCompany(user.companyId)
    const session = await sessions.open(user, deviceOf(request))
    if (!session) throw new AppError('ERR_INVALID_CREDENTIALS')
    for (const sessionId of session.endedSessionIds) {
      publishSessionEnded(companyScope, user.id, sessionId, 'opened-elsewhere')
      await deletePushSubscriptions(companyScope, { sessionId })
    }
    cookie.set(reply, session.refresh)
    await resumeBrowserSockets(scope.deps.live, session.id, request, reply)
    await writeAudit(companyScope, 'login.done', user.id, describeClient(request), user)
    return presentLogin(scope, { ...user, sessionId: session.id })
  }

  return [
    route(
      authApi.login,
      async (scope, { body }, { request, reply }) => {
        cookie.refuseForeignOrigin(request)
        const user = await identify(scope, body, { request, reply })
        const companyScope = scope.forCompany(user.companyId)
        // An expired company may log in to pay and read, and nothing else (`whenExpired` in the contract).
        if (!(await sessions.isCompanyActive(user.companyId))) throw new AppError('ERR_COMPANY_INACTIVE')
        const recoveryCodes = await secondStep
          .verifyLogin(companyScope, user, body.code ?? undefined)
          .catch((error) => {
            // A wrong code after a correct password is the attack that the second step prevents, so record it.
            if (error instanceof AppError && error.code === 'ERR_TWO_FACTOR_CODE')
              recordRefusedLogin(scope, user, { request, reply })
            throw error
          })
        return { ...(await openSession(scope, user, { request, reply })), recoveryCodes }
      },
      noTransaction,
    ),

    route(
      authApi.passkey,
      async (scope, { body }, { request, reply }) => {
        cookie.refuseForeignOrigin(request)
        const { userId, id: passkeyId } = await passkeys
          .verifyLogin(scope, body, callerAddress(request))
          .catch((error) => {
            if (error instanceof AppError) recordRefusedLogin(scope, undefined, { request, reply })
            throw error
          })
        // The user is read together with the passkey: if the passkey is removed later, the credential version that
        // `begin` compares has changed.
        const user = await scope.db
          .selectFrom('users')
          .selectAll()
          .where('id', '=', userId)
          .where((eb) => eb.exists(eb.selectFrom('passkeys').select('id').where('id', '=', passkeyId)))
          .executeTakeFirst()
        if (!user?.active) throw new AppError('ERR_PASSKEY')
        if (!(await sessions.isCompanyActive(user.companyId))) throw new AppError('ERR_COMPANY_INACTIVE')
        return openSession(scope, user, { request, reply })
      },
      noTransaction,
    ),

    /** Sets up the second step at login, for users who know the password and whose company requires it. */
    route(
      twoFactorApi.atTheDoor,
      async (scope, { body }, { request, reply }) => {
        const user = await identify(scope, body, { request, reply })
        const companyScope = scope.forCompany(user.companyId)
        if (!(await secondStep.isRequired(companyScope))) throw new AppError('ERR_NO_PERMISSION')
        return secondStep.beginAtLogin(companyScope, user)
      },
      noTransaction,
    ),

    /** Reads only the cookie, because the bearer token sent with it has usually expired. */
    route(
      authApi.refresh,
      async (scope, _input, { request, reply }) => {
        cookie.refuseForeignOrigin(request)
        try {
          const onStolenToken = (s: { id: string; userId: number; companyId: number }) =>
            publishSessionEnded(scope.forCompany(s.companyId), s.userId, s.id, 'opened-elsewhere')
          const { visit: authContext, refresh } = await sessions.refresh(cookie.read(request), onStolenToken)
          cookie.set(reply, refresh)
          return await presentLogin(scope, authContext.actor)
        } catch (error) {
          // If a tab refreshes while another tab changes the password, it must not clear the new cookie of both tabs.
          if (error instanceof AppError && !(error instanceof SessionRenewedError)) cookie.clear(reply)
          throw error
        }
      },
      noTransaction,
    ),

    route(authApi.logout, async (scope, _input, { request, reply }) => {
      cookie.refuseForeignOrigin(request)
      cookie.clear(reply)
      const id = scope.person?.sessionId ?? sessions.sessionIdOfCookie(cookie.read(request))
      const session =
        id &&
        (await scope.db
          .deleteFrom('sessions')
          .where('id', '=', id)
          .returning(['userId', 'companyId'])
          .executeTakeFirst())
      if (session) {
        const companyScope = scope.forCompany(session.companyId)
        await deletePushSubscriptions(companyScope, { sessionId: id })
        publishSessionEnded(companyScope, session.userId, id, 'logged-out')
      }
      return { message: 'logged out' }
    }),

    route(authApi.socket, async (scope) => ({ ticket: sessions.socketTicket(scope.actor) }), noTransaction),

    route(authApi.me, async (scope) => {
      const { id, profile, super: isSuper } = scope.actor
      return { id, profile, super: isSuper }
    }),
  ]
}
