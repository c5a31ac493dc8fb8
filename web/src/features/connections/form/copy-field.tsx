import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { SecretInput } from '../../../ui/secret-input.tsx'
import { useCopyText } from '../../../ui/use-copy-text.ts'
import classes from '../connections.module.css'
import { lineFormTexts } from './line-form-texts.ts'

type Props = {
  label: string
  value: string
  copyLabel: string
  /** Whether the value is masked until the user reveals it. */
  isSecret?: boolean
  help?: ReactNode
  error?: ReactNode
  children?: ReactNode
}

/** A value that can be copied but not edited. Further actions are beside it. */
export function CopyField({ label, value, copyLabel, isSecret = false, help, error, children }: Props) {
  const words = useTexts(lineFormTexts)
  const { wasCopied: copied, copy } = useCopyText(value)
  const Field = isSecret ? SecretInput : TextInput
  return (
    <div className={classes.token}>
      <Field
        label={label}
        description={help}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        error={error}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        className={classes.tokenText ?? ''}
      />
      <Tooltip label={copied ? words.copied : copyLabel}>
        <ActionIcon variant="default" size={34} aria-label={copyLabel} disabled={value === ''} onClick={copy}>
          {copied ? <IconCheck size={17} stroke={1.75} /> : <IconCopy size={17} stroke={1.75} />}
        </ActionIcon>
      </Tooltip>
      {children}
    </div>
  )
}
