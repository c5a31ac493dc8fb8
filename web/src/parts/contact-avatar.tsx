import { IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import { mediaSrc } from '../lib/media-src.ts'
import { PersonAvatar } from '../ui/person-avatar.tsx'
import classes from './contact-avatar.module.css'

type Props = {
  contact: { id: number; name: string; profilePicUrl: string | null }
  size?: number
  isGroup?: boolean | undefined
}

/** The customer's picture over their initials, which show until the picture has loaded. It is decorative. */
export function ContactAvatar({ contact, size = 36, isGroup }: Props) {
  const src = ownPicture(contact.profilePicUrl)
  const [broken, setBroken] = useState('')
  return (
    <span aria-hidden="true" className={classes.root} style={{ width: size, height: size }}>
      {isGroup ? (
        <span className={classes.group} style={{ width: size, height: size }}>
          <IconUsersGroup size={Math.round(size * 0.5)} stroke={1.75} />
        </span>
      ) : (
        <PersonAvatar id={contact.id} name={contact.name} size={size} />
      )}
      {src && src !== broken && (
        <img className={classes.picture} src={src} alt="" loading="lazy" onError={() => setBroken(src)} />
      )}
    </span>
  )
}

/** Pictures on a vendor's server are not loaded: the content security policy allows only our own origin. */
function ownPicture(url: string | null): string {
  const src = mediaSrc(url)
  return src.startsWith('/') ? src : ''
}
