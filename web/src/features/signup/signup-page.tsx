import { Button } from '@mantine/core'
import { IconBuilding, IconMail, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.ts'
import { PasswordStrength } from '../../parts/password-strength.tsx'
import { passwordTexts } from '../../parts/password-texts.ts'
import { usePasswordRule } from '../../parts/use-password-rule.ts'
import { AuthPageLayout, AuthPageNote } from '../../ui/auth-page-layout.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { PhoneField } from './phone-field.tsx'
import { texts } from './texts.ts'
import { useSignup } from './use-signup.ts'

export function SignupPage() {
  const words = useTexts(texts)
  const rules = useTexts(passwordTexts)
  const rule = usePasswordRule()
  const { values, set, phone, setPhone, problems, failure, busy, submit } = useSignup()
  return (
    <AuthPageLayout title={words.title} line={words.line} onSubmit={submit}>
      {failure && <InlineNotice kind="danger">{failure}</InlineNotice>}
      <TextField
        label={words.userName}
        name="userName"
        autoComplete="name"
        autoFocus
        leftSection={<IconUser size={18} stroke={1.75} />}
        value={values.userName}
        onChange={(event) => set('userName', event.currentTarget.value)}
        error={problems.userName}
      />
      <TextField
        label={words.name}
        name="name"
        autoComplete="organization"
        leftSection={<IconBuilding size={18} stroke={1.75} />}
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
        error={problems.name}
      />
      <TextField
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        leftSection={<IconMail size={18} stroke={1.75} />}
        value={values.email}
        onChange={(event) => set('email', event.currentTarget.value)}
        error={problems.email}
      />
      <PhoneField value={phone} onChange={setPhone} error={problems.phone} />
      <PasswordField
        label={words.password}
        name="password"
        autoComplete="new-password"
        value={values.password}
        onChange={(value) => set('password', value)}
        error={problems.password}
        belowInput={<PasswordStrength password={values.password} />}
        help={rules.rule[rule]}
      />
      <Button type="submit" size="md" loading={busy} mt={4}>
        {words.create}
      </Button>
      <AuthPageNote>
        {words.haveAccount} <Link to="/login">{words.enter}</Link>
      </AuthPageNote>
    </AuthPageLayout>
  )
}
