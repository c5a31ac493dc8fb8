import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './disableable-menu-item.module.css'

type Props = {
  /** Why it cannot be done here; empty when it can (`useCannot`). */
  cannot: string
  icon: ReactNode
  color?: 'red'
  onClick: () => void
  children: ReactNode
}

/** A line of a menu. What cannot be done stays in its place, grey, and says why: nobody looks for it elsewhere. */
export function DisableableMenuItem({ cannot, icon, color, onClick, children }: Props) {
  if (!cannot)
    return (
      <Menu.Item {...(color && { color })} leftSection={icon} onClick={onClick}>
        {children}
      </Menu.Item>
    )
  return (
    <Menu.Item aria-disabled closeMenuOnClick={false} className={classes.unable ?? ''} leftSection={icon}>
      {children}
      <span className={classes.why}>{cannot}</span>
    </Menu.Item>
  )
}
