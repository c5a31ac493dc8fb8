import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { LanguageChoices } from './language-choices.tsx'

/** The language menu of the login pages; opens as soon as it is loaded. */
export function LanguageMenu({ children }: { children: ReactNode }) {
  return (
    <Menu width={180} position="bottom-end" defaultOpened>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <LanguageChoices />
      </Menu.Dropdown>
    </Menu>
  )
}
