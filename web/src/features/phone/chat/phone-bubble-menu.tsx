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
  write: (action: PhoneAction) => void
  onSelectSubject: (targetRef: ComposerSubject) => void
}

/** All actions WhatsApp offers a customer on a message. */
export function PhoneBubbleMenu({ message, isOwn, write, onSelectSubject }: Props) {
  const words = useTexts(texts)
  const icon = { size: 16, stroke: 1.75 }
  const targetRef = { targetId: message.id }
  const canEdit = isOwn && message.kind === 'text'
  return (
    <Menu position={isOwn ? 'bottom-end' : 'bottom-start'} width={252} keepMounted={false}>
      <Menu.Target>
        <button type="button" className={classes.more} aria-label={words.actions}>
          <IconChevronDown size={16} stroke={2} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <QuickReactions
          ownReaction={message.reaction ?? ''}
          disabledReason=""
          onReact={(emoji) => write({ kind: 'reaction', body: emoji, ...targetRef })}
        />
        <Menu.Item
          leftSection={<IconArrowBackUp {...icon} />}
          onClick={() => onSelectSubject({ action: 'reply', message })}
        >
          {words.reply}
        </Menu.Item>
        {canEdit && (
          <Menu.Item
            leftSection={<IconPencil {...icon} />}
            onClick={() => onSelectSubject({ action: 'edit', message })}
          >
            {words.edit}
          </Menu.Item>
        )}
        {isOwn && (
          <Menu.Item leftSection={<IconTrash {...icon} />} onClick={() => write({ kind: 'delete', ...targetRef })}>
            {words.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
