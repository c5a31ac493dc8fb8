import { passwordProblem } from '@recado/contract/passwords/judge'
import { type PasswordRule, Platform, platformApi } from '@recado/contract/passwords/passwords'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'

const fresh: Platform = { passwords: 'plain' }

/** What the super user chose for everybody, or what a fresh install does. */
export async function platformOf(scope: Scope): Promise<Platform> {
  const rows = await scope.db.selectFrom('platformSettings').selectAll().execute()
  const chosen = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const known = Platform.partial().safeParse(chosen)
  return { ...fresh, ...(known.success && known.data) }
}

/** A new password is one that the platform takes. `field` is where a form shows what is wrong with it. */
export async function mustBeTaken(scope: Scope, field: string, password: string, resetting = false): Promise<void> {
  const rule: PasswordRule = (await platformOf(scope)).passwords
  const problem = passwordProblem(password, rule, resetting)
  if (problem) throw new AppError('ERR_VALIDATION', { [field]: problem })
}

export const platformRoutes = [
  route(platformApi.show, (scope) => platformOf(scope)),
  route(platformApi.update, async (scope, { body }) => {
    for (const [key, value] of Object.entries(body))
      await scope.db
        .insertInto('platformSettings')
        .values({ key, value })
        .onConflict((c) => c.column('key').doUpdateSet({ value }))
        .execute()
    return platformOf(scope)
  }),
]
