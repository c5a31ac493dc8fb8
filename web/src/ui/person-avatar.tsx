import type { Availability } from '@recado/contract/users'
import type { CSSProperties } from 'react'
import classes from './person-avatar.module.css'

// Distinct hues, none of them a status colour.
const hues = ['#0f7f94', '#b4552d', '#6b7a1f', '#8a4b8f', '#2f6db5', '#b03a5b', '#3f8a57', '#8b6b1d']

type Props = {
  id: number
  name: string
  size?: number
  online?: boolean | undefined
  availability?: Availability | undefined
}

/** Two initials on a background colour that is fixed per person. Decorative, because the name is beside it. */
export function PersonAvatar({ id, name, size = 36, online, availability }: Props) {
  const style = {
    '--c': hues[id % hues.length],
    width: size,
    height: size,
    fontSize: Math.max(9, Math.round(size * 0.36)),
  }
  return (
    <span aria-hidden="true" className={`${classes.root} rc-tint`} style={style as CSSProperties}>
      {getInitials(name)}
      {online !== undefined && (
        <span className={classes.presence} data-online={online || undefined} data-availability={availability} />
      )}
    </span>
  )
}

export function getInitials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words
  return picked.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}
