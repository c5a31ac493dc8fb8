import { authApi } from '@recado/contract/auth'
import { findPasswordProblem } from '@recado/contract/passwords/password-check'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useErrorText, useFieldProblemText } from '../../lib/errors.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { passwordTexts } from '../../parts/password-texts.ts'
import { usePasswordRule } from '../../parts/use-password-rule.ts'
import { type SentResetCode, sendResetCode } from './send-reset-code.ts'
import { texts } from './texts.ts'

type ResetValues = { token: string; newPassword: string; repeat: string }

export function usePasswordReset(sent: SentResetCode, onSentAgain: (sent: SentResetCode) => void) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const check = useValidateReset()
  const navigate = useNavigate()
  const [values, setValues] = useState<ResetValues>({ token: '', newPassword: '', repeat: '' })
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const problems = check(values)

  const submit = async () => {
    setWasSubmitted(true)
    if (busy || Object.keys(problems).length > 0) return
    setBusy(true)
    setFailed(null)
    try {
      const { token, newPassword } = values
      await callApi(authApi.reset, { body: { email: sent.email, token: token.trim(), newPassword } })
      toast.ok(words.done, words.doneLine)
      await navigate({ to: '/login' })
    } catch (error) {
      setFailed(error)
      setBusy(false)
    }
  }

  const sendAgain = () =>
    sendResetCode(sent.email).then((again) => {
      onSentAgain(again)
      setFailed(null)
    }, setFailed)

  return {
    values,
    set: (field: keyof ResetValues, value: string) => setValues((before) => ({ ...before, [field]: value })),
    problems: wasSubmitted ? problems : {},
    failure: failed ? errorText(failed) : null,
    busy,
    submit,
    sendAgain,
  }
}

/** One rule for the password, explained in one sentence (spec, section 5). */
function useValidateReset() {
  const words = useTexts(texts)
  const rules = useTexts(passwordTexts)
  const rule = usePasswordRule()
  const problemText = useFieldProblemText()
  return ({ token, newPassword, repeat }: ResetValues): Partial<ResetValues> => ({
    ...(token.trim() === '' && { token: problemText('Required') }),
    ...(newPassword === '' && { newPassword: problemText('Required') }),
    ...(newPassword !== '' && findPasswordProblem(newPassword, rule, true) && { newPassword: rules.resetRule[rule] }),
    ...(repeat === '' && { repeat: problemText('Required') }),
    ...(repeat !== '' && repeat !== newPassword && { repeat: words.different }),
  })
}
