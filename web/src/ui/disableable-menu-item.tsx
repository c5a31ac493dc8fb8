import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './disableable-menu-item.module.css'

type Props = {
  /** Why the action is not possible here; empty when it is possible (`useUnsupportedReason`). */
  disabledReason: string
  icon: ReactNode
  color?: 'red'
  onClick: () => void
  children: ReactNode
}

/**
 * A menu item. An impossible action stays in its place, disabled and with the reason, so that users do not search
 * for it.
 */
export function DisableableMenuItem({ disabledReason, icon, color, onClick, children }: Props) {
  if (!disabledReason)
    return (
      <Menu.Item {...(color && { color })} leftSection={icon} onClick={onClick}>
        {children}
      </Menu.Item>
    )
  return (
    <Menu.Item aria-disabled closeMenuOnClick={false} className={classes.unable ?? ''} leftSection={icon}>
      {children}
      <span className={classes.why}>{disabledReason}</span>
    </Menu.Item>
  )
}
