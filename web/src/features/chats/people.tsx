import { ActionIcon } from '@mantine/core'
import type { Chat } from '@recado/contract/chats'
import { IconMessageCircle } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { PersonAvatar } from '../../ui/person-avatar.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import classes from './chats.module.css'
import { texts } from './texts.ts'
import { useDirect } from './use-direct.ts'

/** Who reads this chat; from each name there is a way to them alone. */
export function People({ chat, me, onClose }: { chat: Chat; me: number; onClose: () => void }) {
  const words = useTexts(texts)
  const direct = useDirect()
  return (
    <Sheet opened onClose={onClose} title={words.details} size={420}>
      <ul className={classes.people}>
        {chat.users.map(({ userId, user }) => (
          <li key={userId}>
            <PersonAvatar id={userId} name={user.name} size={32} online={user.online} />
            <span>
              {user.name}
              {userId === me && ` (${words.you})`}
            </span>
            {userId === chat.ownerId && <small>{words.owner}</small>}
            {userId !== me && !chat.isDirect && (
              <ActionIcon
                aria-label={words.startWith(user.name)}
                onClick={() => {
                  onClose()
                  void direct(userId)
                }}
              >
                <IconMessageCircle size={18} stroke={1.75} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
