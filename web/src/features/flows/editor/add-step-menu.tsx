import { Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import type { StepWords } from './describe-node.ts'
import classes from './editor.module.css'
import { groupNames, iconOfItem, nameOfItem, type PaletteItem, paletteGroups } from './palette-items.ts'

type Props = {
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  of: StepWords
  onAdd: (item: PaletteItem) => void
  /** The button that opens it. */
  children: ReactElement
}

/** All kinds of steps, to choose the one that is added. */
export function AddStepMenu({ isOpen, onToggle, of, onAdd, children }: Props) {
  return (
    // The added step gets the focus, so it is not returned to the button.
    <Menu opened={isOpen} onChange={onToggle} position="bottom-start" returnFocus={false} withinPortal width={210}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={classes.addMenu ?? ''}>
        {groupNames.map((group) => (
          <div key={group}>
            <Menu.Label>{of.words.groups[group]}</Menu.Label>
            {paletteGroups[group].map((item) => {
              const Icon = iconOfItem(item)
              return (
                <Menu.Item
                  key={item}
                  leftSection={<Icon size={16} stroke={1.75} aria-hidden="true" />}
                  onClick={() => onAdd(item)}
                >
                  {nameOfItem(item, of)}
                </Menu.Item>
              )
            })}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
