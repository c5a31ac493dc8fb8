import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readStoredText, writeStoredText } from '../../lib/storage.ts'
import { labeledScreens } from '../labeled-screens.ts'
import { buildNavigationMenu, type MenuGroup } from '../menu.ts'

/** The menu of the logged-in user. */
export function useMenu(): MenuGroup[] {
  const { user, plan } = useSession()
  return user ? buildNavigationMenu(labeledScreens, user, plan) : []
}

/** Whether the menu is expanded, stored per user. By default it is expanded if there is room (spec, section 9). */
export function useMenuOpen(userId: number): [boolean, () => void] {
  const key = `menuOpen-${userId}`
  const roomy = useMediaQuery('(min-width: 75.01em)', undefined, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState(() => readStoredText(key))
  const open = chosen === null ? roomy : chosen === 'true'
  const toggle = () => {
    setChosen(String(!open))
    writeStoredText(key, String(!open))
  }
  return [open, toggle]
}
