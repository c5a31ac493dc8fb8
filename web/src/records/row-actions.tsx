import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../lib/texts.ts'
import { DisableableMenuItem } from '../ui/disableable-menu-item.tsx'
import classes from './records.module.css'
import type { RowCommands } from './table-column.ts'
import { recordTexts } from './texts.ts'

/** Edit and delete, always visible; other actions in the menu. Plain buttons, because a long list has hundreds. */
export function RowActions({ commands: offer }: { commands: RowCommands }) {
  const words = useTexts(recordTexts)
  const under = offer.more.filter((one) => one.direct === undefined)
  return (
    <span className={classes.actions}>
      {offer.more.map(
        ({ key, label, icon, run, direct }) =>
          direct !== undefined && (
            <Action key={key} tip={label} label={direct} onClick={run}>
              {icon}
            </Action>
          ),
      )}
      {under.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <button type="button" className={classes.action} aria-label={words.moreNamed(offer.name)}>
              <IconDots size={17} stroke={1.75} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <MoreMenuItems extraCommands={under} />
          </Menu.Dropdown>
        </Menu>
      )}
      {offer.edit && (
        <Action tip={words.edit} label={words.editNamed(offer.name)} onClick={offer.edit}>
          <IconPencil size={17} stroke={1.75} />
        </Action>
      )}
      {offer.remove && (
        <Action tip={words.remove} label={words.removeNamed(offer.name)} onClick={offer.remove}>
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

/** All actions in one menu, for a card. */
export function RowMenu({ commands: offer }: { commands: RowCommands }) {
  const words = useTexts(recordTexts)
  if (!offer.edit && !offer.remove && offer.more.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={44} aria-label={words.moreNamed(offer.name)}>
          <IconDotsVertical size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {offer.edit && (
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={offer.edit}>
            {words.edit}
          </Menu.Item>
        )}
        <MoreMenuItems extraCommands={offer.more} />
        {offer.remove && (
          <Menu.Item
            className={classes.danger ?? ''}
            leftSection={<IconTrash size={16} stroke={1.75} />}
            onClick={offer.remove}
          >
            {words.remove}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const MoreMenuItems = ({ extraCommands: more }: { extraCommands: RowCommands['more'] }) =>
  more.map(({ key, label, icon, run, cannot = '' }) => (
    <DisableableMenuItem key={key} disabledReason={cannot} icon={icon} onClick={run}>
      {label}
    </DisableableMenuItem>
  ))
