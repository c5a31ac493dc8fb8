import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconDots, IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../lib/texts.ts'
import type { RowOffer } from './column.ts'
import classes from './records.module.css'
import { recordTexts } from './texts.ts'

/** Edit and delete, always visible; anything else under the dots. */
export function RowActions({ offer }: { offer: RowOffer }) {
  const words = useTexts(recordTexts)
  return (
    <span className={classes.actions}>
      {offer.more.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon size={28} aria-label={words.moreNamed(offer.name)}>
              <IconDots size={17} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <MoreItems offer={offer} />
          </Menu.Dropdown>
        </Menu>
      )}
      {offer.edit && (
        <Tooltip label={words.edit}>
          <ActionIcon size={28} aria-label={words.editNamed(offer.name)} onClick={offer.edit}>
            <IconPencil size={17} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      {offer.remove && (
        <Tooltip label={words.remove}>
          <ActionIcon size={28} aria-label={words.removeNamed(offer.name)} onClick={offer.remove}>
            <IconTrash size={17} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
    </span>
  )
}

/** Everything in one menu, for a card. */
export function RowMenu({ offer }: { offer: RowOffer }) {
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
        <MoreItems offer={offer} />
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

const MoreItems = ({ offer }: { offer: RowOffer }) =>
  offer.more.map(({ key, label, icon, run }) => (
    <Menu.Item key={key} leftSection={icon} onClick={run}>
      {label}
    </Menu.Item>
  ))
