import { randomBytes } from 'node:crypto'
import { authApi } from '@recado/contract/auth'
import { type Invitation, invitationValidDays } from '@recado/contract/users'
import { addMs, days, minutes } from '../kernel/clock.ts'
import { hashPassword } from '../kernel/crypto.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { callerAddress, makeAttemptLimiter } from '../kernel/http/rate-limits.ts'
import { route } from '../kernel/http/routes.ts'
import type { Mailer } from '../kernel/outgoing/mail.ts'
import { passwordAuditChange, writeAudit } from './api-access/audit.ts'
import { endSessions } from './end-sessions.ts'
import { mailUser } from './mail-user.ts'
import { assertPasswordAccepted } from './platform/password-rules.ts'
import { publishUser, type UserRow } from './user-view.ts'

/** Long enough for people who do not read their mail at once or on weekends. */
const invitationTtlMs = days(invitationValidDays)

/** Hash of a random password that nobody knows, for users who have not chosen a password yet. */
export const hashRandomPassword = () => hashPassword(randomBytes(24).toString('base64url'))

/**
 * Mails a single-use link that sets the first password. A newer link replaces the earlier one. If the server sends no
 * mail, the inviting admin passes the link on.
 */
export async function inviteUser(scope: Scope, user: UserRow, delivery: Mailer['delivery']): Promise<Invitation> {
  const { vault, publicUrl } = scope.deps
  const key = `${user.id}-${randomBytes(24).toString('base64url')}`
  const invitation = { keyHash: vault.sign('invitation', key), expiresAt: addMs(scope.now(), invitationTtlMs) }
  await scope.db
    .insertInto('invitations')
    .values({ userId: user.id, companyId: user.companyId, ...invitation })
    .onConflict((c) => c.column('userId').doUpdateSet(invitation))
    .execute()
  const company = await scope.db
    .selectFrom('companies')
    .select('name')
    .where('id', '=', user.companyId)
    .executeTakeFirstOrThrow()
  const url = `${publicUrl}/invitation#${key}`
  await mailUser(scope, user, ({ invite: words }) => ({
    subject: words.subject(company.name),
    text: words.text(user.name, company.name, url),
  }))
  return { delivery, url: delivery === 'mail' ? null : url }
}

/** The user whom an invitation key invites, while the key is valid. */
async function findInvitation(scope: Scope, key: string) {
  const userId = Number(/^(\d{1,9})-/.exec(key)?.[1] ?? 0)
  const found = await scope.db
    .selectFrom('invitations as i')
    .innerJoin('users as u', 'u.id', 'i.userId')
    .innerJoin('companies as c', 'c.id', 'i.companyId')
    .select(['i.userId', 'i.companyId', 'i.keyHash', 'u.name', 'u.email', 'c.name as company'])
    .where('i.userId', '=', userId)
    .where('i.keyHash', 'in', scope.deps.vault.candidateSignatures('invitation', key))
    .where('i.expiresAt', '>', scope.now().toISOString())
    .where('u.active', '=', true)
    .executeTakeFirst()
  if (!found) throw new AppError('ERR_INVITATION_INVALID')
  return found
}

async function acceptInvitation(scope: Scope, key: string, password: string): Promise<void> {
  const { userId, companyId, keyHash, name, email, company } = await findInvitation(scope, key)
  await assertPasswordAccepted(scope, 'password', password, { personalWords: [name, email, company] })
  const passwordHash = await hashPassword(password)
  await scope.transaction(async (tx) => {
    const deletedInvitation = await tx.db
      .deleteFrom('invitations')
      .where('userId', '=', userId)
      .where('keyHash', '=', keyHash)
      .returning('userId')
      .executeTakeFirst()
    if (!deletedInvitation) throw new AppError('ERR_INVITATION_INVALID')
    await tx.db.deleteFrom('passwordResets').where('userId', '=', userId).execute()
    const row = await tx.db
      .updateTable('users')
      .set({ passwordHash, invited: false })
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow()
    const home = tx.forCompany(companyId)
    await writeAudit(home, 'user.changed', row.id, row.name, row, [passwordAuditChange])
    await endSessions(home, [userId], 'password-changed')
    await publishUser(home, 'update', row)
  })
}

export function invitationRoutes(clock: Scope['deps']['clock']) {
  // An invitation key cannot be guessed: this limits the cost of checking wrong keys.
  const attempts = makeAttemptLimiter(clock, { maxAttempts: 60, windowMs: minutes(15) })
  const countAttempt = (from: string) => {
    attempts.check(from)
    attempts.count(from)
  }
  const noTransaction = { transaction: false }
  return [
    route(
      authApi.invitation,
      async (scope, { body }, { request }) => {
        countAttempt(callerAddress(request))
        const { name, email, company } = await findInvitation(scope, body.key)
        return { name, email, company }
      },
      noTransaction,
    ),
    route(
      authApi.acceptInvitation,
      async (scope, { body }, { request }) => {
        countAttempt(callerAddress(request))
        await acceptInvitation(scope, body.key, body.password)
        return { message: 'changed' }
      },
      noTransaction,
    ),
  ]
}
