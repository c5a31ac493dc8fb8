import { readFileSync } from 'node:fs'
import { commonWords } from '@recado/contract/passwords/common-passwords'
import { passwordProblem, plainly } from '@recado/contract/passwords/judge'
import { Platform, platformApi } from '@recado/contract/passwords/passwords'
import { fold } from '@recado/contract/words/fold'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'

const fresh: Platform = { passwords: 'strong' }

/** Far more than a browser should load: a form asks here. */
const list = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
export const commonPasswordWords: ReadonlySet<string> = new Set([...commonWords, ...list.trim().split(/\s+/)])

/** What the super user chose for everybody, or what a fresh install does. */
export async function platformOf(scope: Scope): Promise<Platform> {
  const rows = await scope.db.selectFrom('platformSettings').selectAll().execute()
  const chosen = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  const known = Platform.partial().safeParse(chosen)
  return { ...fresh, ...(known.success && known.data) }
}

/** Shorter words of a name are in too many other words. */
const minOwnWord = 4
/** So many letters besides one's own words are a password of their own. */
const minOtherLetters = 4

/** Nothing but words that anybody knows of this person: their name, address or company, with figures or signs. */
export function isMadeOfOwnWords(password: string, about: string[]): boolean {
  const texts = about.map((text) => fold(text.slice(0, 300)))
  const words = texts.flatMap((text) => [text.replace(/[^\p{L}]/gu, ''), ...text.split(/[^\p{L}]+/u)])
  const known = [...new Set(words)].filter((word) => word.length >= minOwnWord).sort((a, b) => b.length - a.length)
  return [fold(password), plainly(fold(password))].some((text) => {
    const rest = known.reduce((left, word) => left.replaceAll(word, ' '), text)
    return rest !== text && rest.replace(/[^\p{L}]/gu, '').length < minOtherLetters
  })
}

/**
 * A new password is one that the platform takes. `field` is where a form shows what is wrong with it. `about`: names and
 * addresses of whose it is, where that is known to who asks.
 */
export async function mustBeTaken(
  scope: Scope,
  field: string,
  password: string,
  { about = [], resetting = false }: { about?: (string | null | undefined)[]; resetting?: boolean } = {},
): Promise<void> {
  const { passwords: rule } = await platformOf(scope)
  const own =
    rule === 'strong' &&
    isMadeOfOwnWords(
      password,
      about.filter((one) => typeof one === 'string'),
    )
  const problem = passwordProblem(password, rule, resetting, commonPasswordWords) ?? (own ? 'Too Personal!' : null)
  if (problem) throw new AppError('ERR_VALIDATION', { [field]: problem })
}

/** What is known of somebody of this company, for `about`. */
export async function ownWords(scope: Scope, user: { name: string; email: string }): Promise<string[]> {
  const company = await scope.db
    .selectFrom('companies')
    .select('name')
    .where('id', '=', scope.companyId)
    .executeTakeFirst()
  return [user.name, user.email, company?.name ?? '']
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
