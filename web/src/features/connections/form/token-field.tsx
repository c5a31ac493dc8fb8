import { ActionIcon, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { CopyField } from './copy-field.tsx'
import { lineFormTexts } from './line-form-texts.ts'

type Props = { value: string; storedToken: string; error: ReactNode; onChange: (token: string) => void }

/** A token can be shown, copied and regenerated, but never typed: tokens chosen by people can be guessed. */
export function TokenField({ value, storedToken, error, onChange }: Props) {
  const words = useTexts(lineFormTexts)
  const help = value === '' ? words.tokenNew : value === storedToken ? words.tokenHelp : words.tokenRenewed
  return (
    <CopyField label={words.token} value={value} copyLabel={words.copy} isSecret help={help} error={error}>
      <Tooltip label={words.renew}>
        <ActionIcon variant="default" size={34} aria-label={words.renew} onClick={() => onChange(generateToken())}>
          <IconRefresh size={17} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </CopyField>
  )
}

/** 256 random bits, in characters that need no escaping anywhere. */
function generateToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=/g, '')
}
