import { authApi } from '@recado/contract/auth'
import { companiesApi } from '@recado/contract/companies'
import type { Plan } from '@recado/contract/plans'
import type { SessionUser } from '@recado/contract/users'
import { callApi } from './api.ts'

// Separate from session.tsx, which the login page needs to render: the contract includes zod and loads later.

export type LoginReply = { token: string; user: SessionUser; recoveryCodes?: string[] | undefined }

export const login = (email: string, password: string, code?: string): Promise<LoginReply> =>
  callApi(authApi.login, { body: { email, password, code } })

/** Requests a token that can open a socket within the next half minute. */
export const requestSocketTicket = (): Promise<string> => callApi(authApi.socket).then(({ ticket }) => ticket)

export async function logout(): Promise<unknown> {
  // The browser is unsubscribed while the user is still logged in, because it must get no pushes after the logout.
  await import('./push.ts').then((push) => push.unsubscribeFromPush()).catch(() => undefined)
  return callApi(authApi.logout)
}

export const fetchPlan = (companyId: number): Promise<Plan> =>
  callApi(companiesApi.plan, { params: { id: companyId } }).then((reply) => reply.plan)
