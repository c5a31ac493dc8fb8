import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../lib/texts.ts'
import { DisableableMenuItem } from '../ui/disableable-menu-item.tsx'
import classes from './records.module.css'
import type { RowCommands } from './table-column.ts'
import { recordTexts } from './texts.ts'

/**
 * The edit and delete buttons of a row, always visible; other actions are in the menu. They are plain buttons, because
 * a long list has hundreds.
 */
export function RowActions({ commands }: { commands: RowCommands }) {
  const words = useTexts(recordTexts)
  const menuCommands = commands.more.filter((one) => one.direct === undefined)
  return (
    <span className={classes.actions}>
      {commands.more.map(
        ({ key, label, icon, run, direct }) =>
          direct !== undefined && (
            <Action key={key} tip={label} label={direct} onClick={run}>
              {icon}
            </Action>
          ),
      )}
      {menuCommands.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <button type="button" className={classes.action} aria-label={words.moreNamed(commands.name)}>
              <IconDots size={17} stroke={1.75} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <MoreMenuItems extraCommands={menuCommands} />
          </Menu.Dropdown>
        </Menu>
      )}
      {commands.edit && (
        <Action tip={words.edit} label={words.editNamed(commands.name)} onClick={commands.edit}>
          <IconPencil size={17} stroke={1.75} />
        </Action>
      )}
      {commands.remove && (
        <Action tip={words.remove} label={words.removeNamed(commands.name)} onClick={commands.remove}>
          <IconTrash size={17} stroke={1.75} />
        </Action>
      )}
    </span>
  )
}

type ActionProps = { tip: string; label: string; onClick: () => void; children: ReactNode }
const Action = ({ tip, label, onClick, children }: ActionProps) => (
  <button type="button" className={classes.action} data-tip={tip} aria-label={label} onClick={onClick}>
    {children}
  </button>
)

/** All actions of a row in one menu, for a card. */
export function RowMenu({ commands }: { commands: RowCommands }) {
  const words = useTexts(recordTexts)
  if (!commands.edit && !commands.remove && commands.more.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={44} aria-label={words.moreNamed(commands.name)}>
          <IconDotsVertical size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {commands.edit && (
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={commands.edit}>
            {words.edit}
          </Menu.Item>
        )}
        <MoreMenuItems extraCommands={commands.more} />
        {commands.remove && (
          <Menu.Item
            className={classes.danger ?? ''}
            leftSection={<IconTrash size={16} stroke={1.75} />}
            onClick={commands.remove}
          >
            {words.remove}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const MoreMenuItems = ({ extraCommands }: { extraCommands: RowCommands['more'] }) =>
  extraCommands.map(({ key, label, icon, run, cannot: disabledReason = '' }) => (
    <DisableableMenuItem key={key} disabledReason={disabledReason} icon={icon} onClick={run}>
      {label}
    </DisableableMenuItem>
  ))
