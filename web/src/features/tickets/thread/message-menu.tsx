import { Menu } from '@mantine/core'
import type { Message } from '@recado/contract/messages'
import { IconArrowBackUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { AbleItem } from '../../../ui/able-item.tsx'
import { signed } from './message-body.ts'
import { texts } from './texts.ts'

export type MenuFor = { message: Message; left: number; top: number; from: HTMLElement }
type Props = {
  about: MenuFor
  onReply: ((message: Message) => void) | undefined
  onRemove: ((message: Message) => void) | undefined
  /** Why the line cannot take it back; empty when it can. */
  noRemove: string
  onClose: () => void
}

/** One menu for all messages, where it was asked for: one per bubble would be a thousand. */
export function MessageMenu({ about: { message, left, top }, onReply, onRemove, noRemove, onClose }: Props) {
  const words = useTexts(texts)
  const icon = { size: 16, stroke: 1.75 }
  const text = signed(message.body).text
  const hasWords =
    text !== '' &&
    !['locationMessage', 'contactMessage', 'vcard', 'unknown', 'call_log'].includes(message.mediaType ?? '')
  return (
    <Menu opened onClose={onClose} position="bottom-start" offset={4} withinPortal returnFocus={false}>
      <Menu.Target>
        <span style={{ position: 'fixed', left, top, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {onReply && (
          <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => onReply(message)}>
            {words.reply}
          </Menu.Item>
        )}
        {hasWords && (
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copy(text, words.copied)}>
            {words.copy}
          </Menu.Item>
        )}
        {onRemove && (
          <AbleItem cannot={noRemove} color="red" icon={<IconTrash {...icon} />} onClick={() => onRemove(message)}>
            {words.remove}
          </AbleItem>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.ok(done)
  } catch (error) {
    toast.error(error)
  }
}
