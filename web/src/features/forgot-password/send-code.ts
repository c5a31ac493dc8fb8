import { authApi } from '@recado/contract/auth'
import { call } from '../../lib/api.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'

export type Sent = { email: string; delivery: 'mail' | 'folder' }

/** The answer is the same for known and unknown addresses. */
export async function sendCode(typed: string): Promise<Sent> {
  const email = typed.trim().toLowerCase()
  const { delivery } = await call(authApi.forgot, { params: { email } })
  const words = textsNow(texts)
  toast.ok(delivery === 'mail' ? words.sent : words.made)
  return { email, delivery }
}
