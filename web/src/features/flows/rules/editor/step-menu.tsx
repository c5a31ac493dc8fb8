import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconDots, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../../lib/texts.ts'
import classes from './editor.module.css'
import { ruleEditorTexts } from './texts.ts'

type MenuProps = {
  text: string
  canDuplicate: boolean
  canMoveUp: boolean
  canMoveDown: boolean
  onMove: (by: number) => void
  onDuplicate: () => void
  onRemove: () => void
  /** What else can be done, before removing it. */
  children?: ReactNode
}
/** What can be done with a step: move, duplicate, remove. */
export function StepMenu(props: MenuProps) {
  const { text, canDuplicate, canMoveUp, canMoveDown, onMove, onDuplicate, onRemove, children } = props
  const words = useTexts(ruleEditorTexts)
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon size={28} aria-label={words.stepOptions(text)}>
          <IconDots size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          disabled={!canMoveUp}
          leftSection={<IconArrowUp size={16} stroke={1.75} />}
          rightSection={<kbd className={classes.key}>Alt ↑</kbd>}
          onClick={() => onMove(-1)}
        >
          {words.up}
        </Menu.Item>
        <Menu.Item
          disabled={!canMoveDown}
          leftSection={<IconArrowDown size={16} stroke={1.75} />}
          rightSection={<kbd className={classes.key}>Alt ↓</kbd>}
          onClick={() => onMove(1)}
        >
          {words.down}
        </Menu.Item>
        <Menu.Item
          disabled={!canDuplicate}
          leftSection={<IconCopy size={16} stroke={1.75} />}
          rightSection={<kbd className={classes.key}>Ctrl D</kbd>}
          onClick={onDuplicate}
        >
          {words.duplicate}
        </Menu.Item>
        {children}
        <Menu.Item color="red" leftSection={<IconX size={16} stroke={1.75} />} onClick={onRemove}>
          {words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
