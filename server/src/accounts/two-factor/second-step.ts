import { type Clock, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { writeAudit } from '../api-access/audit.ts'
import { loadSettings, readSettingValue } from '../settings.ts'
import type { Passkeys } from './passkeys.ts'
import { findMatchingStep, newRecoveryCode, newTotpSecret, otpauthUrl } from './totp.ts'

type SecondStepUser = { id: number; email: string; name: string; companyId: number }
const recoveryCodeCount = 10
const issuer = 'Recado'
/** Accepts capital letters, spaces and a missing dash. */
const normalizeCode = (code: string) => code.toLowerCase().replace(/[\s-]/g, '')

export type SecondStep = ReturnType<typeof makeSecondStep>

/** The second step of a login. The scope arguments are scopes of the user's company. */
export function makeSecondStep(clock: Clock, passkeys: Pick<Passkeys, 'hasPasskey'>) {
  /** Counted per user, not per address: only callers who know the password reach the second step. */
  const attempts = makeAttemptLimiter(clock, { maxAttempts: 10, windowMs: minutes(15) })

  const findFactor = (scope: Scope, userId: number) =>
    scope.db
      .selectFrom('secondFactors')
      .selectAll()
      .where('companyId', '=', scope.companyId)
      .where('userId', '=', userId)
      .executeTakeFirst()
  const updateFactor = (scope: Scope, userId: number) =>
    scope.db.updateTable('secondFactors').where('companyId', '=', scope.companyId).where('userId', '=', userId)
  const recoveryHmac = (scope: Scope, userId: number, code: string) =>
    scope.deps.vault.sign('recovery', `${userId}.${normalizeCode(code)}`)

  /** Null if the secret was sealed with another app secret: no code matches, and an admin has to restore access. */
  function unsealSecret(scope: Scope, sealed: string): string | null {
    try {
      return scope.deps.vault.unseal(sealed)
    } catch {
      return null
    }
  }

  async function isRequired(scope: Scope): Promise<boolean> {
    return (
      readSettingValue((await loadSettings(scope, [scope.companyId])).get(scope.companyId), 'twoFactor') === 'enabled'
    )
  }

  /** Each code works once, also when used in parallel: the first write wins. */
  async function useCode(scope: Scope, userId: number, code: string): Promise<boolean> {
    const factor = await findFactor(scope, userId)
    if (!factor) return false
    const secret = unsealSecret(scope, factor.secretSealed)
    const step = secret === null ? null : findMatchingStep(secret, normalizeCode(code), scope.now())
    if (step !== null)
      return Boolean(
        await updateFactor(scope, userId).set({ step }).where('step', '<', step).returning('userId').executeTakeFirst(),
      )
    const hmacs = scope.deps.vault.candidateSignatures('recovery', `${userId}.${normalizeCode(code)}`)
    const matchingHmac = factor.recovery.find((kept) => hmacs.includes(kept))
    if (!factor.confirmedAt || !matchingHmac) return false
    const updated = await updateFactor(scope, userId)
      .set((eb) => ({ recovery: eb.fn<string[]>('array_remove', ['recovery', eb.val(matchingHmac)]) }))
      .where((eb) => eb(eb.val(matchingHmac), '=', eb.fn.any(eb.ref('recovery'))))
      .returning('userId')
      .executeTakeFirst()
    return Boolean(updated)
  }

  /** Refuses a wrong code, and too many wrong codes. */
  async function assertCode(scope: Scope, userId: number, code: string): Promise<void> {
    const key = String(userId)
    attempts.check(key)
    // Each attempt is counted before the code is compared, as with passwords.
    attempts.count(key)
    if (!(await useCode(scope, userId, code))) throw new AppError('ERR_TWO_FACTOR_CODE', { code: 'Invalid' })
    attempts.reset(key)
  }

  async function createRecoveryCodes(scope: Scope, userId: number): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
    await updateFactor(scope, userId)
      .set({ recovery: codes.map((code) => recoveryHmac(scope, userId, code)) })
      .execute()
    return codes
  }

  /** Confirms the secret with its first code. `alsoWrite` makes further writes in the same transaction. */
  async function confirm(
    scope: Scope,
    user: SecondStepUser,
    code: string,
    alsoWrite: (tx: Scope) => Promise<void> = async () => undefined,
  ): Promise<string[]> {
    const factor = await findFactor(scope, user.id)
    if (!factor || factor.confirmedAt) throw new AppError('ERR_TWO_FACTOR_CODE', { code: 'Invalid' })
    await assertCode(scope, user.id, code)
    return scope.transaction(async (tx) => {
      const codes = await createRecoveryCodes(tx, user.id)
      await updateFactor(tx, user.id).set({ confirmedAt: tx.now() }).execute()
      await writeAudit(tx, 'two-factor.on', user.id, user.name, user)
      await alsoWrite(tx)
      return codes
    })
  }

  /** `passkey`: the user may use a passkey instead of a code. */
  async function codeRequiredError(scope: Scope, userId: number): Promise<AppError> {
    const details = (await passkeys.hasPasskey(scope, userId)) ? { passkey: true } : {}
    return new AppError('ERR_TWO_FACTOR_REQUIRED', undefined, details)
  }

  return {
    isRequired,
    /** Whether the user has an authenticator app or a passkey. */
    hasSecondStep: async (scope: Scope, userId: number): Promise<boolean> =>
      Boolean((await findFactor(scope, userId))?.confirmedAt) || passkeys.hasPasskey(scope, userId),
    assertCode: assertCode,
    createRecoveryCodes: createRecoveryCodes,
    confirm,
    findFactor: findFactor,

    /** Setup during login, before there is a session. Refused for users with a passkey. */
    async beginAtLogin(scope: Scope, user: SecondStepUser): Promise<{ secret: string; address: string }> {
      if (await passkeys.hasPasskey(scope, user.id)) throw await codeRequiredError(scope, user.id)
      return this.begin(scope, user)
    },

    /**
     * Creates a secret that waits for its first code. A secret that was already confirmed stays in use and cannot be
     * replaced this way.
     */
    async begin(scope: Scope, user: SecondStepUser): Promise<{ secret: string; address: string }> {
      const secret = newTotpSecret()
      const newFactor = { secretSealed: scope.deps.vault.seal(secret), step: 0, recovery: [] }
      const row = await scope.db
        .insertInto('secondFactors')
        .values({ companyId: scope.companyId, userId: user.id, ...newFactor })
        .onConflict((c) => c.column('userId').doUpdateSet(newFactor).where('secondFactors.confirmedAt', 'is', null))
        .returning('userId')
        .executeTakeFirst()
      if (!row) throw new AppError('ERR_TWO_FACTOR_ON')
      return { secret, address: otpauthUrl(secret, issuer, user.email) }
    },

    /** Checks the code at login, after the password. Returns recovery codes if this was the first code. */
    async verifyLogin(scope: Scope, user: SecondStepUser, code: string | undefined): Promise<string[] | undefined> {
      const factor = await findFactor(scope, user.id)
      if (factor?.confirmedAt) {
        if (!code) throw await codeRequiredError(scope, user.id)
        await assertCode(scope, user.id, code)
        return undefined
      }
      if (!(await isRequired(scope))) return undefined
      // A passkey already is a second step: the password alone must not be enough to set up an authenticator app.
      if (await passkeys.hasPasskey(scope, user.id)) throw await codeRequiredError(scope, user.id)
      if (!code) throw new AppError('ERR_TWO_FACTOR_SETUP')
      return confirm(scope, user, code)
    },

    async disable(scope: Scope, user: SecondStepUser, author: SecondStepUser): Promise<void> {
      const deletedFactor = await scope.db
        .deleteFrom('secondFactors')
        .where('companyId', '=', scope.companyId)
        .where('userId', '=', user.id)
        .returning('confirmedAt')
        .executeTakeFirst()
      if (deletedFactor?.confirmedAt) await writeAudit(scope, 'two-factor.off', user.id, user.name, author)
    },
  }
}
