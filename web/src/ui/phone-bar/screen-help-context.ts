import { createContext } from 'react'

/**
 * Opens the guide of the current screen. The shell provides it: on a phone a conversation covers the top bar, so it
 * offers the guide itself.
 */
export const ScreenHelpContext = createContext<(() => void) | null>(null)
