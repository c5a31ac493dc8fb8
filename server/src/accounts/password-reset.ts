import { randomInt } from 'node:crypto'
import { authApi } from '@recado/contract/auth'
import type { Language } from '@recado/contract/users'
import { later, minutes } from '../kernel/clock.ts'
import { hashPassword } from '../kernel/crypto.ts'
import { type Means, Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { route } from '../kernel/http/http.ts'
import { makeLimit } from '../kernel/http/limits.ts'
import type { JobHandlers } from '../kernel/jobs.ts'
import type { Mail, Mailer } from '../kernel/outgoing/mail.ts'
import { endSessions } from './ending.ts'
import { texts } from './mail-texts.ts'
import { settingsOf, settingValue } from './settings.ts'
import type { UserRow } from './user-view.ts'

declare module '../kernel/jobs.ts' {
  interface Jobs {
    /** Finding out whether an address is known happens here, so that the answer to the asker cannot tell. */
    'password:forgot': { sealed: string }
    'mail:send': { sealed: string }
  }
}

const life = minutes(15)
const maxTries = 5

/** Stores the hash of a fresh code and mails the code. Mail and code travel sealed. */
export async function sendCode(scope: Scope, user: UserRow, kind: 'reset' | 'invite'): Promise<void> {
  const { vault } = scope.means
  const code = String(randomInt(100_000_000)).padStart(8, '0')
  const fresh = { codeHash: vault.sign('reset', `${user.id}:${code}`), tries: 0, expiresAt: later(scope.now(), life) }
  await scope.db
    .insertInto('passwordResets')
    .values({ userId: user.id, companyId: user.companyId, ...fresh })
    .onConflict((c) => c.column('userId').doUpdateSet(fresh))
    .execute()
  const language =
    user.language ??
    (settingValue((await settingsOf(scope, [user.companyId])).get(user.companyId), 'language') as Language)
  const words = texts(language)[kind]
  const mail: Mail = {
    to: user.email,
    subject: words.subject,
    text: words.text(user.name, code, scope.means.publicUrl),
  }
  await scope.job('mail:send', { sealed: vault.seal(JSON.stringify(mail)) })
}

async function reset(scope: Scope, given: { email: string; token: string; newPassword: string }): Promise<void> {
  const user = await scope.db
    .selectFrom('users')
    .select(['id', 'companyId'])
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', given.email))
    .executeTakeFirst()
  // Counted before it is compared, in a statement of its own: a wrong code stays counted.
  const row = await scope.db
    .updateTable('passwordResets')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('userId', '=', user?.id ?? 0)
    .where('tries', '<', maxTries)
    .where('expiresAt', '>', scope.now().toISOString())
    .returning('codeHash')
    .executeTakeFirst()
  if (!user || !row || !scope.means.vault.signed('reset', `${user.id}:${given.token}`, row.codeHash))
    throw new AppError('ERR_RESET_CODE_INVALID')
  const passwordHash = await hashPassword(given.newPassword)
  await scope.transaction(async (tx) => {
    const used = await tx.db
      .deleteFrom('passwordResets')
      .where('userId', '=', user.id)
      .where('codeHash', '=', row.codeHash)
      .returning('userId')
      .executeTakeFirst()
    if (!used) throw new AppError('ERR_RESET_CODE_INVALID')
    await tx.db.updateTable('users').set({ passwordHash }).where('id', '=', user.id).execute()
    await endSessions(tx.of(user.companyId), [user.id], 'password-changed')
  })
}

export function passwordResetRoutes(clock: Means['clock'], delivery: Mailer['delivery']) {
  const asks = makeLimit(clock, { tries: 5, window: minutes(15) })
  const asksFrom = makeLimit(clock, { tries: 60, window: minutes(15) })
  const tries = makeLimit(clock, { tries: 20, window: minutes(15) })
  const own = { transaction: false }
  const attempt = (ip: string) => {
    tries.check(ip)
    tries.count(ip)
  }
  return [
    route(authApi.forgot, async (scope, { params }, { request }) => {
      const email = params.email.trim().toLowerCase()
      asks.check(email)
      asksFrom.check(request.ip)
      asks.count(email)
      asksFrom.count(request.ip)
      await scope.job('password:forgot', { sealed: scope.means.vault.seal(email) })
      return { status: 200, delivery }
    }),
    route(
      authApi.reset,
      async (scope, { body }, { request }) => {
        attempt(request.ip)
        await reset(scope, body)
        return { message: 'changed' }
      },
      own,
    ),
    route(
      authApi.resetByPath,
      async (scope, { params }, { request }) => {
        attempt(request.ip)
        await reset(scope, params)
        return { message: 'changed' }
      },
      own,
    ),
  ]
}

export function passwordResetJobs(means: Means, mailer: Mailer): Pick<JobHandlers, 'password:forgot' | 'mail:send'> {
  return {
    'password:forgot': async ({ sealed }) => {
      const scope = new Scope(means, { companyId: 0, wide: true })
      await scope.transaction(async (tx) => {
        const user = await tx.db
          .selectFrom('users')
          .selectAll()
          .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', means.vault.open(sealed)))
          .where('active', '=', true)
          .executeTakeFirst()
        if (user) await sendCode(tx.of(user.companyId), user, 'reset')
      })
    },
    'mail:send': async ({ sealed }) => mailer.send(JSON.parse(means.vault.open(sealed))),
  }
}
