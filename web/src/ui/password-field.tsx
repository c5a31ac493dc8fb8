import { ActionIcon, Input } from '@mantine/core'
import { IconEye, IconEyeOff, IconLock } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './text-field.module.css'
import { FieldError } from './text-field.tsx'

const texts = defineTexts({
  es: { show: 'Mostrar contraseña', hide: 'Ocultar contraseña' },
  pt: { show: 'Mostrar senha', hide: 'Ocultar senha' },
  en: { show: 'Show password', hide: 'Hide password' },
})

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  error?: string | undefined
  help?: string
  /** Below it: the strength of the typed password. */
  belowInput?: ReactNode
  /** Right of the label: "¿La olvidaste?" */
  besideLabel?: ReactNode
  name: string
}

/** Mantine's own keeps its eye button out of the tab order; this one is reachable by keyboard. */
export function PasswordField({
  label,
  value,
  onChange,
  error,
  help,
  belowInput: below,
  besideLabel: beside,
  ...rest
}: Props) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const words = useTexts(texts)
  const Eye = shown ? IconEyeOff : IconEye
  return (
    <div className={classes.root}>
      <div className={classes.label}>
        <Input.Label htmlFor={id}>{label}</Input.Label>
        {beside && <span className={classes.beside}>{beside}</span>}
      </div>
      <Input
        {...rest}
        id={id}
        size="md"
        type={shown ? 'text' : 'password'}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={Boolean(error)}
        aria-describedby={error || help ? `${id}-note` : undefined}
        leftSection={<IconLock size={18} stroke={1.75} />}
        rightSectionPointerEvents="all"
        rightSection={
          <ActionIcon size={28} aria-label={shown ? words.hide : words.show} onClick={() => setShown(!shown)}>
            <Eye size={18} stroke={1.75} />
          </ActionIcon>
        }
      />
      {below}
      {(error || help) && (
        <div id={`${id}-note`}>
          {error ? (
            <Input.Error mt={5}>
              <FieldError>{error}</FieldError>
            </Input.Error>
          ) : (
            <Input.Description mt={5}>{help}</Input.Description>
          )}
        </div>
      )}
    </div>
  )
}
