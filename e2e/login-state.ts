import type { BrowserContext } from 'playwright-core'

/** The browser state after a login. */
export type LoginState = { cookie: { name: string; value: string }; localStorage: Record<string, string> }

/** Reads the login state from the response to a login. */
export async function readLoginState(login: Response): Promise<LoginState & { token: string; userId: number }> {
  const { token, user } = (await login.json()) as { token: string; user: { id: number; companyId: number } }
  const [name = '', value = ''] = login.headers.getSetCookie()[0]?.split(';')[0]?.split('=') ?? []
  const kept = { token: JSON.stringify(token), companyId: `${user.companyId}`, userId: `${user.id}` }
  return { cookie: { name, value }, localStorage: kept, token, userId: user.id }
}

/** Logs every page of this context in as that person. */
export async function applyLoginState(
  context: BrowserContext,
  { cookie, localStorage: kept }: LoginState,
): Promise<void> {
  await context.addCookies([{ ...cookie, domain: '127.0.0.1', path: '/auth', httpOnly: true, sameSite: 'Lax' }])
  await context.addInitScript((all) => {
    for (const [key, value] of Object.entries(all)) localStorage.setItem(key, value)
  }, kept)
}
