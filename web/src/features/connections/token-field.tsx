import { ActionIcon, CopyButton, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../lib/texts.ts'
import classes from './connections.module.css'
import { formTexts } from './form-texts.ts'

type Props = { value: string; stored: string; error: ReactNode; onChange: (token: string) => void }

/** Seen, copied, exchanged for a new one; never typed by hand: what people think up can be guessed. */
export function TokenField({ value, stored, error, onChange }: Props) {
  const words = useTexts(formTexts)
  const help = value === '' ? words.tokenNew : value === stored ? words.tokenHelp : words.tokenRenewed
  return (
    <div className={classes.token}>
      <TextInput
        label={words.token}
        description={help}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        error={error}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        className={classes.tokenText ?? ''}
      />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? words.copied : words.copy}>
            <ActionIcon variant="default" size={34} aria-label={words.copy} disabled={value === ''} onClick={copy}>
              {copied ? <IconCheck size={17} stroke={1.75} /> : <IconCopy size={17} stroke={1.75} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      <Tooltip label={words.renew}>
        <ActionIcon variant="default" size={34} aria-label={words.renew} onClick={() => onChange(newToken())}>
          <IconRefresh size={17} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

/** 256 random bits, in letters that need no quoting anywhere. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
}
