import { Menu } from '@mantine/core'
import { IconKeyboard, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { useSession } from '../../lib/session.tsx'
import { useAriaKeys } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { openShortcutSheet } from '../palette/overlay-state.ts'
import { AccountSummary } from './account-summary.tsx'
import { AvailabilityItems } from './availability-items.tsx'
import { texts } from './texts.ts'

type Props = { onOpenProfile: () => void; onOpenSecurity: () => void }

/** The content of the account menu, loaded when it opens first. */
export function AccountMenu({ onOpenProfile, onOpenSecurity }: Props) {
  const words = useTexts(texts)
  const { logout } = useSession()
  const sheetKeys = useAriaKeys('?')
  return (
    <>
      <AccountSummary />
      <AvailabilityItems />
      <Menu.Item leftSection={<IconUser size={18} stroke={1.75} />} onClick={onOpenProfile}>
        {words.profile}
      </Menu.Item>
      <Menu.Item leftSection={<IconShieldLock size={18} stroke={1.75} />} onClick={onOpenSecurity}>
        {words.security}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconKeyboard size={18} stroke={1.75} />}
        rightSection={sheetKeys && <KeyCap />}
        aria-keyshortcuts={sheetKeys}
        onClick={openShortcutSheet}
      >
        {words.shortcuts}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={18} stroke={1.75} />} onClick={logout}>
        {words.logout}
      </Menu.Item>
    </>
  )
}

const KeyCap = () => (
  <span aria-hidden="true">
    <kbd>?</kbd>
  </span>
)
