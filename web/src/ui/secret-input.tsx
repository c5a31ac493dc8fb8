import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { defineTexts, useTexts } from '../lib/texts.ts'

const texts = defineTexts({
  es: { toggle: 'Mostrar u ocultar' },
  pt: { toggle: 'Mostrar ou ocultar' },
  en: { toggle: 'Show or hide' },
})

/** A masked value. The button that reveals it is named in the user's language: Mantine's own name is English. */
export function SecretInput({ visibilityToggleButtonProps, ...props }: PasswordInputProps) {
  const words = useTexts(texts)
  return (
    <PasswordInput
      {...props}
      visibilityToggleButtonProps={{ 'aria-label': words.toggle, ...visibilityToggleButtonProps }}
    />
  )
}
