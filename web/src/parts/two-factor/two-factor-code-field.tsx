import { IconShieldLock } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { TextField } from '../../ui/text-field.tsx'
import { twoFactorTexts } from './texts.ts'

type Props = { value: string; onChange: (value: string) => void; error?: string | undefined; help?: string }

/** A field for six digits, which phones and password managers can fill in. */
export function TwoFactorCodeField({ value, onChange, error, help }: Props) {
  const words = useTexts(twoFactorTexts)
  return (
    <TextField
      label={words.code}
      description={help ?? words.codeHelp}
      name="code"
      autoComplete="one-time-code"
      inputMode="text"
      autoCapitalize="none"
      spellCheck={false}
      data-autofocus
      autoFocus
      maxLength={40}
      leftSection={<IconShieldLock size={18} stroke={1.75} />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}
