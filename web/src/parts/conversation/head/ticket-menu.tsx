import { ActionIcon, Menu } from '@mantine/core'
import { conversationExportFormats } from '@recado/contract/api-access/export-and-erasure'
import type { Ticket } from '@recado/contract/tickets'
import { canLeadQueues } from '@recado/contract/visibility'
import {
  IconArrowBackUp,
  IconArrowsExchange,
  IconCalendarEvent,
  IconCheck,
  IconClockPause,
  IconDotsVertical,
  IconFileExport,
  IconHelpCircle,
  IconMailOpened,
  IconPin,
  IconPinnedOff,
  IconSearch,
  IconSitemap,
  IconTrash,
} from '@tabler/icons-react'
import { lazy, Suspense, use } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { ScreenHelpContext } from '../../../ui/phone-bar/screen-help-context.ts'
import { usePinnedIds } from '../../ticket/pins.ts'
import { PriorityMark } from '../../ticket/priority-mark.tsx'
import { priorityTexts } from '../../ticket/priority-texts.ts'
import { formatReturn } from '../../ticket/snooze/format-return.ts'
import { snoozeTexts } from '../../ticket/snooze/texts.ts'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import {
  openPriorityDialog,
  openScheduleDialog,
  openSnoozeDialog,
  openStartFlowDialog,
  openTransferDialog,
} from '../../ticket/ticket-dialog-state.ts'
import { useStartableFlows } from '../../ticket/use-startable-flows.ts'
import { startFlowTexts } from '../dialogs/start-flow-texts.ts'
import { ticketDialogTexts } from '../dialogs/texts.ts'

const SummaryMenuItems = lazy(() =>
  import('../assist/summary-menu-items.tsx').then((module) => ({ default: module.SummaryMenuItems })),
)

type Props = {
  ticket: Ticket
  /** Set on a phone, where the header has no room for two of the actions. */
  isSmall?: boolean
  onFind: () => void
}

/** Further actions on the open ticket, behind three dots. */
export function TicketMenu({ ticket, isSmall, onFind }: Props) {
  const words = useTexts(ticketDialogTexts)
  const marks = useTexts(priorityTexts)
  const snoozeWords = useTexts(snoozeTexts)
  const flowWords = useTexts(startFlowTexts)
  const isPinned = usePinnedIds().has(ticket.id)
  const actions = useTicketActions()
  const mayDelete = useCan()('ticket-options:deleteTicket')
  const { plan, user } = useSession()
  const living = ticket.status !== 'closed'
  // Whoever may write in the conversation; one that waits may be started by anybody who sees it.
  const mayWrite = ticket.status === 'pending' || ticket.userId === user?.id || (user && canLeadQueues(user))
  const { data: startable } = useStartableFlows(living)
  const canStartFlow = living && mayWrite && startable !== undefined && startable.length > 0
  const openHelp = use(ScreenHelpContext)
  const icon = { size: 18, stroke: 1.75 }
  return (
    <Menu position="bottom-end" width={264}>
      <Menu.Target>
        <ActionIcon size={isSmall ? 40 : 28} aria-label={words.more} title={words.more}>
          <IconDotsVertical {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconSearch {...icon} />} onClick={onFind}>
          {words.find}
        </Menu.Item>
        {living && (
          <Menu.Item leftSection={<IconArrowsExchange {...icon} />} onClick={() => openTransferDialog(ticket)}>
            {words.transfer}
          </Menu.Item>
        )}
        {living && (
          <>
            <Menu.Item leftSection={<IconClockPause {...icon} />} onClick={() => openSnoozeDialog(ticket)}>
              {ticket.snooze?.until ? snoozeWords.backAt(formatReturn(ticket.snooze.until)) : snoozeWords.title}
            </Menu.Item>
            <Menu.Item
              leftSection={<PriorityMark priority={ticket.priority} size={18} />}
              onClick={() => openPriorityDialog(ticket)}
            >
              {marks.title}: {marks.names[ticket.priority]}
            </Menu.Item>
            <Menu.Item
              leftSection={isPinned ? <IconPinnedOff {...icon} /> : <IconPin {...icon} />}
              onClick={() => void actions.setPinned(ticket, !isPinned)}
            >
              {isPinned ? marks.unpin : marks.pin}
            </Menu.Item>
          </>
        )}
        {canStartFlow && (
          <Menu.Item leftSection={<IconSitemap {...icon} />} onClick={() => openStartFlowDialog(ticket)}>
            {flowWords.title}
          </Menu.Item>
        )}
        {living && plan?.useSchedules && (
          <Menu.Item leftSection={<IconCalendarEvent {...icon} />} onClick={() => openScheduleDialog(ticket)}>
            {words.schedule}
          </Menu.Item>
        )}
        {plan?.useOpenAi && (
          <Suspense fallback={null}>
            <SummaryMenuItems ticket={ticket} />
          </Suspense>
        )}
        {isSmall && ticket.status === 'open' && (
          <Menu.Item leftSection={<IconArrowBackUp {...icon} />} onClick={() => void actions.returnToQueue(ticket)}>
            {words.returnToQueue}
          </Menu.Item>
        )}
        {ticket.status === 'open' && ticket.userId === user?.id && (
          <Menu.Item leftSection={<IconMailOpened {...icon} />} onClick={() => void actions.markUnread(ticket)}>
            {words.markUnread}
          </Menu.Item>
        )}
        {living && (
          <Menu.Item
            leftSection={<IconCheck {...icon} />}
            onClick={() => void actions.resolve(ticket, { justClose: true })}
          >
            {words.closeQuietly}
          </Menu.Item>
        )}
        {isSmall && openHelp && (
          <Menu.Item leftSection={<IconHelpCircle {...icon} />} onClick={openHelp}>
            {words.help}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Label>{words.exportHead}</Menu.Label>
        {conversationExportFormats.map((format) => (
          <Menu.Item
            key={format}
            leftSection={<IconFileExport {...icon} />}
            onClick={() =>
              void import('../dialogs/export-conversation.ts').then((m) => m.exportConversation(ticket, format))
            }
          >
            {{ pdf: words.exportPdf, html: words.exportHtml, text: words.exportText }[format]}
          </Menu.Item>
        ))}
        {mayDelete && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => void actions.remove(ticket)}>
              {words.remove}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
