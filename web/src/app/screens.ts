import type { Screen } from '../lib/screen.ts'

/** Every screen behind the login, by file. A file with this name is enough to register a screen. */
export const screensByFile = import.meta.glob<Screen>('./**/screen.ts', {
  base: '../features',
  eager: true,
  import: 'screen',
})
export const screens: Screen[] = Object.values(screensByFile)

/** The path of a screen without its optional parameter. */
export const screenAddress = ({ path }: Screen): string => path.replace(/\/\{-.*/, '')

export const hasScreenAt = (address: string): boolean => screens.some((screen) => screenAddress(screen) === address)

/** Whether a path belongs to a screen: /tickets/7 is in /tickets, / is only itself. */
export const isScreenPath = (address: string, path: string): boolean =>
  path === address || (address !== '/' && path.startsWith(`${address}/`))
