import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { canUsePasskeys } from '../../lib/can-use-passkeys.ts'
import { useErrorText } from '../../lib/errors.ts'
import { useSession } from '../../lib/session.tsx'
import { readSessionEndReason } from '../../lib/session-end-reason.ts'
import { useTexts } from '../../lib/texts.ts'
import { usePasskeyLogin } from '../../parts/two-factor/use-passkey-login.ts'
import { AuthPageLayout, AuthPageNote } from '../../ui/auth-page-layout.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import classes from './login-page.module.css'
import { texts } from './texts.ts'

const SessionEndNotice = lazy(() =>
  import('./session-end-notice.tsx').then((module) => ({ default: module.SessionEndNotice })),
)
const TwoFactorStep = lazy(() => import('./two-factor-step.tsx').then((module) => ({ default: module.TwoFactorStep })))

export function LoginPage() {
  const words = useTexts(texts)
  const [ended] = useState(readSessionEndReason)
  const {
    email,
    setEmail,
    password,
    setPassword,
    missingFields: missing,
    failure,
    busy,
    submit,
    twoFactorStep: second,
    back,
    passkey,
  } = useLogin()
  if (second)
    return (
      <Suspense fallback={null}>
        <TwoFactorStep
          email={email.trim()}
          password={password}
          isNew={second === 'new'}
          hasPasskey={second === 'passkey'}
          onBack={back}
        />
      </Suspense>
    )
  return (
    <AuthPageLayout title={words.title} line={words.line} onSubmit={submit}>
      {!failure && ended && (
        <Suspense fallback={null}>
          <SessionEndNotice reason={ended} />
        </Suspense>
      )}
      {failure && <InlineNotice kind="danger">{failure}</InlineNotice>}
      <TextField
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        autoFocus
        leftSection={<IconMail size={18} stroke={1.75} />}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={missing.email}
      />
      <div className={classes.password}>
        <PasswordField
          label={words.password}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={missing.password}
        />
        <Button type="submit" size="md" loading={busy} mt={4}>
          {words.enter}
        </Button>
        {/* After the button in the tab order; the stylesheet puts it beside the label. */}
        <Link to="/forgetpsw">{words.forgot}</Link>
      </div>
      {canUsePasskeys() && (
        <Button variant="default" size="md" loading={passkey.busy} onClick={passkey.loginWithPasskey}>
          {words.passkey}
        </Button>
      )}
      <AuthPageNote>
        {words.noAccount} <Link to="/signup">{words.signup}</Link>
      </AuthPageNote>
    </AuthPageLayout>
  )
}

function useLogin() {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const { login } = useSession()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const [second, setSecond] = useState<'new' | 'known' | 'passkey' | null>(null)
  const passkey = usePasskeyLogin(setFailed)

  const missing = wasSubmitted
    ? {
        email: email.trim() === '' ? words.emailMissing : undefined,
        password: password === '' ? words.passwordMissing : undefined,
      }
    : {}

  const submit = async () => {
    setWasSubmitted(true)
    const gap = email.trim() === '' ? 'email' : password === '' ? 'password' : null
    if (gap) document.querySelector<HTMLElement>(`[name=${gap}]`)?.focus()
    if (busy || gap) return
    setBusy(true)
    setFailed(null)
    try {
      await login(email.trim(), password)
    } catch (error) {
      const code = error instanceof ApiError ? error.code : ''
      if (code === 'ERR_TWO_FACTOR_REQUIRED') setSecond((error as ApiError).details.passkey ? 'passkey' : 'known')
      else if (code === 'ERR_TWO_FACTOR_SETUP') setSecond('new')
      else setFailed(error)
      setBusy(false)
    }
  }

  const failure = failed ? errorText(failed) : null
  const back = () => setSecond(null)
  return {
    email,
    setEmail,
    password,
    setPassword,
    missingFields: missing,
    failure,
    busy,
    submit,
    twoFactorStep: second,
    back,
    passkey,
  }
}
