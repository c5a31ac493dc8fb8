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
import { describeClient } from './describe-client.ts'
import { endSessions, publishSessionEnded } from './end-sessions.ts'
import { deletePushSubscriptions } from './push-subscriptions.ts'
import type { RefreshCookie } from './refresh-cookie.ts'
import { SessionRenewedError, type Sessions } from './sessions.ts'
import type { Passkeys } from './two-factor/passkeys.ts'
import type { SecondStep } from './two-factor/second-step.ts'
import { presentSessionUser, type UserRow } from './user-view.ts'

export function authRoutes(
  sessions: Sessions,
  clock: Scope['means']['clock'],
  cookie: RefreshCookie,
  secondStep: SecondStep,
  passkeys: Passkeys,
) {
  const wrong = makeAttemptLimiter(clock, { tries: 10, window: minutes(15) })
  const wrongFrom = makeAttemptLimiter(clock, { tries: 100, window: minutes(15) })
  /** So that an unknown address takes as long to refuse as a wrong password. */
  const decoy = hashPassword('nobody has this password')
  const own = { transaction: false }

  async function entered(scope: Scope, actor: Parameters<Sessions['accessToken']>[0]) {
    const home = scope.of(actor.companyId)
    const row = await home.db.selectFrom('users').selectAll().where('id', '=', actor.id).executeTakeFirstOrThrow()
    return { token: await sessions.accessToken(actor), user: await presentSessionUser(home, row) }
  }

  /** Clients that keep their socket over a logout and a login hear again. A browser that is not known yet is from now on. */
  async function comeBack(live: LiveUpdates, sessionId: string, request: FastifyRequest, reply: FastifyReply) {
    const browser = readBrowserCookie(request.headers.cookie)
    const visit = browser && (await sessions.visit(sessionId))
    if (visit) live.welcomeBack(browser, visit.actor)
    const known = browser || randomBytes(24).toString('base64url')
    cookie.setBrowser(reply, known)
  }

  /**
   * What the other kind of hash costs: while somebody still has one that came from elsewhere, every refusal takes the
   * work of both, so the time it takes tells nothing of who is known here.
   */
  async function otherWork(scope: Scope, password: string, tried: string | undefined): Promise<void> {
    if (tried && hasBcryptPrefix(tried)) return void (await passwordMatches(password, await decoy))
    const brought = await scope.db
      .selectFrom('users')
      .select('passwordHash')
      .where('passwordHash', 'like', '$2%')
      .limit(1)
      .executeTakeFirst()
    if (brought) await passwordMatches(password, brought.passwordHash)
  }

  type Typed = { email: string; password: string }
  type Exchange = { request: FastifyRequest; reply: FastifyReply }

  /** In the log, and where it is known whose account it was, in its company's audit. */
  function noteRefused(scope: Scope, user: UserRow | undefined, { request, reply }: Exchange): void {
    // Not what was typed: people write passwords into the wrong field.
    request.log.warn({ from: request.ip, userId: user?.id ?? null }, 'login refused')
    if (!user) return
    const home = scope.of(user.companyId)
    // After the answer: who waits for it must not learn from the time it took whether the address is known.
    reply.raw.once('close', () => {
      writeAudit(home, 'login.refused', user.id, describeClient(request), null).catch((err) =>
        request.log.error({ err }, 'a refused login was not written down'),
      )
    })
  }

  async function identify(scope: Scope, { email, password }: Typed, { request, reply }: Exchange): Promise<UserRow> {
    const ip = callerAddress(request)
    const key = `${ip}|${email}`
    wrong.check(key)
    wrongFrom.check(ip)
    // Counted before the answer is known, or guesses that come all at once would all pass; a right one is forgiven.
    wrong.count(key)
    wrongFrom.count(ip)
    const user = await scope.db
      .selectFrom('users')
      .selectAll()
      .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', email))
      .executeTakeFirst()
    const matches = await passwordMatches(password, user?.passwordHash ?? (await decoy))
    if (!user || !matches || !user.active) {
      await otherWork(scope, password, user?.passwordHash)
      noteRefused(scope, user, { request, reply })
      throw new AppError('ERR_INVALID_CREDENTIALS')
    }
    wrong.forget(key)
    wrongFrom.forgive(ip)
    if (!hasBcryptPrefix(user.passwordHash)) return user
    const ours = await scope.db
      .updateTable('users')
      .set({ passwordHash: await hashPassword(password) })
      .where('id', '=', user.id)
      .where('passwordHash', '=', user.passwordHash)
      .returningAll()
      .executeTakeFirst()
    // Another login of theirs was first, or they have another password by now.
    return ours ?? identify(scope, { email, password }, { request, reply })
  }

  /** Both steps are done: a session, which ends any other of theirs. `user`: as they were when the steps were checked. */
  async function begin(scope: Scope, user: UserRow, { request, reply }: Exchange) {
    const home = scope.of(user.companyId)
    const opened = await sessions.open(user)
    if (!opened) throw new AppError('ERR_INVALID_CREDENTIALS')
    if (opened.ended) {
      publishSessionEnded(home, user.id, opened.ended, 'opened-elsewhere')
      await deletePushSubscriptions(home, { sessionId: opened.ended })
    }
    cookie.set(reply, opened.refresh)
    await comeBack(scope.means.live, opened.id, request, reply)
    await writeAudit(home, 'login.done', user.id, describeClient(request), user)
    return entered(scope, { ...user, sessionId: opened.id })
  }

  return [
    route(
      authApi.login,
      async (scope, { body }, { request, reply }) => {
        cookie.refuseForeignOrigin(request)
        const user = await identify(scope, body, { request, reply })
        const home = scope.of(user.companyId)
        // Who has not paid comes in to pay and to read, and reaches nothing else (`whenExpired` in the contract).
        if (!(await sessions.isActive(user.companyId))) throw new AppError('ERR_COMPANY_INACTIVE')
        const recoveryCodes = await secondStep.pass(home, user, body.code ?? undefined).catch((error) => {
          // Who knows the password and guesses on is what the second step is for.
          if (error instanceof AppError && error.code === 'ERR_TWO_FACTOR_CODE')
            noteRefused(scope, user, { request, reply })
          throw error
        })
        return { ...(await begin(scope, user, { request, reply })), recoveryCodes }
      },
      own,
    ),

    route(
      authApi.passkey,
      async (scope, { body }, { request, reply }) => {
        cookie.refuseForeignOrigin(request)
        const { userId, id: passkeyId } = await passkeys
          .signedBy(scope, body, callerAddress(request))
          .catch((error) => {
            if (error instanceof AppError) noteRefused(scope, undefined, { request, reply })
            throw error
          })
        // Together with the passkey: if it is removed from here on, the version that `begin` compares has changed.
        const user = await scope.db
          .selectFrom('users')
          .selectAll()
          .where('id', '=', userId)
          .where((eb) => eb.exists(eb.selectFrom('passkeys').select('id').where('id', '=', passkeyId)))
          .executeTakeFirst()
        if (!user?.active) throw new AppError('ERR_PASSKEY')
        if (!(await sessions.isActive(user.companyId))) throw new AppError('ERR_COMPANY_INACTIVE')
        return begin(scope, user, { request, reply })
      },
      own,
    ),

    /** Whose company asks for a second step, and has none yet: nobody else, and nobody without the password. */
    route(
      twoFactorApi.atTheDoor,
      async (scope, { body }, { request, reply }) => {
        const user = await identify(scope, body, { request, reply })
        const home = scope.of(user.companyId)
        if (!(await secondStep.isRequired(home))) throw new AppError('ERR_NO_PERMISSION')
        return secondStep.beginAtTheDoor(home, user)
      },
      own,
    ),

    /** Looks at the cookie alone: the bearer that comes along has usually expired. */
    route(
      authApi.refresh,
      async (scope, _input, { request, reply }) => {
        cookie.refuseForeignOrigin(request)
        try {
          const stolen = (s: { id: string; userId: number; companyId: number }) =>
            publishSessionEnded(scope.of(s.companyId), s.userId, s.id, 'opened-elsewhere')
          const { visit, refresh } = await sessions.refresh(cookie.read(request), stolen)
          cookie.set(reply, refresh)
          return await entered(scope, visit.actor)
        } catch (error) {
          // A tab that asks while another one changes the password must not clear the new cookie of both.
          if (error instanceof AppError && !(error instanceof SessionRenewedError)) cookie.clear(reply)
          throw error
        }
      },
      own,
    ),

    route(authApi.logout, async (scope, _input, { request, reply }) => {
      cookie.refuseForeignOrigin(request)
      cookie.clear(reply)
      const id = scope.person?.sessionId ?? sessions.ofCookie(cookie.read(request))
      const session =
        id &&
        (await scope.db.selectFrom('sessions').select(['userId', 'companyId']).where('id', '=', id).executeTakeFirst())
      if (session) await endSessions(scope.of(session.companyId), [session.userId], 'logged-out')
      return { message: 'logged out' }
    }),

    route(authApi.socket, async (scope) => ({ ticket: sessions.socketTicket(scope.actor) }), own),

    route(authApi.me, async (scope) => {
      const { id, profile, super: isSuper } = scope.actor
      return { id, profile, super: isSuper }
    }),
  ]
}
