import { Button } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../lib/texts.ts'
import { PasswordStrength } from '../../parts/password-strength.tsx'
import { passwordTexts } from '../../parts/password-texts.ts'
import { usePasswordRule } from '../../parts/use-platform.ts'
import { FrontDoor, FrontDoorNote } from '../../ui/front-door.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Sent } from './send-code.ts'
import { texts } from './texts.ts'
import { useReset } from './use-reset.ts'

type Props = { sent: Sent; onSentAgain: (sent: Sent) => void; onBack: () => void }

export function CodeStep({ sent, onSentAgain, onBack }: Props) {
  const words = useTexts(texts)
  const rules = useTexts(passwordTexts)
  const rule = usePasswordRule()
  const { values, set, problems, failure, busy, submit, sendAgain } = useReset(sent, onSentAgain)
  return (
    <FrontDoor title={words.codeTitle} line={words.codeLine(sent.email)} onSubmit={submit}>
      {sent.delivery === 'folder' && <Notice kind="warn">{words.folder}</Notice>}
      {failure && <Notice kind="danger">{failure}</Notice>}
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
        below={<PasswordStrength password={values.newPassword} />}
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
      <FrontDoorNote>
        <Link to="/forgetpsw" onClick={onBack}>
          {words.otherEmail}
        </Link>
        {' · '}
        <Link to="/login">{words.remembered}</Link>
      </FrontDoorNote>
    </FrontDoor>
  )
}
