import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { defineTexts, useTexts } from '../lib/texts.ts'

const texts = defineTexts({
  es: { toDark: 'Cambiar a tema oscuro', toLight: 'Cambiar a tema claro' },
  pt: { toDark: 'Mudar para tema escuro', toLight: 'Mudar para tema claro' },
  en: { toDark: 'Switch to dark theme', toLight: 'Switch to light theme' },
})

/** The system's theme applies until the user toggles the theme. */
export function useThemeToggle() {
  const words = useTexts(texts)
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark'
  const { setColorScheme } = useMantineColorScheme()
  return {
    isDark: dark,
    label: dark ? words.toLight : words.toDark,
    icon: dark ? IconSun : IconMoon,
    toggle: () => setColorScheme(dark ? 'light' : 'dark'),
  }
}

/** Uses the native tooltip, because Mantine's would add a tenth to the login page's size. */
export function ThemeToggle() {
  const { label, icon: Icon, toggle } = useThemeToggle()
  return (
    <ActionIcon aria-label={label} title={label} size={28} onClick={toggle}>
      <Icon size={17} stroke={1.75} />
    </ActionIcon>
  )
}
