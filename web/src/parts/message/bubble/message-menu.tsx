import { Menu } from '@mantine/core'
import type { Message } from '@recado/contract/messages'
import { parseSignature } from '@recado/contract/text/signature'
import { IconArrowBackUp, IconArrowForwardUp, IconCopy, IconPencil, IconTrash } from '@tabler/icons-react'
import { copyText } from '../../../lib/copy.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { DisableableMenuItem } from '../../../ui/disableable-menu-item.tsx'
import { QuickReactions } from '../reactions/quick-reactions.tsx'
import { ownReaction } from '../reactions/reactions.ts'
import { texts } from '../texts.ts'

export type MessageMenuTarget = {
  message: Message
  left: number
  top: number
  anchor: HTMLElement
  onlySection?: 'react'
}
/** An action; `disabledReason` says why it is not possible here. */
type MenuAction = { disabledReason: string; run: (message: Message) => void }
type Props = {
  target: MessageMenuTarget
  onReply: ((message: Message) => void) | undefined
  react:
    | {
        disabledReason: string
        run: (message: Message, emoji: string) => void
        openPicker: (target: MessageMenuTarget) => void
      }
    | undefined
  edit: MenuAction | undefined
  forward?: ((message: Message) => void) | undefined
  remove: MenuAction | undefined
  onClose: () => void
}

/** One menu for all messages, opened at the requested position: a menu per bubble would be a thousand menus. */
export function MessageMenu({ target, onReply, react, edit, forward, remove, onClose }: Props) {
  const words = useTexts(texts)
  const { message, left, top, onlySection } = target
  const icon = { size: 16, stroke: 1.75 }
  const text = parseSignature(message.body).text
  const hasWords =
    text !== '' &&
    !['locationMessage', 'contactMessage', 'vcard', 'unknown', 'call_log'].includes(message.mediaType ?? '')
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      offset={4}
      width={menuWidth()}
      withinPortal
      returnFocus={false}
    >
      <Menu.Target>
        <span aria-hidden="true" style={{ position: 'fixed', left, top, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
        {react && (
          <QuickReactions
            ownReaction={ownReaction(message)}
            disabledReason={react.disabledReason}
            onReact={(emoji) => react.run(message, emoji)}
            onOpenPicker={() => react.openPicker(target)}
          />
        )}
        {react && !onlySection && <Menu.Divider />}
        {onReply && !onlySection && (
          <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => onReply(message)}>
            {words.reply}
          </Menu.Item>
        )}
        {edit && !onlySection && (
          <DisableableMenuItem
            disabledReason={edit.disabledReason}
            icon={<IconPencil {...icon} />}
            onClick={() => edit.run(message)}
          >
            {words.edit}
          </DisableableMenuItem>
        )}
        {hasWords && !onlySection && (
          <Menu.Item
            leftSection={<IconCopy {...icon} />}
            onClick={() => void copyMessage(text, target.anchor, words.copied)}
          >
            {words.copy}
          </Menu.Item>
        )}
        {forward && !onlySection && (
          <Menu.Item leftSection={<IconArrowForwardUp {...icon} />} onClick={() => forward(message)}>
            {words.forward}
          </Menu.Item>
        )}
        {remove && !onlySection && (
          <DisableableMenuItem
            disabledReason={remove.disabledReason}
            color="red"
            icon={<IconTrash {...icon} />}
            onClick={() => remove.run(message)}
          >
            {words.remove}
          </DisableableMenuItem>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The width of the menu's first row, which is wider on touch screens. */
const menuWidth = () => (matchMedia('(pointer: coarse)').matches ? 340 : 270)

async function copyMessage(text: string, anchor: HTMLElement, copiedText: string): Promise<void> {
  if (await copyText(text, anchor)) toast.ok(copiedText)
}
