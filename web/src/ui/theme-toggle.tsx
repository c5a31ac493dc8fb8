import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { defineTexts, useTexts } from '../lib/texts.ts'

const texts = defineTexts({
  es: { toDark: 'Cambiar a tema oscuro', toLight: 'Cambiar a tema claro' },
  pt: { toDark: 'Mudar para tema escuro', toLight: 'Mudar para tema claro' },
  en: { toDark: 'Switch to dark theme', toLight: 'Switch to light theme' },
})

/** The system decides until somebody presses this. */
export function useThemeToggle(): { dark: boolean; label: string; toggle: () => void } {
  const words = useTexts(texts)
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const { setColorScheme } = useMantineColorScheme()
  return { dark, label: dark ? words.toLight : words.toDark, toggle: () => setColorScheme(dark ? 'light' : 'dark') }
}

export function ThemeToggle({ size = 32 }: { size?: number }) {
  const { dark, label, toggle } = useThemeToggle()
  const Icon = dark ? IconSun : IconMoon
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} size={size} onClick={toggle}>
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}
