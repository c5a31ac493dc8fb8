import type { User } from '@recado/contract/users'
import { IconLock, IconMail } from '@tabler/icons-react'
import { useTexts } from '../lib/texts.ts'
import { availabilityTexts } from './availability-texts.ts'
import classes from './presence.module.css'
import { PresenceMark } from './presence-mark.tsx'
import { userTexts } from './user-texts.ts'

/** Dot and text: online, offline, never logged in, invited, or deactivated. */
export function Presence({
  user,
}: {
  user: Pick<User, 'online' | 'active' | 'invited' | 'hasLoggedIn' | 'availability' | 'availabilityReason'>
}) {
  const words = useTexts(userTexts)
  const states = useTexts(availabilityTexts)
  const { availability, availabilityReason: reason } = user
  const onlineText = availability === 'available' ? words.online : states[availability] + (reason && ` (${reason})`)
  if (!user.active) {
    return (
      <span className={classes.root}>
        <IconLock size={14} stroke={2} aria-hidden="true" />
        {words.disabled}
      </span>
    )
  }
  if (user.invited) {
    return (
      <span className={classes.root}>
        <IconMail size={14} stroke={2} aria-hidden="true" />
        {words.invited}
      </span>
    )
  }
  return (
    <span className={classes.root}>
      <PresenceMark availability={user.online ? user.availability : 'offline'} />
      {user.online ? onlineText : user.hasLoggedIn ? words.offline : words.neverHere}
    </span>
  )
}
