import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconArrowsExchange,
  IconCheck,
  IconClockPause,
  IconRotateClockwise2,
  IconSearch,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.tsx'
import { useAriaKeys } from '../../../lib/shortcuts.ts'
import { useTexts } from '../../../lib/texts.ts'
import { IconHintText } from '../../../ui/phone-bar/icon-hint-text.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { ContactAvatar } from '../../contact-avatar.tsx'
import { TickingGoalTimeLeft } from '../../ticket/goal-time-left.tsx'
import { resolveKeys } from '../../ticket/resolve-keys.ts'
import { snoozeTexts } from '../../ticket/snooze/texts.ts'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import { openSnoozeDialog, openTransferDialog } from '../../ticket/ticket-dialog-state.ts'
import { splitTemplate } from '../messages/system-lines.ts'
import type { Watcher } from '../messages/use-typing-and-watchers.ts'
import classes from './head.module.css'
import { headerTexts } from './header-texts.ts'
import { TicketMenu } from './ticket-menu.tsx'
import { Watchers } from './watchers.tsx'

const CustomerLanguage = lazy(() =>
  import('../assist/customer-language.tsx').then((module) => ({ default: module.CustomerLanguage })),
)

type Props = {
  ticket: Ticket
  watchers: Watcher[]
  onOpenContact: () => void
  onFind: () => void
  onBack?: (() => void) | undefined
  headerExtra?: ReactNode
}

export function ConversationHeader({ ticket, watchers, onOpenContact, onFind, onBack, headerExtra }: Props) {
  const words = useTexts(headerTexts)
  const phone = useIsPhone()
  const { contact } = ticket
  return (
    <header className={classes.head}>
      {onBack && (
        <ActionIcon size={40} aria-label={words.back} onClick={onBack}>
          <IconArrowLeft size={20} stroke={1.75} />
        </ActionIcon>
      )}
      <button type="button" className={classes.who} title={words.contact(contact.name)} onClick={onOpenContact}>
        <ContactAvatar contact={contact} isGroup={ticket.isGroup} />
        <span className={classes.words}>
          <span className={classes.line}>
            <span className={classes.name}>{contact.name}</span>
            <span className={classes.id}>#{formatNumber(ticket.number)}</span>
            {ticket.goals.length > 0 && <TickingGoalTimeLeft goals={ticket.goals} />}
          </span>
          <HeaderSubtitle ticket={ticket} isShort={phone} />
        </span>
      </button>
      {!phone && <Watchers people={watchers} />}
      <HeaderActions ticket={ticket} phone={phone} onFind={onFind} />
      {headerExtra}
    </header>
  )
}

/** The subtitle of the header: the assignee and the line. */
function HeaderSubtitle({ ticket, isShort }: { ticket: Ticket; isShort: boolean }) {
  const words = useTexts(headerTexts)
  const { plan } = useSession()
  const { status, user, whatsapp } = ticket
  const resolved = user ? words.resolvedBy : words.resolved
  const sentence = status === 'closed' ? resolved : user ? words.assigned : words.waiting
  return (
    <span className={classes.second}>
      {splitTemplate(sentence, { who: user?.name ?? '' }).map(({ text, strong }) =>
        strong ? <b key={text}>{text}</b> : text,
      )}
      {whatsapp && !isShort && ` · ${whatsapp.name}`}
      {plan?.useOpenAi && (
        <Suspense fallback={null}>
          <CustomerLanguage ticket={ticket} isShort={isShort} />
        </Suspense>
      )}
    </span>
  )
}

function HeaderActions({ ticket, phone, onFind }: { ticket: Ticket; phone: boolean; onFind: () => void }) {
  const words = useTexts(headerTexts)
  const snoozeWords = useTexts(snoozeTexts)
  const actions = useTicketActions()
  const [busy, setBusy] = useState(false)
  const run = (action: (ticket: Ticket) => Promise<unknown>) => () => {
    if (busy) return
    setBusy(true)
    void action(ticket).finally(() => setBusy(false))
  }
  const main = {
    pending: { word: words.accept, deed: actions.accept, Icon: IconCheck },
    open: { word: words.resolve, deed: (one: Ticket) => actions.resolve(one), Icon: IconCheck },
    closed: { word: words.reopen, deed: actions.reopen, Icon: IconRotateClockwise2 },
  }[ticket.status]
  const keys = {
    find: useAriaKeys('mod+f'),
    resolve: useAriaKeys(resolveKeys),
  }
  const icon = <main.Icon size={phone ? 20 : 16} stroke={2.2} />
  return (
    <div className={classes.deeds}>
      {!phone && (
        <Tooltip label={words.find}>
          <ActionIcon
            size={28}
            className={classes.find ?? ''}
            aria-label={words.find}
            aria-keyshortcuts={keys.find}
            onClick={onFind}
          >
            <IconSearch size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      {ticket.status === 'open' && !phone && (
        <Tooltip label={words.giveBack}>
          <ActionIcon size={28} aria-label={words.giveBack} onClick={run(actions.returnToQueue)}>
            <IconArrowBackUp size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      {ticket.status !== 'closed' && !phone && (
        <Tooltip label={snoozeWords.title}>
          <ActionIcon
            size={28}
            className={classes.find ?? ''}
            aria-label={snoozeWords.title}
            onClick={() => openSnoozeDialog(ticket)}
          >
            <IconClockPause size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
      {ticket.status !== 'closed' && !phone && (
        <Button
          size="xs"
          variant="default"
          className={classes.deed ?? ''}
          data-first
          leftSection={<IconArrowsExchange size={16} stroke={1.75} />}
          onClick={() => openTransferDialog(ticket)}
        >
          {words.transfer}
        </Button>
      )}
      {phone ? (
        <ActionIcon size={44} color="petrol" aria-label={main.word} onClick={run(main.deed)}>
          {icon}
          <IconHintText>{main.word}</IconHintText>
        </ActionIcon>
      ) : (
        <Button
          size="xs"
          variant="light"
          className={classes.deed ?? ''}
          leftSection={icon}
          aria-keyshortcuts={ticket.status === 'open' ? keys.resolve : undefined}
          onClick={run(main.deed)}
        >
          {main.word}
        </Button>
      )}
      <TicketMenu ticket={ticket} isSmall={phone} onFind={onFind} />
    </div>
  )
}
