import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { readText, writeText } from '../../lib/storage.ts'
import { labelled } from '../labels.ts'
import { type MenuGroup, menuFor } from '../menu.ts'

/** The menu of whoever is logged in. */
export function useMenu(): MenuGroup[] {
  const { user, plan } = useSession()
  return user ? menuFor(labelled, user, plan) : []
}

/** Open or a rail: each person's own choice; without one it is open where there is room (spec, section 9). */
export function useMenuOpen(userId: number): [boolean, () => void] {
  const key = `menuOpen-${userId}`
  const roomy = useMediaQuery('(min-width: 75.01em)', undefined, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState(() => readText(key))
  const open = chosen === null ? roomy : chosen === 'true'
  const toggle = () => {
    setChosen(String(!open))
    writeText(key, String(!open))
  }
  return [open, toggle]
}
