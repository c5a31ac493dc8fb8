import { Menu } from '@mantine/core'
import { IconKeyboard, IconLogout, IconShieldLock, IconUser } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useAriaKeys } from '../../lib/shortcuts.ts'
import { useTexts } from '../../lib/texts.ts'
import { getInitials, PersonAvatar } from '../../ui/person-avatar.tsx'
import { openShortcutSheet } from '../palette/overlay-state.ts'
import { AccountSummary } from './account-summary.tsx'
import { texts } from './texts.ts'
import classes from './top-bar.module.css'

const ProfileDialog = lazy(() =>
  import('../../features/users/profile-dialog.tsx').then((module) => ({ default: module.ProfileDialog })),
)
const SecurityDialog = lazy(() =>
  import('../../features/users/security-dialog.tsx').then((module) => ({ default: module.SecurityDialog })),
)

export function UserMenu({ size }: { size: number }) {
  const words = useTexts(texts)
  const { user, logout } = useSession()
  const sheetKeys = useAriaKeys('?')
  // A dialog is rendered from its first use on, so that it can fade out when it closes.
  const [profile, setProfile] = useState<boolean | null>(null)
  const [security, setSecurity] = useState<boolean | null>(null)
  if (!user) return null
  return (
    <>
      <Menu position="bottom-end" width={270}>
        <Menu.Target>
          <button
            type="button"
            className={classes.avatar}
            aria-label={`${getInitials(user.name)}, ${user.name}, ${words.account}`}
          >
            <PersonAvatar id={user.id} name={user.name} size={size} online />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <AccountSummary />
          <Menu.Item leftSection={<IconUser size={18} stroke={1.75} />} onClick={() => setProfile(true)}>
            {words.profile}
          </Menu.Item>
          <Menu.Item leftSection={<IconShieldLock size={18} stroke={1.75} />} onClick={() => setSecurity(true)}>
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
        </Menu.Dropdown>
      </Menu>
      {profile !== null && (
        <Suspense fallback={null}>
          <ProfileDialog opened={profile} onClose={() => setProfile(false)} />
        </Suspense>
      )}
      {security !== null && (
        <Suspense fallback={null}>
          <SecurityDialog opened={security} onClose={() => setSecurity(false)} />
        </Suspense>
      )}
    </>
  )
}

const KeyCap = () => (
  <span aria-hidden="true">
    <kbd>?</kbd>
  </span>
)
