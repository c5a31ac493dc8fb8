import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { useCopyText } from '../../../ui/use-copy-text.ts'
import classes from '../connections.module.css'
import { lineFormTexts } from './line-form-texts.ts'

type Props = {
  label: string
  value: string
  copyLabel: string
  help?: ReactNode
  error?: ReactNode
  children?: ReactNode
}

/** A value that can be copied but not edited. Further actions are beside it. */
export function CopyField({ label, value, copyLabel, help, error, children }: Props) {
  const words = useTexts(lineFormTexts)
  const { wasCopied: copied, copy } = useCopyText(value)
  return (
    <div className={classes.token}>
      <TextInput
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
