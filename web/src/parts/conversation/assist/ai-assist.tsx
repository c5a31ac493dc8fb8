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
import { displayLanguageName } from '../../../lib/language-name.ts'
import { formatKeyCaps } from '../../../lib/shortcut-keys.ts'
import { useAriaKeys, useShortcut } from '../../../lib/shortcuts.ts'
import { useLanguage, useTexts } from '../../../lib/texts.ts'
import { DisableableMenuItem } from '../../../ui/disableable-menu-item.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import box from '../../message/composer/composer.module.css'
import { useDraft } from '../../message/composer/drafts.ts'
import { draftKey } from '../outgoing/composer-keys.ts'
import classes from './ai-assist.module.css'
import { AssistStatusBar } from './assist-status-bar.tsx'
import { texts } from './texts.ts'
import { type AssistRequest, useAssistRequest } from './use-assist-request.ts'
import { useAssistState } from './use-assist-state.ts'

type Props = {
  ticket: Ticket
  /** The element above the text that shows the status of the AI request. */
  slotElement: HTMLElement | null
  /** Returns the focus to the composer. */
  onDone: () => void
}

/** Loaded after the composer, and rendered only if a prompt is marked for agents. */
export function AiAssist(props: Props) {
  const { on: isEnabled, language } = useAssistState(props.ticket.id, props.ticket.contactId)
  return isEnabled ? <AssistTools {...props} language={language} /> : null
}

const assistShortcuts = {
  suggest: 'F2',
  shorter: 'shift+F2',
  friendlier: 'F4',
  correct: 'F8',
  out: 'F9',
  in: 'shift+F9',
} as const

function AssistTools({ ticket, slotElement, onDone, language }: Props & { language: string | null }) {
  const words = useTexts(texts)
  const [reader] = useLanguage()
  // On a phone there is room for one button only: the menu.
  const phone = useIsPhone()
  const [draft] = useDraft(draftKey(ticket.id, 'reply'))
  const assist = useAssistRequest(ticket)
  const written = draft.trim() !== ''
  const working = assist.status?.phase === 'working'
  const want = (request: AssistRequest) => () => {
    onDone()
    if (working) assist.cancel()
    else void assist.start(request)
  }
  const requests = {
    suggest: want({ kind: 'suggest' }),
    shorter: want({ kind: 'rewrite', style: 'shorter' }),
    friendlier: want({ kind: 'rewrite', style: 'friendlier' }),
    correct: want({ kind: 'rewrite', style: 'correct' }),
    out: want({ kind: 'translate', direction: 'out' }),
    in: want({ kind: 'translate', direction: 'in' }),
  }
  const out = words.out(language && displayLanguageName(language, reader))
  const asTicket = { group: 'ticket' } as const
  useShortcut(assistShortcuts.suggest, requests.suggest, { ...asTicket, label: words.suggest })
  useShortcut(assistShortcuts.shorter, requests.shorter, {
    ...asTicket,
    label: `${words.rewrite}: ${words.shorter}`,
    isActive: written,
  })
  useShortcut(assistShortcuts.friendlier, requests.friendlier, {
    ...asTicket,
    label: `${words.rewrite}: ${words.friendlier}`,
    isActive: written,
  })
  useShortcut(assistShortcuts.correct, requests.correct, {
    ...asTicket,
    label: `${words.rewrite}: ${words.correct}`,
    isActive: written,
  })
  useShortcut(assistShortcuts.out, requests.out, {
    ...asTicket,
    label: `${words.translate}: ${out}`,
    isActive: written,
  })
  useShortcut(assistShortcuts.in, requests.in, { ...asTicket, label: `${words.translate}: ${words.in}` })
  const aria = useAriaKeys(assistShortcuts.suggest)
  const cannot = written ? '' : words.writeFirst
  return (
    <>
      {slotElement && createPortal(<AssistStatusBar {...assist} onDone={onDone} />, slotElement)}
      {!phone && (
        <Tooltip label={words.suggest}>
          <button
            type="button"
            className={box.tool}
            aria-label={words.suggest}
            aria-keyshortcuts={aria}
            onClick={requests.suggest}
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
          <DisableableMenuItem disabledReason="" icon={<IconMessage2Share {...icon} />} onClick={requests.suggest}>
            <WithShortcut keys={assistShortcuts.suggest}>{words.suggest}</WithShortcut>
          </DisableableMenuItem>
          <Menu.Label>{words.rewrite}</Menu.Label>
          <DisableableMenuItem disabledReason={cannot} icon={<IconTextDecrease {...icon} />} onClick={requests.shorter}>
            <WithShortcut keys={assistShortcuts.shorter}>{words.shorter}</WithShortcut>
          </DisableableMenuItem>
          <DisableableMenuItem disabledReason={cannot} icon={<IconMoodHeart {...icon} />} onClick={requests.friendlier}>
            <WithShortcut keys={assistShortcuts.friendlier}>{words.friendlier}</WithShortcut>
          </DisableableMenuItem>
          <DisableableMenuItem
            disabledReason={cannot}
            icon={<IconTextSpellcheck {...icon} />}
            onClick={requests.correct}
          >
            <WithShortcut keys={assistShortcuts.correct}>{words.correct}</WithShortcut>
          </DisableableMenuItem>
          <Menu.Label>{words.translate}</Menu.Label>
          <DisableableMenuItem disabledReason={cannot} icon={<IconLanguage {...icon} />} onClick={requests.out}>
            <WithShortcut keys={assistShortcuts.out}>{out}</WithShortcut>
          </DisableableMenuItem>
          <DisableableMenuItem disabledReason="" icon={<IconLanguage {...icon} />} onClick={requests.in}>
            <WithShortcut keys={assistShortcuts.in}>{words.in}</WithShortcut>
          </DisableableMenuItem>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const icon = { size: 16, stroke: 1.75 }

function WithShortcut({ keys: pressed, children }: { keys: string; children: ReactNode }) {
  return (
    <span className={classes.keyed}>
      <span>{children}</span>
      <kbd>{formatKeyCaps(pressed).join(' ')}</kbd>
    </span>
  )
}
