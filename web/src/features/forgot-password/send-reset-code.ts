import { authApi } from '@recado/contract/auth'
import { callApi } from '../../lib/api.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'

export type SentResetCode = { email: string; delivery: 'mail' | 'folder' }

/** Requests a reset code. The response is the same for known and unknown addresses. */
export async function sendResetCode(typed: string): Promise<SentResetCode> {
  const email = typed.trim().toLowerCase()
  const { delivery } = await callApi(authApi.forgot, { params: { email } })
  const words = currentTexts(texts)
  toast.ok(delivery === 'mail' ? words.sent : words.made)
  return { email, delivery }
}
