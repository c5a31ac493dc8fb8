import { Menu } from '@mantine/core'
import type { SandboxPhoneMessage } from '@recado/contract/sandbox'
import { IconArrowBackUp, IconChevronDown, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTexts } from '../../../lib/texts.ts'
import { QuickReactions } from '../../../parts/message/reactions/quick-reactions.tsx'
import { texts } from '../texts.ts'
import type { ComposerSubject } from './composer-subject.ts'
import classes from './phone-message-bubble.module.css'
import type { PhoneAction } from './use-send-as-customer.ts'

type Props = {
  message: SandboxPhoneMessage
  isOwn: boolean
  write: (deed: PhoneAction) => void
  onSelectSubject: (about: ComposerSubject) => void
}

/** All actions WhatsApp offers a customer on a message. */
export function PhoneBubbleMenu({ message, isOwn: mine, write, onSelectSubject: onAbout }: Props) {
  const words = useTexts(texts)
  const icon = { size: 16, stroke: 1.75 }
  const about = { targetId: message.id }
  const mayEdit = mine && message.kind === 'text'
  return (
    <Menu position={mine ? 'bottom-end' : 'bottom-start'} width={252} keepMounted={false}>
      <Menu.Target>
        <button type="button" className={classes.more} aria-label={words.actions}>
          <IconChevronDown size={16} stroke={2} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <QuickReactions
          ownReaction={message.reaction ?? ''}
          disabledReason=""
          onReact={(emoji) => write({ kind: 'reaction', body: emoji, ...about })}
        />
        <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => onAbout({ action: 'reply', message })}>
          {words.reply}
        </Menu.Item>
        {mayEdit && (
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onAbout({ action: 'edit', message })}>
            {words.edit}
          </Menu.Item>
        )}
        {mine && (
          <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => write({ kind: 'delete', ...about })}>
            {words.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
