import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.ts'
import { PasswordStrength } from '../../parts/password-strength.tsx'
import { passwordTexts } from '../../parts/password-texts.ts'
import { usePasswordRule } from '../../parts/use-password-rule.ts'
import { AuthPageLayout, AuthPageNote } from '../../ui/auth-page-layout.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SentResetCode } from './send-reset-code.ts'
import { texts } from './texts.ts'
import { usePasswordReset } from './use-password-reset.ts'

type Props = { sentCode: SentResetCode; onResent: (sentCode: SentResetCode) => void; onBack: () => void }

export function ResetCodeStep({ sentCode, onResent, onBack }: Props) {
  const words = useTexts(texts)
  const rules = useTexts(passwordTexts)
  const rule = usePasswordRule()
  const { values, set, problems, failure, busy, submit, sendAgain } = usePasswordReset(sentCode, onResent)
  return (
    <AuthPageLayout title={words.codeTitle} line={words.codeLine(sentCode.email)} onSubmit={submit}>
      {sentCode.delivery === 'folder' && <InlineNotice kind="warn">{words.folder}</InlineNotice>}
      {failure && <InlineNotice kind="danger">{failure}</InlineNotice>}
      <TextField
        label={words.code}
        name="token"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        leftSection={<IconShieldCheck size={18} stroke={1.75} />}
        value={values.token}
        onChange={(event) => set('token', event.currentTarget.value)}
        error={problems.token}
      />
      <PasswordField
        label={words.password}
        name="newPassword"
        autoComplete="new-password"
        value={values.newPassword}
        onChange={(value) => set('newPassword', value)}
        error={problems.newPassword}
        belowInput={<PasswordStrength password={values.newPassword} />}
        help={rules.resetRule[rule]}
      />
      <PasswordField
        label={words.repeat}
        name="repeat"
        autoComplete="new-password"
        value={values.repeat}
        onChange={(value) => set('repeat', value)}
        error={problems.repeat}
      />
      <Button type="submit" size="md" loading={busy} mt={4}>
        {words.save}
      </Button>
      <Button variant="subtle" size="sm" onClick={sendAgain}>
        {words.again}
      </Button>
      <AuthPageNote>
        <Link to="/forgetpsw" onClick={onBack}>
          {words.otherEmail}
        </Link>
        {' · '}
        <Link to="/login">{words.remembered}</Link>
      </AuthPageNote>
    </AuthPageLayout>
  )
}
