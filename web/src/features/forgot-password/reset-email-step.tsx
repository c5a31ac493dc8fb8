import { Button } from '@mantine/core'
import { email as emailShape } from '@recado/contract/endpoint'
import { IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useErrorText } from '../../lib/errors.ts'
import { useTexts } from '../../lib/texts.ts'
import { findFieldProblems, useFieldProblemWords } from '../../records/field-problems.ts'
import { AuthPageLayout, AuthPageNote } from '../../ui/auth-page-layout.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type SentResetCode, sendResetCode } from './send-reset-code.ts'
import { texts } from './texts.ts'

type Props = { email: string; setEmail: (email: string) => void; onSent: (sent: SentResetCode) => void }

export function ResetEmailStep({ email, setEmail, onSent }: Props) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const problemWords = useFieldProblemWords()
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const problem = findFieldProblems(emailShape, email)['']

  const submit = async () => {
    setWasSubmitted(true)
    if (busy || problem) return
    setBusy(true)
    setFailed(null)
    await sendResetCode(email).then(onSent, setFailed)
    setBusy(false)
  }

  return (
    <AuthPageLayout title={words.title} line={words.line} onSubmit={submit}>
      {Boolean(failed) && <InlineNotice kind="danger">{errorText(failed)}</InlineNotice>}
      <TextField
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        autoFocus
        leftSection={<IconMail size={18} stroke={1.75} />}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={wasSubmitted && problem && problemWords(problem)}
      />
      <Button type="submit" size="md" loading={busy} mt={4}>
        {words.send}
      </Button>
      <AuthPageNote>
        <Link to="/login">{words.remembered}</Link>
        <br />
        {words.noAccount} <Link to="/signup">{words.signup}</Link>
      </AuthPageNote>
    </AuthPageLayout>
  )
}
