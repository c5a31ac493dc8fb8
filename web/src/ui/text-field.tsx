import { TextInput, type TextInputProps } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './text-field.module.css'

/** The error of an input with advice: icon and text. */
export function FieldError({ children }: { children: ReactNode }) {
  return (
    <span className={classes.error}>
      <IconAlertCircle size={14} stroke={2} aria-hidden="true" />
      {children}
    </span>
  )
}

/** The large input of the pages before login. */
export function TextField({ error, ...rest }: TextInputProps) {
  return <TextInput size="md" error={error ? <FieldError>{error}</FieldError> : undefined} {...rest} />
}
