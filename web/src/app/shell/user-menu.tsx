import { Menu } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { availabilityTexts } from '../../parts/availability-texts.ts'
import { getInitials, PersonAvatar } from '../../ui/person-avatar.tsx'
import { texts } from './texts.ts'
import classes from './top-bar.module.css'

const AccountMenu = lazy(() => import('./account-menu.tsx').then((module) => ({ default: module.AccountMenu })))
const ProfileDialog = lazy(() =>
  import('../../features/users/profile-dialog.tsx').then((module) => ({ default: module.ProfileDialog })),
)
const SecurityDialog = lazy(() =>
  import('../../features/users/security-dialog.tsx').then((module) => ({ default: module.SecurityDialog })),
)

/** `hasWord`: with the state in words beside the avatar, where there is room. */
export function UserMenu({ size, hasWord = false }: { size: number; hasWord?: boolean }) {
  const words = useTexts(texts)
  const states = useTexts(availabilityTexts)
  const { user } = useSession()
  // A dialog is rendered from its first use on, so that it can fade out when it closes.
  const [profile, setProfile] = useState<boolean | null>(null)
  const [security, setSecurity] = useState<boolean | null>(null)
  if (!user) return null
  return (
    <>
      <Menu position="bottom-end" width={300}>
        <Menu.Target>
          <button
            type="button"
            className={`${classes.avatar} ${hasWord ? classes.pill : ''}`}
            aria-label={`${getInitials(user.name)} ${states[user.availability]}, ${user.name}, ${words.account}`}
          >
            <PersonAvatar id={user.id} name={user.name} size={size} online availability={user.availability} />
            {hasWord && <span className={classes.state}> {states[user.availability]}</span>}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Suspense fallback={null}>
            <AccountMenu onOpenProfile={() => setProfile(true)} onOpenSecurity={() => setSecurity(true)} />
          </Suspense>
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
