import { twoFactorApi } from '@recado/contract/passwords/two-factor'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import type { ConfirmPassword } from '../confirm-password.ts'
import { endSessions, type RenewOwnSession } from '../end-sessions.ts'
import { publishUser, type UserRow } from '../user-view.ts'
import { assertCanChangeUser, scopeOfUserCompany } from '../users.ts'
import type { Passkeys } from './passkeys.ts'
import type { SecondStep } from './second-step.ts'

const maxShownLogins = 20

export function twoFactorRoutes(
  secondStep: SecondStep,
  confirmPassword: ConfirmPassword,
  passkeys: Passkeys,
  renewOwnSession: RenewOwnSession,
) {
  const findUser = (scope: Scope, id = scope.actor.id): Promise<UserRow | undefined> =>
    scope.db
      .selectFrom('users')
      .selectAll()
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .executeTakeFirst()
  /** The row of the calling user in their own company. */
  async function requireOwnUser(scope: Scope): Promise<UserRow> {
    const row = await findUser(scope)
    if (!row) throw new AppError('ERR_NO_USER_FOUND')
    return row
  }

  return [
    route(twoFactorApi.show, async (scope) => {
      const factor = await secondStep.findFactor(scope, scope.actor.id)
      return {
        since: factor?.confirmedAt ?? null,
        required: await secondStep.isRequired(scope),
        recoveryCodesLeft: factor?.confirmedAt ? factor.recovery.length : 0,
      }
    }),
    route(twoFactorApi.begin, async (scope, { body }) => {
      const user = await requireOwnUser(scope)
      await confirmPassword(user, body.currentPassword)
      return secondStep.begin(scope, user)
    }),
    route(
      twoFactorApi.confirm,
      async (scope, { body }, { reply }) => {
        const user = await requireOwnUser(scope)
        const recoveryCodes = await secondStep.confirm(scope, user, body.code, (tx) => renewOwnSession(tx, reply))
        await publishUser(scope, 'update', user)
        return { recoveryCodes }
      },
      // No transaction: a rollback would discard the count of wrong codes.
      { transaction: false },
    ),
    route(
      twoFactorApi.renew,
      async (scope, { body }, { reply }) => {
        if (!(await secondStep.findFactor(scope, scope.actor.id))?.confirmedAt)
          throw new AppError('ERR_TWO_FACTOR_CODE')
        await secondStep.assertCode(scope, scope.actor.id, body.code)
        return scope.transaction(async (tx) => {
          const recoveryCodes = await secondStep.createRecoveryCodes(tx, tx.actor.id)
          await renewOwnSession(tx, reply)
          return { recoveryCodes }
        })
      },
      { transaction: false },
    ),
    route(
      twoFactorApi.end,
      async (scope, { body }, { reply }) => {
        const user = await requireOwnUser(scope)
        if (await secondStep.isRequired(scope)) throw new AppError('ERR_TWO_FACTOR_KEPT')
        await confirmPassword(user, body.currentPassword)
        await secondStep.assertCode(scope, user.id, body.code)
        await scope.transaction(async (tx) => {
          await secondStep.disable(tx, user, user)
          await renewOwnSession(tx, reply)
          await publishUser(tx, 'update', user)
        })
        return { message: 'off' }
      },
      { transaction: false },
    ),
    route(twoFactorApi.endFor, async (callerScope, { params }) => {
      const scope = await scopeOfUserCompany(callerScope, params.id)
      const user = await findUser(scope, params.id)
      if (!user) throw new AppError('ERR_NO_USER_FOUND')
      assertCanChangeUser(scope, user)
      // Users remove their own second step with their password and a code, not with this route.
      if (user.id === scope.actor.id) throw new AppError('ERR_CURRENT_PASSWORD', { currentPassword: 'Required' })
      await secondStep.disable(scope, user, scope.actor)
      await passkeys.removeAll(scope, user.id)
      await endSessions(scope, [user.id], 'sign-in-changed')
      await publishUser(scope, 'update', user)
      return { message: 'off' }
    }),
    route(twoFactorApi.logins, async (scope) => {
      const rows = await scope.db
        .selectFrom('audit')
        .select(['at', 'name', 'id'])
        .where('companyId', '=', scope.companyId)
        .where('userId', '=', scope.actor.id)
        .where('deed', '=', 'login.done')
        .orderBy('id', 'desc')
        .limit(maxShownLogins)
        .execute()
      return { logins: rows.map(({ at, name }, n) => ({ at, from: name, current: n === 0 })) }
    }),
  ]
}
