import { authApi } from '@recado/contract/auth'
import { call } from '../../lib/api.ts'

export type Sent = { email: string; delivery: 'mail' | 'folder' }

/** The answer is the same for known and unknown addresses. */
export async function sendCode(typed: string): Promise<Sent> {
  const email = typed.trim().toLowerCase()
  const { delivery } = await call(authApi.forgot, { params: { email } })
  return { email, delivery }
}
