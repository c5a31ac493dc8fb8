import { useState } from 'react'
import { CodeStep } from './code-step.tsx'
import { EmailStep } from './email-step.tsx'
import type { Sent } from './send-code.ts'

/** Two steps: where to send the code, then the code with the new password. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState<Sent | null>(null)
  if (!sent) return <EmailStep email={email} setEmail={setEmail} onSent={setSent} />
  return <CodeStep sent={sent} onSentAgain={setSent} onBack={() => setSent(null)} />
}
