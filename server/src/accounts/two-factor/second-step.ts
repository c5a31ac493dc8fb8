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
/** Accepts capitals, spaces and a missing dash. */
const normalizeCode = (code: string) => code.toLowerCase().replace(/[\s-]/g, '')

export type SecondStep = ReturnType<typeof makeSecondStep>

/** The second step of a login. Its scope argument is that of the user's company. */
export function makeSecondStep(clock: Clock, passkeys: Pick<Passkeys, 'hasPasskey'>) {
  /** Per user, from any address: only callers who know the password get this far. */
  const guesses = makeAttemptLimiter(clock, { maxAttempts: 10, windowMs: minutes(15) })

  const theirs = (scope: Scope, userId: number) =>
    scope.db
      .selectFrom('secondFactors')
      .selectAll()
      .where('companyId', '=', scope.companyId)
      .where('userId', '=', userId)
      .executeTakeFirst()
  const change = (scope: Scope, userId: number) =>
    scope.db.updateTable('secondFactors').where('companyId', '=', scope.companyId).where('userId', '=', userId)
  const mark = (scope: Scope, userId: number, code: string) =>
    scope.deps.vault.sign('recovery', `${userId}.${normalizeCode(code)}`)

  /** Null if sealed under another app secret: no code matches then, and an admin has to restore access. */
  function opened(scope: Scope, sealed: string): string | null {
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
  async function isTaken(scope: Scope, userId: number, code: string): Promise<boolean> {
    const factor = await theirs(scope, userId)
    if (!factor) return false
    const secret = opened(scope, factor.secretSealed)
    const step = secret === null ? null : findMatchingStep(secret, normalizeCode(code), scope.now())
    if (step !== null)
      return Boolean(
        await change(scope, userId).set({ step }).where('step', '<', step).returning('userId').executeTakeFirst(),
      )
    const marks = scope.deps.vault.candidateSignatures('recovery', `${userId}.${normalizeCode(code)}`)
    const used = factor.recovery.find((kept) => marks.includes(kept))
    if (!factor.confirmedAt || !used) return false
    const spent = await change(scope, userId)
      .set((eb) => ({ recovery: eb.fn<string[]>('array_remove', ['recovery', eb.val(used)]) }))
      .where((eb) => eb(eb.val(used), '=', eb.fn.any(eb.ref('recovery'))))
      .returning('userId')
      .executeTakeFirst()
    return Boolean(spent)
  }

  /** Refuses a wrong code, and too many wrong codes. */
  async function mustFit(scope: Scope, userId: number, code: string): Promise<void> {
    const key = String(userId)
    guesses.check(key)
    // Counted before it is compared, like a password.
    guesses.count(key)
    if (!(await isTaken(scope, userId, code))) throw new AppError('ERR_TWO_FACTOR_CODE', { code: 'Invalid' })
    guesses.reset(key)
  }

  async function newCodes(scope: Scope, userId: number): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode)
    await change(scope, userId)
      .set({ recovery: codes.map((code) => mark(scope, userId, code)) })
      .execute()
    return codes
  }

  /** `also`: written in the same statement. */
  async function confirm(
    scope: Scope,
    user: SecondStepUser,
    code: string,
    also: (tx: Scope) => Promise<void> = async () => undefined,
  ): Promise<string[]> {
    const factor = await theirs(scope, user.id)
    if (!factor || factor.confirmedAt) throw new AppError('ERR_TWO_FACTOR_CODE', { code: 'Invalid' })
    await mustFit(scope, user.id, code)
    return scope.transaction(async (tx) => {
      const codes = await newCodes(tx, user.id)
      await change(tx, user.id).set({ confirmedAt: tx.now() }).execute()
      await writeAudit(tx, 'two-factor.on', user.id, user.name, user)
      await also(tx)
      return codes
    })
  }

  /** `passkey`: the user may use one instead. */
  async function asksFor(scope: Scope, userId: number): Promise<AppError> {
    const more = (await passkeys.hasPasskey(scope, userId)) ? { passkey: true } : {}
    return new AppError('ERR_TWO_FACTOR_REQUIRED', undefined, more)
  }

  return {
    isRequired,
    /** By authenticator app or passkey. */
    hasSecondStep: async (scope: Scope, userId: number): Promise<boolean> =>
      Boolean((await theirs(scope, userId))?.confirmedAt) || passkeys.hasPasskey(scope, userId),
    assertCode: mustFit,
    createRecoveryCodes: newCodes,
    confirm,
    findFactor: theirs,

    /** During login, before there is a session: not for users with a passkey. */
    async beginAtLogin(scope: Scope, user: SecondStepUser): Promise<{ secret: string; address: string }> {
      if (await passkeys.hasPasskey(scope, user.id)) throw await asksFor(scope, user.id)
      return this.begin(scope, user)
    },

    /** Creates a secret that waits for its first code. A confirmed one stays in use and cannot be replaced this way. */
    async begin(scope: Scope, user: SecondStepUser): Promise<{ secret: string; address: string }> {
      const secret = newTotpSecret()
      const fresh = { secretSealed: scope.deps.vault.seal(secret), step: 0, recovery: [] }
      const row = await scope.db
        .insertInto('secondFactors')
        .values({ companyId: scope.companyId, userId: user.id, ...fresh })
        .onConflict((c) => c.column('userId').doUpdateSet(fresh).where('secondFactors.confirmedAt', 'is', null))
        .returning('userId')
        .executeTakeFirst()
      if (!row) throw new AppError('ERR_TWO_FACTOR_ON')
      return { secret, address: otpauthUrl(secret, issuer, user.email) }
    },

    /** At login, after the password. Returns recovery codes if this was the first code. */
    async verifyLogin(scope: Scope, user: SecondStepUser, code: string | undefined): Promise<string[] | undefined> {
      const factor = await theirs(scope, user.id)
      if (factor?.confirmedAt) {
        if (!code) throw await asksFor(scope, user.id)
        await mustFit(scope, user.id, code)
        return undefined
      }
      if (!(await isRequired(scope))) return undefined
      // A passkey is a second step: the password alone must not set up another.
      if (await passkeys.hasPasskey(scope, user.id)) throw await asksFor(scope, user.id)
      if (!code) throw new AppError('ERR_TWO_FACTOR_SETUP')
      return confirm(scope, user, code)
    },

    async disable(scope: Scope, user: SecondStepUser, by: SecondStepUser): Promise<void> {
      const gone = await scope.db
        .deleteFrom('secondFactors')
        .where('companyId', '=', scope.companyId)
        .where('userId', '=', user.id)
        .returning('confirmedAt')
        .executeTakeFirst()
      if (gone?.confirmedAt) await writeAudit(scope, 'two-factor.off', user.id, user.name, by)
    },
  }
}
