import { useState } from 'react'
import { ResetCodeStep } from './reset-code-step.tsx'
import { ResetEmailStep } from './reset-email-step.tsx'
import type { SentResetCode } from './send-reset-code.ts'

/** Two steps: where to send the code, then the code with the new password. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState<SentResetCode | null>(null)
  if (!sent) return <ResetEmailStep email={email} setEmail={setEmail} onSent={setSent} />
  return <ResetCodeStep sentCode={sent} onResent={setSent} onBack={() => setSent(null)} />
}
