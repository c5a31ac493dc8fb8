import { Menu } from '@mantine/core'
import type { SandboxCustomer } from '@recado/contract/sandbox'
import {
  IconBuildingStore,
  IconFile,
  IconMapPin,
  IconMicrophone,
  IconPaperclip,
  IconPhoto,
  IconQuestionMark,
  IconSticker,
  IconUser,
} from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { texts } from '../texts.ts'
import classes from './phone-composer.module.css'
import { useAttachDialogs } from './use-attach-dialogs.tsx'
import { useFileChooser } from './use-file-chooser.tsx'
import type { PhoneAction } from './use-send-as-customer.ts'

type Props = {
  people: SandboxCustomer[]
  write: (action: PhoneAction, files?: File[]) => void
  onFilesChosen: (files: File[]) => void
  onSendAsCompany: () => void
}

/** Attachments other than text. */
export function PhoneAttachMenu({ people, write, onFilesChosen, onSendAsCompany }: Props) {
  const words = useTexts(texts)
  const choose = useFileChooser()
  const dialogs = useAttachDialogs(people, write)
  const icon = { size: 16, stroke: 1.75 }
  const sticker = ([file]: File[]) => file && write({ kind: 'sticker' }, [file])
  return (
    <>
      <Menu position="top-end" width={240}>
        <Menu.Target>
          <button type="button" className={classes.tool} aria-label={words.attach}>
            <IconPaperclip size={18} stroke={1.75} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPhoto {...icon} />}
            onClick={() => choose.open('image/*,video/*', onFilesChosen)}
          >
            {words.media}
          </Menu.Item>
          <Menu.Item leftSection={<IconMicrophone {...icon} />} onClick={() => choose.open('audio/*', onFilesChosen)}>
            {words.audio}
          </Menu.Item>
          <Menu.Item leftSection={<IconFile {...icon} />} onClick={() => choose.open('', onFilesChosen)}>
            {words.document}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSticker {...icon} />}
            onClick={() => choose.open('image/webp,image/png', sticker)}
          >
            {words.sticker}
          </Menu.Item>
          <Menu.Item leftSection={<IconMapPin {...icon} />} onClick={dialogs.openPlace}>
            {words.location}
          </Menu.Item>
          <Menu.Item leftSection={<IconUser {...icon} />} onClick={dialogs.openCard}>
            {words.contact}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconQuestionMark {...icon} />}
            onClick={() => write({ kind: 'unknown', body: 'pollCreationMessage' })}
          >
            {words.unknownKind}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconBuildingStore {...icon} />} onClick={onSendAsCompany}>
            {words.asCompany}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {choose.element}
      {dialogs.element}
    </>
  )
}
