import { Menu, Tooltip } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import {
  IconChevronDown,
  IconLanguage,
  IconMessage2Share,
  IconMoodHeart,
  IconSparkles,
  IconTextDecrease,
  IconTextSpellcheck,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { languageName } from '../../../lib/language-name.ts'
import { keyCaps } from '../../../lib/shortcut-keys.ts'
import { useAriaKeys, useShortcut } from '../../../lib/shortcuts.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { AbleItem } from '../../../ui/able-item.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import box from '../../message/box/box.module.css'
import { useDraft } from '../../message/box/drafts.ts'
import { draftOf } from '../outgoing/places.ts'
import classes from './assist.module.css'
import { Strip } from './strip.tsx'
import { texts } from './texts.ts'
import { useAssistState } from './use-assist-state.ts'
import { useHelp, type Wish } from './use-help.ts'

type Props = {
  ticket: Ticket
  /** Above the text, where it shows what it is doing. */
  slot: HTMLElement | null
  /** The keys go back to the box. */
  onDone: () => void
}

/** Loaded after the box, and drawn only where a prompt is marked for agents. */
export function Assist(props: Props) {
  const { on, language } = useAssistState(props.ticket.id, props.ticket.contactId)
  return on ? <Helper {...props} language={language} /> : null
}

const keys = {
  suggest: 'F2',
  shorter: 'shift+F2',
  friendlier: 'F4',
  correct: 'F8',
  out: 'F9',
  in: 'shift+F9',
} as const

function Helper({ ticket, slot, onDone, language }: Props & { language: string | null }) {
  const words = useTexts(texts)
  const [reader] = useLanguage()
  // There is room for one button: the menu.
  const phone = usePhone()
  const [draft] = useDraft(draftOf(ticket.id, 'reply'))
  const hands = useHelp(ticket)
  const written = draft.trim() !== ''
  const working = hands.help?.phase === 'working'
  const want = (wish: Wish) => () => {
    onDone()
    if (working) hands.cancel()
    else void hands.start(wish)
  }
  const wishes = {
    suggest: want({ kind: 'suggest' }),
    shorter: want({ kind: 'rewrite', manner: 'shorter' }),
    friendlier: want({ kind: 'rewrite', manner: 'friendlier' }),
    correct: want({ kind: 'rewrite', manner: 'correct' }),
    out: want({ kind: 'translate', way: 'out' }),
    in: want({ kind: 'translate', way: 'in' }),
  }
  const out = words.out(language && languageName(language, reader))
  const asTicket = { group: 'ticket' } as const
  useShortcut(keys.suggest, wishes.suggest, { ...asTicket, label: words.suggest })
  useShortcut(keys.shorter, wishes.shorter, { ...asTicket, label: `${words.rewrite}: ${words.shorter}`, when: written })
  useShortcut(keys.friendlier, wishes.friendlier, {
    ...asTicket,
    label: `${words.rewrite}: ${words.friendlier}`,
    when: written,
  })
  useShortcut(keys.correct, wishes.correct, { ...asTicket, label: `${words.rewrite}: ${words.correct}`, when: written })
  useShortcut(keys.out, wishes.out, { ...asTicket, label: `${words.translate}: ${out}`, when: written })
  useShortcut(keys.in, wishes.in, { ...asTicket, label: `${words.translate}: ${words.in}` })
  const aria = useAriaKeys(keys.suggest)
  const cannot = written ? '' : words.writeFirst
  return (
    <>
      {slot && createPortal(<Strip {...hands} onDone={onDone} />, slot)}
      {!phone && (
        <Tooltip label={words.suggest}>
          <button
            type="button"
            className={box.tool}
            aria-label={words.suggest}
            aria-keyshortcuts={aria}
            onClick={wishes.suggest}
          >
            <IconSparkles size={18} stroke={1.75} />
          </button>
        </Tooltip>
      )}
      <Menu position="top-start" width={300} returnFocus={false}>
        <Menu.Target>
          <button
            type="button"
            className={phone ? box.tool : `${box.tool} ${classes.more}`}
            aria-label={words.help}
            title={words.help}
          >
            {phone ? <IconSparkles size={18} stroke={1.75} /> : <IconChevronDown size={14} stroke={1.75} />}
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <AbleItem cannot="" icon={<IconMessage2Share {...icon} />} onClick={wishes.suggest}>
            <Keyed keys={keys.suggest}>{words.suggest}</Keyed>
          </AbleItem>
          <Menu.Label>{words.rewrite}</Menu.Label>
          <AbleItem cannot={cannot} icon={<IconTextDecrease {...icon} />} onClick={wishes.shorter}>
            <Keyed keys={keys.shorter}>{words.shorter}</Keyed>
          </AbleItem>
          <AbleItem cannot={cannot} icon={<IconMoodHeart {...icon} />} onClick={wishes.friendlier}>
            <Keyed keys={keys.friendlier}>{words.friendlier}</Keyed>
          </AbleItem>
          <AbleItem cannot={cannot} icon={<IconTextSpellcheck {...icon} />} onClick={wishes.correct}>
            <Keyed keys={keys.correct}>{words.correct}</Keyed>
          </AbleItem>
          <Menu.Label>{words.translate}</Menu.Label>
          <AbleItem cannot={cannot} icon={<IconLanguage {...icon} />} onClick={wishes.out}>
            <Keyed keys={keys.out}>{out}</Keyed>
          </AbleItem>
          <AbleItem cannot="" icon={<IconLanguage {...icon} />} onClick={wishes.in}>
            <Keyed keys={keys.in}>{words.in}</Keyed>
          </AbleItem>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const icon = { size: 16, stroke: 1.75 }

function Keyed({ keys: pressed, children }: { keys: string; children: ReactNode }) {
  return (
    <span className={classes.keyed}>
      <span>{children}</span>
      <kbd>{keyCaps(pressed).join(' ')}</kbd>
    </span>
  )
}
