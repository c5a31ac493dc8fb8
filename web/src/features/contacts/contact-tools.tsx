import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  IconAddressBook,
  IconArchive,
  IconDots,
  IconDownload,
  IconFileImport,
  IconFileTypeCsv,
  IconSearch,
  IconTableImport,
  IconUsers,
} from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { useUnsupportedReason } from '../../parts/line/line-abilities.ts'
import { useLines } from '../../parts/line/use-lines.ts'
import { DisableableMenuItem } from '../../ui/disableable-menu-item.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { texts } from './texts.ts'

type Props = {
  /** The current search and its number of results. */
  search: string
  count: number
  isLowerBound: boolean
  onImportSpreadsheet: () => void
  onImportAddressBook: () => void
  onExport: (search: string) => void
  /** Absent when the user may not see deleted contacts. */
  onShowDeleted?: (() => void) | undefined
  /** Absent when the user may not join contacts. */
  onShowDuplicates?: (() => void) | undefined
}

/** Actions on the whole address book. On a phone all are in one menu. */
export function ContactTools(props: Props) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  if (phone) {
    return (
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon size={40} aria-label={words.more}>
            <IconDots size={22} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.import}</Menu.Label>
          <ImportItems {...props} />
          {(props.count > 0 || props.search) && (
            <>
              <Menu.Divider />
              <Menu.Label>{words.export}</Menu.Label>
              <ExportItems {...props} />
            </>
          )}
          {(props.onShowDuplicates || props.onShowDeleted) && <Menu.Divider />}
          {props.onShowDuplicates && (
            <Menu.Item leftSection={<IconUsers size={16} stroke={1.75} />} onClick={props.onShowDuplicates}>
              {words.duplicates}
            </Menu.Item>
          )}
          {props.onShowDeleted && (
            <Menu.Item leftSection={<IconArchive size={16} stroke={1.75} />} onClick={props.onShowDeleted}>
              {words.deleted}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    )
  }
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconFileImport size={17} stroke={1.75} />}>
            {words.import}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ImportItems {...props} />
        </Menu.Dropdown>
      </Menu>
      {(props.count > 0 || props.search) && <ExportButton {...props} />}
      {props.onShowDuplicates && (
        <Button variant="default" leftSection={<IconUsers size={17} stroke={1.75} />} onClick={props.onShowDuplicates}>
          {words.duplicates}
        </Button>
      )}
      {props.onShowDeleted && (
        <Button variant="default" leftSection={<IconArchive size={17} stroke={1.75} />} onClick={props.onShowDeleted}>
          {words.deleted}
        </Button>
      )}
    </>
  )
}

/** Without a search there is only one kind of export, so no menu is needed. */
function ExportButton(props: Props) {
  const words = useTexts(texts)
  const buttonProps = { variant: 'default', leftSection: <IconDownload size={17} stroke={1.75} /> } as const
  if (!props.search) {
    return (
      <Button {...buttonProps} onClick={() => props.onExport('')}>
        {words.export}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button {...buttonProps}>{words.export}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ExportItems {...props} />
      </Menu.Dropdown>
    </Menu>
  )
}

function ImportItems({ onImportSpreadsheet, onImportAddressBook }: Props) {
  const words = useTexts(texts)
  // The address book comes from the default line's phone.
  const main = useLines().data?.find(({ isDefault }) => isDefault)
  const cannot = useUnsupportedReason(main?.id ?? null)
  return (
    <>
      <Menu.Item leftSection={<IconTableImport size={16} stroke={1.75} />} onClick={onImportSpreadsheet}>
        {words.importSheet}
      </Menu.Item>
      <DisableableMenuItem
        disabledReason={cannot('contacts')}
        icon={<IconAddressBook size={16} stroke={1.75} />}
        onClick={onImportAddressBook}
      >
        {words.importBook}
      </DisableableMenuItem>
    </>
  )
}

function ExportItems({ search, count, isLowerBound, onExport }: Props) {
  const words = useTexts(texts)
  return (
    <>
      {search && count > 0 && (
        <Menu.Item
          leftSection={<IconSearch size={16} stroke={1.75} />}
          rightSection={`${formatNumber(count)}${isLowerBound ? '+' : ''}`}
          onClick={() => onExport(search)}
        >
          {words.exportFound}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconFileTypeCsv size={16} stroke={1.75} />} onClick={() => onExport('')}>
        {words.exportAll}
      </Menu.Item>
    </>
  )
}
