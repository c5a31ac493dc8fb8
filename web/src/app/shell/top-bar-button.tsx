import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import classes from './top-bar.module.css'

type Props = Omit<ComponentProps<'button'>, 'color'> & { label: string; isActive?: boolean; children: ReactNode }

/** An icon button of the top bar: labelled, with a tooltip, usable as a popover target. */
export function TopBarButton({ label, isActive, children, className, ...rest }: Props) {
  return (
    <Tooltip label={label} disabled={isActive === true}>
      <ActionIcon
        aria-label={label}
        data-on={isActive || undefined}
        className={`${classes.pressed} ${className ?? ''}`}
        {...rest}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
