import type { Clock } from '../kernel/clock.ts'
import { minutes } from '../kernel/clock.ts'
import { passwordMatches } from '../kernel/crypto.ts'
import { AppError } from '../kernel/errors.ts'
import { makeAttemptLimiter } from '../kernel/http/rate-limits.ts'

/** Checks the password of the current user, with a limit on guesses. */
export type ConfirmPassword = (
  user: { id: number; passwordHash: string },
  password: string | null | undefined,
) => Promise<void>

/** Changing login credentials requires the password: an unattended browser must not be enough. */
export function makePasswordConfirmation(clock: Clock): ConfirmPassword {
  const attempts = makeAttemptLimiter(clock, { maxAttempts: 10, windowMs: minutes(15) })
  return async (user, password) => {
    if (!password) throw new AppError('ERR_CURRENT_PASSWORD', { currentPassword: 'Required' })
    const key = String(user.id)
    attempts.check(key)
    // The attempt is counted before the comparison, as at login.
    attempts.count(key)
    if (!(await passwordMatches(password, user.passwordHash)))
      throw new AppError('ERR_CURRENT_PASSWORD', { currentPassword: 'Invalid' })
    attempts.reset(key)
  }
}
