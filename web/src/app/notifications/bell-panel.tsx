import { Button, Skeleton } from '@mantine/core'
import { messagesApi } from '@recado/contract/messages'
import { noticesApi } from '@recado/contract/notices'
import type { Ticket } from '@recado/contract/tickets'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { dropNotices, noticePath, useNotices } from '../../parts/notices.ts'
import { changeTicketView } from '../../parts/ticket/ticket-view.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { bellPanelTexts } from './bell-panel-texts.ts'
import { BellRow } from './bell-row.tsx'
import { NoticeRow } from './notice-row.tsx'
import { NotificationSwitch } from './notification-switch.tsx'
import classes from './notifications.module.css'
import { unreadQueryKey, useUnreadTickets } from './use-unread-tickets.ts'

/** Tickets with unread messages, newest first, and the switch for system notifications on this device. */
export function BellPanel({ onNavigate }: { onNavigate: () => void }) {
  const words = useTexts(bellPanelTexts)
  const client = useQueryClient()
  const navigate = useNavigate()
  const me = useSession().user?.id ?? 0
  const { data: unread, isError } = useUnreadTickets()
  const notices = useNotices()
  const navigateTo = (path: string, sub?: 'open' | 'pending') => {
    if (sub) changeTicketView(me, { tab: 'open', sub, search: '' })
    void navigate({ href: path })
    onNavigate()
  }
  return (
    <>
      <div className={classes.head}>
        <h2 className={classes.title}>{words.unread}</h2>
        <MarkRead
          ownTickets={(unread ?? []).filter((ticket) => ticket.userId === me)}
          hasNotices={notices.length > 0}
        />
      </div>
      <div className={classes.list}>
        {!unread && isError && (
          <ErrorState
            title={words.failed}
            error={null}
            onRetry={() => void client.invalidateQueries({ queryKey: unreadQueryKey })}
          />
        )}
        {!unread && !isError && <BellSkeleton />}
        {unread?.length === 0 && notices.length === 0 && <EmptyState title={words.none} line={words.noneLine} />}
        {notices.map((notice) => (
          <NoticeRow key={`notice-${notice.id}`} notice={notice} onOpen={() => navigateTo(noticePath(notice))} />
        ))}
        {unread?.map((ticket) => (
          <BellRow
            key={ticket.id}
            ticket={ticket}
            onOpen={() => navigateTo(`/tickets/${ticket.uuid}`, ticket.status === 'pending' ? 'pending' : 'open')}
          />
        ))}
      </div>
      <NotificationSwitch userId={me} />
      <button type="button" className={classes.foot} onClick={() => navigateTo('/tickets')}>
        {words.allTickets}
      </button>
    </>
  )
}

/** A button that marks all as read. Pending tickets stay in the list, because reading does not accept them. */
function MarkRead({ ownTickets, hasNotices }: { ownTickets: Ticket[]; hasNotices: boolean }) {
  const words = useTexts(bellPanelTexts)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  if (ownTickets.length === 0 && !hasNotices) return null
  const markAll = async () => {
    setBusy(true)
    try {
      if (hasNotices) await callApi(noticesApi.read, { body: {} })
      dropNotices(client, () => true)
      // Loading the newest page marks the ticket as read on the server, which publishes it to the bell.
      for (const { id } of ownTickets)
        await callApi(messagesApi.list, { params: { ticketId: id }, query: { pageNumber: 1, markAsRead: true } })
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
  }
  return (
    <Button variant="subtle" color="gray" size="xs" loading={busy} onClick={() => void markAll()}>
      {words.markRead}
    </Button>
  )
}

const lines = [0, 1, 2]

function BellSkeleton() {
  return lines.map((line) => (
    <div key={line} className={classes.waiting}>
      <Skeleton height={12} width="60%" />
      <Skeleton height={12} mt={8} />
    </div>
  ))
}
