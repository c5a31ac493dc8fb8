import { Menu } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import { IconFile, IconMapPin, IconPaperclip, IconUser } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { AbleItem } from '../../../ui/able-item.tsx'
import { useCannot } from '../../line/line-abilities.ts'
import type { Thing } from '../../message/attach/thing.ts'
import classes from '../../message/box/box.module.css'
import { texts } from './texts.ts'

const PlaceDialog = lazy(() =>
  import('../../message/attach/place-dialog.tsx').then((module) => ({ default: module.PlaceDialog })),
)
const CardDialog = lazy(() =>
  import('../../message/attach/card-dialog.tsx').then((module) => ({ default: module.CardDialog })),
)

type Props = { ticket: Ticket; onFiles: (files: File[]) => void; onThing: (body: string, thing: Thing) => void }
/** Which dialog, and whether it is still open or fades. */
type Asked = { what: 'place' | 'card'; open: boolean; turn: number }

/** Everything that is not words. */
export function AttachMenu({ ticket, onFiles, onThing }: Props) {
  const words = useTexts(texts)
  const cannot = useCannot(ticket.whatsappId)
  const chooser = useRef<HTMLInputElement>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const icon = { size: 16, stroke: 1.75 }
  const ask = (what: Asked['what']) => setAsked((last) => ({ what, open: true, turn: (last?.turn ?? 0) + 1 }))
  const close = () => setAsked((last) => last && { ...last, open: false })
  const dialog = {
    opened: asked?.open ?? false,
    onClose: close,
    onSend: (body: string, thing: Thing) => {
      close()
      onThing(body, thing)
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
          <AbleItem cannot={cannot('location')} icon={<IconMapPin {...icon} />} onClick={() => ask('place')}>
            {words.attachPlace}
          </AbleItem>
          <AbleItem cannot={cannot('contact')} icon={<IconUser {...icon} />} onClick={() => ask('card')}>
            {words.attachCard}
          </AbleItem>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          // The same file again is a choice too.
          event.currentTarget.value = ''
        }}
      />
      {asked && (
        <Suspense fallback={null}>
          {asked.what === 'place' ? (
            <PlaceDialog key={asked.turn} {...dialog} />
          ) : (
            <CardDialog key={asked.turn} {...dialog} />
          )}
        </Suspense>
      )}
    </>
  )
}
