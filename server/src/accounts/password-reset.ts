import { randomInt } from 'node:crypto'
import { authApi } from '@recado/contract/auth'
import type { FastifyRequest } from 'fastify'
import { addMs, minutes } from '../kernel/clock.ts'
import { hashPassword } from '../kernel/crypto.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { callerAddress, makeAttemptLimiter } from '../kernel/http/rate-limits.ts'
import { route } from '../kernel/http/routes.ts'
import { asExternalCallJob, type JobHandlers } from '../kernel/jobs.ts'
import type { Mailer } from '../kernel/outgoing/mail.ts'
import { passwordAuditChange, writeAudit } from './api-access/audit.ts'
import { endSessions } from './end-sessions.ts'
import { mailUser } from './mail-user.ts'
import { assertPasswordAccepted, loadPersonalWords } from './platform/password-rules.ts'
import type { UserRow } from './user-view.ts'

declare module '../kernel/jobs.ts' {
  interface Jobs {
    /** The address is looked up in a job, so that the answer to the caller reveals nothing. */
    'password:forgot': { sealed: string }
    'mail:send': { sealed: string }
  }
}

const resetCodeTtlMs = minutes(15)
/** Maximum tries of one caller for one user. */
const maxTriesPerCaller = 5
/** Maximum tries of all callers together: too few to guess an eight-digit code. One caller alone cannot use them up. */
const maxTriesOfAllCallers = 200
/**
 * Maximum valid codes of a user: a request by another person invalidates none of them, and cannot fill the user's
 * mailbox.
 */
const maxCodes = 5

/** Stores the hash of a new code and mails the code, unless enough codes are valid. Mail and code are sealed in the job. */
async function sendCode(scope: Scope, user: UserRow): Promise<void> {
  const { vault } = scope.deps
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  const codeHash = vault.sign('reset', `${user.id}:${code}`)
  // Lock the user: two parallel requests must not both take the last free code.
  await scope.db.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute()
  const activeCodes = scope.db.selectFrom('passwordResets').where('userId', '=', user.id)
  await scope.db
    .deleteFrom('passwordResets')
    .where('userId', '=', user.id)
    .where('expiresAt', '<=', scope.now().toISOString())
    .execute()
  const { codes, tries: attempts } = await activeCodes
    .select((eb) => [eb.fn.countAll<number>().as('codes'), eb.fn.max('tries').as('tries')])
    .executeTakeFirstOrThrow()
  if (codes >= maxCodes) return
  await scope.db
    .insertInto('passwordResets')
    // Failed tries are counted for all codes of the user together.
    .values({
      userId: user.id,
      companyId: user.companyId,
      codeHash,
      tries: attempts ?? 0,
      expiresAt: addMs(scope.now(), resetCodeTtlMs),
    })
    .onConflict((c) => c.columns(['userId', 'codeHash']).doNothing())
    .execute()
  await mailUser(scope, user, ({ reset }) => ({ subject: reset.subject, text: reset.text(user.name, code) }))
}

async function resetPassword(
  scope: Scope,
  resetRequest: { email: string; token: string; newPassword: string },
  onCodeVerified: () => void,
): Promise<void> {
  const user = await scope.db
    .selectFrom('users')
    .select(['id', 'companyId', 'name', 'email'])
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', resetRequest.email))
    .executeTakeFirst()
  // The try is counted before the comparison, in a separate statement, so that a wrong code stays counted.
  const rows = await scope.db
    .updateTable('passwordResets')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('userId', '=', user?.id ?? 0)
    .where('tries', '<', maxTriesOfAllCallers)
    .where('expiresAt', '>', scope.now().toISOString())
    .returning('codeHash')
    .execute()
  const row = rows.find(({ codeHash }) =>
    scope.deps.vault.verify('reset', `${user?.id}:${resetRequest.token}`, codeHash),
  )
  if (!user || !row) throw new AppError('ERR_RESET_CODE_INVALID')
  onCodeVerified()
  // Checked only after the code is verified, because the refusal of personal words reveals who has this
  // address.
  const about = await loadPersonalWords(scope.forCompany(user.companyId), user)
  await assertPasswordAccepted(scope, 'newPassword', resetRequest.newPassword, { personalWords: about, isReset: true })
  const passwordHash = await hashPassword(resetRequest.newPassword)
  await scope.transaction(async (tx) => {
    const deletedCode = await tx.db
      .deleteFrom('passwordResets')
      .where('userId', '=', user.id)
      .where('codeHash', '=', row.codeHash)
      .returning('userId')
      .executeTakeFirst()
    if (!deletedCode) throw new AppError('ERR_RESET_CODE_INVALID')
    await tx.db.deleteFrom('passwordResets').where('userId', '=', user.id).execute()
    await tx.db
      .updateTable('users')
      .set({ passwordHash, invited: false, hasInitialPassword: false })
      .where('id', '=', user.id)
      .execute()
    await tx.db.deleteFrom('invitations').where('userId', '=', user.id).execute()
    const home = tx.forCompany(user.companyId)
    await writeAudit(home, 'user.changed', user.id, user.name, user, [passwordAuditChange])
    await endSessions(home, [user.id], 'password-changed')
  })
}

export function passwordResetRoutes(clock: Deps['clock'], delivery: Mailer['delivery']) {
  const requests = makeAttemptLimiter(clock, { maxAttempts: 5, windowMs: resetCodeTtlMs })
  const requestsByAddress = makeAttemptLimiter(clock, { maxAttempts: 60, windowMs: resetCodeTtlMs })
  const wrongCodes = makeAttemptLimiter(clock, { maxAttempts: maxTriesPerCaller, windowMs: resetCodeTtlMs })
  const attempts = makeAttemptLimiter(clock, { maxAttempts: 20, windowMs: resetCodeTtlMs })
  const noTransaction = { transaction: false }
  // Tries are counted per caller: otherwise anyone could use up a user's tries and lock the user out.
  async function attempt(scope: Scope, resetRequest: Parameters<typeof resetPassword>[1], request: FastifyRequest) {
    const from = callerAddress(request)
    const key = `${from}|${resetRequest.email}`
    attempts.check(from)
    await assertPasswordAccepted(scope, 'newPassword', resetRequest.newPassword, { isReset: true })
    attempts.count(from)
    if (wrongCodes.isLimitReached(key)) throw new AppError('ERR_RESET_CODE_INVALID')
    wrongCodes.count(key)
    await resetPassword(scope, resetRequest, () => wrongCodes.reset(key))
    return { message: 'changed' }
  }
  return [
    route(authApi.forgot, async (scope, { params }, { request }) => {
      const email = params.email.trim().toLowerCase()
      const from = callerAddress(request)
      const key = `${from}|${email}`
      requests.check(key)
      requestsByAddress.check(from)
      requests.count(key)
      requestsByAddress.count(from)
      wrongCodes.reset(key)
      await scope.enqueueJob('password:forgot', { sealed: scope.deps.vault.seal(email) })
      return { status: 200, delivery }
    }),
    route(authApi.reset, (scope, { body }, { request }) => attempt(scope, body, request), noTransaction),
    route(authApi.resetByPath, (scope, { params }, { request }) => attempt(scope, params, request), noTransaction),
  ]
}

export function passwordResetJobs(deps: Deps, mailer: Mailer): Pick<JobHandlers, 'password:forgot' | 'mail:send'> {
  return {
    'password:forgot': async ({ sealed }) => {
      const scope = new Scope(deps, { companyId: 0, wide: true })
      await scope.transaction(async (tx) => {
        const user = await tx.db
          .selectFrom('users')
          .selectAll()
          .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', deps.vault.unseal(sealed)))
          .where('active', '=', true)
          .executeTakeFirst()
        if (user) await sendCode(tx.forCompany(user.companyId), user)
      })
    },
    'mail:send': asExternalCallJob(async ({ sealed }) => mailer.send(JSON.parse(deps.vault.unseal(sealed)))),
  }
}
