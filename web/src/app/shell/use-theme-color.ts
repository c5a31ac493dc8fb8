import { useComputedColorScheme } from '@mantine/core'
import { useEffect } from 'react'

/** The installed app's window follows the theme chosen in the app, not the system's theme. */
export function useThemeColor(): void {
  const scheme = useComputedColorScheme('light')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colour follows the scheme.
  useEffect(() => {
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--rc-surface-2').trim()
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = colour
  }, [scheme])
}
