import { Menu } from '@mantine/core'
import type { Message } from '@recado/contract/messages'
import { signed } from '@recado/contract/words/signature'
import { IconArrowBackUp, IconArrowForwardUp, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { copyText } from '../../../lib/copy.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { AbleItem } from '../../../ui/able-item.tsx'
import { QuickReactions } from '../reactions/quick-reactions.tsx'
import { ourEmoji } from '../reactions/reactions.ts'
import { texts } from '../texts.ts'

export type MenuFor = { message: Message; left: number; top: number; from: HTMLElement; only?: 'react' }
/** What can be done with it; `cannot` says why something that is offered elsewhere is not possible here. */
type Deed = { cannot: string; do: (message: Message) => void }
type Props = {
  about: MenuFor
  onReply: ((message: Message) => void) | undefined
  react: { cannot: string; do: (message: Message, emoji: string) => void; more: (about: MenuFor) => void } | undefined
  edit: Deed | undefined
  forward?: ((message: Message) => void) | undefined
  remove: Deed | undefined
  onClose: () => void
}

/** One menu for all messages, where it was asked for: one per bubble would be a thousand. */
export function MessageMenu({ about, onReply, react, edit, forward, remove, onClose }: Props) {
  const words = useTexts(texts)
  const { message, left, top, only } = about
  const icon = { size: 16, stroke: 1.75 }
  const text = signed(message.body).text
  const hasWords =
    text !== '' &&
    !['locationMessage', 'contactMessage', 'vcard', 'unknown', 'call_log'].includes(message.mediaType ?? '')
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={4}
      width={widthNow()}
      withinPortal
      returnFocus={false}
    >
      <Menu.Target>
        <span aria-hidden="true" style={{ position: 'fixed', left, top, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {react && (
          <QuickReactions
            ours={ourEmoji(message)}
            cannot={react.cannot}
            onReact={(emoji) => react.do(message, emoji)}
            onMore={() => react.more(about)}
          />
        )}
        {react && !only && <Menu.Divider />}
        {onReply && !only && (
          <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => onReply(message)}>
            {words.reply}
          </Menu.Item>
        )}
        {edit && !only && (
          <AbleItem cannot={edit.cannot} icon={<IconPencil {...icon} />} onClick={() => edit.do(message)}>
            {words.edit}
          </AbleItem>
        )}
        {hasWords && !only && (
          <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copy(text, about.from, words.copied)}>
            {words.copy}
          </Menu.Item>
        )}
        {forward && !only && (
          <Menu.Item leftSection={<IconArrowForwardUp {...icon} />} onClick={() => forward(message)}>
            {words.forward}
          </Menu.Item>
        )}
        {remove && !only && (
          <AbleItem
            cannot={remove.cannot}
            color="red"
            icon={<IconTrash {...icon} />}
            onClick={() => remove.do(message)}
          >
            {words.remove}
          </AbleItem>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** As wide as its first row; for fingers that is wider. */
const widthNow = () => (matchMedia('(pointer: coarse)').matches ? 340 : 270)

async function copy(text: string, beside: HTMLElement, said: string): Promise<void> {
  if (await copyText(text, beside)) toast.ok(said)
}
