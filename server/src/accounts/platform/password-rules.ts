import { readFileSync } from 'node:fs'
import { commonPasswordBaseWords } from '@recado/contract/passwords/common-passwords'
import { findPasswordProblem, undoLeetspeak } from '@recado/contract/passwords/password-check'
import { PlatformSettings, platformApi } from '@recado/contract/passwords/passwords'
import { fold } from '@recado/contract/text/fold'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'

const defaultPlatform: PlatformSettings = { passwords: 'strong' }

/** This list is too large to load in a browser, so forms ask the server. */
const commonPasswordList = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
export const commonPasswordWords: ReadonlySet<string> = new Set([
  ...commonPasswordBaseWords,
  ...commonPasswordList.trim().split(/\s+/),
])

/** The super user's platform settings, or the defaults of a new install. */
export async function loadPlatformSettings(scope: Scope): Promise<PlatformSettings> {
  const rows = await scope.db.selectFrom('platformSettings').selectAll().execute()
  const chosen = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const parsed = PlatformSettings.partial().safeParse(chosen)
  return { ...defaultPlatform, ...(parsed.success && parsed.data) }
}

/** Shorter words of a name are ignored, because they occur in too many other words. */
const minPersonalWordChars = 4
/** With this many other letters, the password does not count as made of personal words. */
const minOtherLetters = 4

/** Whether a password contains only personal words (name, address or company) with digits or symbols. */
export function isMadeOfPersonalWords(password: string, personalWords: string[]): boolean {
  const texts = personalWords.map((text) => fold(text.slice(0, 300)))
  const words = texts.flatMap((text) => [text.replace(/[^\p{L}]/gu, ''), ...text.split(/[^\p{L}]+/u)])
  const personalParts = [...new Set(words)]
    .filter((word) => word.length >= minPersonalWordChars)
    .sort((a, b) => b.length - a.length)
  return [fold(password), undoLeetspeak(fold(password))].some((text) => {
    const rest = personalParts.reduce((left, word) => left.replaceAll(word, ' '), text)
    return rest !== text && rest.replace(/[^\p{L}]/gu, '').length < minOtherLetters
  })
}

/**
 * Throws unless the platform's rules accept the new password. `field`: where the form shows the error. `about`: names
 * and addresses of the user, if the caller may know them.
 */
export async function assertPasswordAccepted(
  scope: Scope,
  field: string,
  password: string,
  {
    personalWords = [],
    isReset: resetting = false,
  }: { personalWords?: (string | null | undefined)[]; isReset?: boolean } = {},
): Promise<void> {
  const { passwords: rule } = await loadPlatformSettings(scope)
  const isPersonal =
    rule === 'strong' &&
    isMadeOfPersonalWords(
      password,
      personalWords.filter((one) => typeof one === 'string'),
    )
  const problem =
    findPasswordProblem(password, rule, resetting, commonPasswordWords) ?? (isPersonal ? 'Too Personal!' : null)
  if (problem) throw new AppError('ERR_VALIDATION', { [field]: problem })
}

/** Personal words of a user of this company, for `about`. */
export async function loadPersonalWords(scope: Scope, user: { name: string; email: string }): Promise<string[]> {
  const company = await scope.db
    .selectFrom('companies')
    .select('name')
    .where('id', '=', scope.companyId)
    .executeTakeFirst()
  return [user.name, user.email, company?.name ?? '']
}

export const platformSettingRoutes = [
  route(platformApi.show, (scope) => loadPlatformSettings(scope)),
  route(platformApi.update, async (scope, { body }) => {
    for (const [key, value] of Object.entries(body))
      await scope.db
        .insertInto('platformSettings')
        .values({ key, value })
        .onConflict((c) => c.column('key').doUpdateSet({ value }))
        .execute()
    return loadPlatformSettings(scope)
  }),
]
