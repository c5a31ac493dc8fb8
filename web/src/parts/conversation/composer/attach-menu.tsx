import { Menu } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import { IconFile, IconMapPin, IconPaperclip, IconUser } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { DisableableMenuItem } from '../../../ui/disableable-menu-item.tsx'
import { useUnsupportedReason } from '../../line/line-abilities.ts'
import type { LocationOrCard } from '../../message/attach/location-or-card.ts'
import classes from '../../message/composer/composer.module.css'
import { texts } from './texts.ts'

const LocationDialog = lazy(() =>
  import('../../message/attach/location-dialog.tsx').then((module) => ({ default: module.LocationDialog })),
)
const ContactCardDialog = lazy(() =>
  import('../../message/attach/contact-card-dialog.tsx').then((module) => ({ default: module.ContactCardDialog })),
)

type Props = {
  ticket: Ticket
  onFilesChosen: (files: File[]) => void
  onSendLocationOrCard: (body: string, thing: LocationOrCard) => void
}
/** The chosen dialog; a closed dialog is kept while it fades out. */
type AttachDialog = { kind: 'place' | 'card'; isOpen: boolean; openCount: number }

/** Attachments other than text. */
export function AttachMenu({ ticket, onFilesChosen, onSendLocationOrCard }: Props) {
  const words = useTexts(texts)
  const cannot = useUnsupportedReason(ticket.whatsappId)
  const chooser = useRef<HTMLInputElement>(null)
  const [openDialog, setOpenDialog] = useState<AttachDialog | null>(null)
  const icon = { size: 16, stroke: 1.75 }
  const showDialog = (what: AttachDialog['kind']) =>
    setOpenDialog((last) => ({ kind: what, isOpen: true, openCount: (last?.openCount ?? 0) + 1 }))
  const close = () => setOpenDialog((last) => last && { ...last, isOpen: false })
  const dialog = {
    opened: openDialog?.isOpen ?? false,
    onClose: close,
    onSend: (body: string, thing: LocationOrCard) => {
      close()
      onSendLocationOrCard(body, thing)
    },
  }
  return (
    <>
      <Menu position="top-start" width={232}>
        <Menu.Target>
          <button type="button" className={classes.tool} aria-label={words.attach} title={words.attach}>
            <IconPaperclip size={18} stroke={1.75} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFile {...icon} />} onClick={() => chooser.current?.click()}>
            {words.attachFiles}
          </Menu.Item>
          <DisableableMenuItem
            disabledReason={cannot('location')}
            icon={<IconMapPin {...icon} />}
            onClick={() => showDialog('place')}
          >
            {words.attachPlace}
          </DisableableMenuItem>
          <DisableableMenuItem
            disabledReason={cannot('contact')}
            icon={<IconUser {...icon} />}
            onClick={() => showDialog('card')}
          >
            {words.attachCard}
          </DisableableMenuItem>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFilesChosen([...(event.currentTarget.files ?? [])])
          // Resetting the input allows choosing the same file again.
          event.currentTarget.value = ''
        }}
      />
      {openDialog && (
        <Suspense fallback={null}>
          {openDialog.kind === 'place' ? (
            <LocationDialog key={openDialog.openCount} {...dialog} />
          ) : (
            <ContactCardDialog key={openDialog.openCount} {...dialog} />
          )}
        </Suspense>
      )}
    </>
  )
}
