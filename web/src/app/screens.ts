import type { Screen } from '../lib/screen.ts'

/** Every screen behind the login, by its file. One of that name is all it takes to be one. */
export const screensByFile = import.meta.glob<Screen>('../features/**/screen.ts', { eager: true, import: 'screen' })
export const screens: Screen[] = Object.values(screensByFile)

/** Where a screen is found, without the part that may be missing. */
export const screenAddress = ({ path }: Screen): string => path.replace(/\/\{-.*/, '')

export const hasScreenAt = (address: string): boolean => screens.some((screen) => screenAddress(screen) === address)

/** Whether a path belongs to a screen: /tickets/7 is in /tickets, / is only itself. */
export const isScreenPath = (address: string, path: string): boolean =>
  path === address || (address !== '/' && path.startsWith(`${address}/`))
