import { Button } from '@mantine/core'
import { authApi } from '@recado/contract/auth'
import { findPasswordProblem } from '@recado/contract/passwords/password-check'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useErrorText } from '../../lib/errors.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { PasswordStrength } from '../../parts/password-strength.tsx'
import { passwordTexts } from '../../parts/password-texts.ts'
import { usePasswordRule } from '../../parts/use-password-rule.ts'
import { AuthPageLayout, AuthPageNote } from '../../ui/auth-page-layout.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Splash } from '../../ui/splash.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { texts } from './texts.ts'

/** The invitation key is after the `#` of the URL, so the browser sends it only in the body of a call. */
const readKeyFromAddress = () => location.hash.slice(1)

/** An invited user chooses a password and is logged in. */
export function InvitationPage() {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const [key] = useState(readKeyFromAddress)
  const { data, error, isPending } = useQuery({
    queryKey: ['invitation', key],
    queryFn: ({ signal }) => callApi(authApi.invitation, { body: { key } }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending) return <Splash />
  if (data) return <ChoosePassword invitation={{ ...data, key }} />
  return (
    <AuthPageLayout title={words.over} line="" onSubmit={() => undefined}>
      <InlineNotice kind="danger">{errorText(error)}</InlineNotice>
      <LoginLink />
    </AuthPageLayout>
  )
}

type InvitationDetails = { key: string; name: string; email: string; company: string }

function ChoosePassword({ invitation: { key, name, email, company } }: { invitation: InvitationDetails }) {
  const words = useTexts(texts)
  const rules = useTexts(passwordTexts)
  const rule = usePasswordRule()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { login } = useSession()
  const [password, setPassword] = useState('')
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<unknown>(null)
  const problem = findPasswordProblem(password, rule)

  const submit = async () => {
    setWasSubmitted(true)
    if (busy || problem) return
    setBusy(true)
    setFailed(null)
    try {
      await callApi(authApi.acceptInvitation, { body: { key, password } })
      // The password is set even if the login fails: the login page shows the reason.
      await login(email, password).catch(() => navigate({ to: '/login' }))
    } catch (error) {
      setFailed(error)
      setBusy(false)
    }
  }
  return (
    <AuthPageLayout title={words.title(name)} line={words.line(company)} onSubmit={submit}>
      {Boolean(failed) && <InlineNotice kind="danger">{errorText(failed)}</InlineNotice>}
      <TextField
        label={words.email}
        name="email"
        autoComplete="username"
        readOnly
        leftSection={<IconMail size={18} stroke={1.75} />}
        value={email}
      />
      <PasswordField
        label={words.password}
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={wasSubmitted && problem ? rules.rule[rule] : undefined}
        belowInput={<PasswordStrength password={password} />}
        help={rules.rule[rule]}
      />
      <Button type="submit" size="md" loading={busy} mt={4}>
        {words.enter}
      </Button>
      <LoginLink />
    </AuthPageLayout>
  )
}

function LoginLink() {
  const words = useTexts(texts)
  return (
    <AuthPageNote>
      {words.toLogin} <Link to="/login">{words.login}</Link>
    </AuthPageNote>
  )
}
