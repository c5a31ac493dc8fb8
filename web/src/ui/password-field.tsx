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
  /** Content below the input, such as the strength of the typed password. */
  belowInput?: ReactNode
  name: string
}

/** Mantine's password field keeps its eye button out of the tab order; in this field the keyboard can reach it. */
export function PasswordField({ label, value, onChange, error, help, belowInput, ...rest }: Props) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  const words = useTexts(texts)
  const Eye = isShown ? IconEyeOff : IconEye
  return (
    <div className={classes.root}>
      <Input.Label htmlFor={id}>{label}</Input.Label>
      <Input
        {...rest}
        id={id}
        size="md"
        type={isShown ? 'text' : 'password'}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={Boolean(error)}
        aria-describedby={error || help ? `${id}-note` : undefined}
        leftSection={<IconLock size={18} stroke={1.75} />}
        rightSectionPointerEvents="all"
        rightSection={
          <ActionIcon size={28} aria-label={isShown ? words.hide : words.show} onClick={() => setIsShown(!isShown)}>
            <Eye size={18} stroke={1.75} />
          </ActionIcon>
        }
      />
      {belowInput}
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
