import { Popover } from '@mantine/core'
import type { Tag } from '@recado/contract/tags'
import { type Ticket, ticketsApi } from '@recado/contract/tickets'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, lazy, Suspense, useRef, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { updateOptimistically } from '../../ticket/ticket-cache.ts'
import classes from './head.module.css'
import { headerTexts } from './header-texts.ts'

const TagPicker = lazy(() => import('./tag-picker.tsx').then((module) => ({ default: module.TagPicker })))

type TicketTag = Ticket['tags'][number]

/** The ticket's queue and tags. */
export function TagsBar({ ticket }: { ticket: Ticket }) {
  const words = useTexts(headerTexts)
  const [open, setOpen] = useState(false)
  const setTags = useTicketTags(ticket)
  const { queue, tags } = ticket
  const add = ({ id, name, color, kanban }: Tag) =>
    void setTags((now) => [...now.filter((one) => one.id !== id), { id, name, color, kanban }])
  return (
    <div className={classes.tags}>
      <span className={classes.queue}>
        <span
          className={`${classes.dot} ${queue ? 'rc-dot' : classes.noQueue}`}
          {...(queue && { style: { '--c': queue.color } as CSSProperties })}
        />
        {queue?.name ?? words.noQueue}
      </span>
      <span className={classes.rule} />
      {tags.map((tag) => (
        <span key={tag.id} className={`${classes.tag} rc-tint`} style={{ '--c': tag.color } as CSSProperties}>
          {tag.name}
          <button
            type="button"
            className={classes.drop}
            aria-label={words.removeTag(tag.name)}
            onClick={() => void setTags((now) => now.filter((one) => one.id !== tag.id))}
          >
            <IconX size={14} stroke={2} aria-hidden="true" />
          </button>
        </span>
      ))}
      <Popover opened={open} onChange={setOpen} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button type="button" className={classes.add} aria-label={words.addTag} onClick={() => setOpen(!open)}>
            <IconPlus size={14} stroke={1.75} aria-hidden="true" />
            {words.tag}
          </button>
        </Popover.Target>
        <Popover.Dropdown className={classes.picker ?? ''}>
          <Suspense fallback={null}>{open && <TagPicker assignedTags={tags} onPick={add} />}</Suspense>
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

/**
 * Changes tags optimistically; the server's response is final. Several changes are sent one after another, and each
 * contains the previous changes, because a call replaces the whole list.
 */
function useTicketTags(ticket: Ticket) {
  const client = useQueryClient()
  const { user } = useSession()
  const pendingRef = useRef<{ tags: TicketTag[] | null; changeCount: number; lastCall: Promise<unknown> }>({
    tags: null,
    changeCount: 0,
    lastCall: Promise.resolve(),
  })
  return async (change: (tags: TicketTag[]) => TicketTag[]): Promise<void> => {
    if (!user) return
    const { current } = pendingRef
    const tags = change(current.tags ?? ticket.tags)
    const changeNumber = ++current.changeCount
    current.tags = tags
    const optimistic = updateOptimistically(client, user, ticket, { tags })
    const call = current.lastCall.then(() => callApi(ticketsApi.syncTags, { body: { ticketId: ticket.id, tags } }))
    current.lastCall = call.catch(() => undefined)
    try {
      optimistic.confirm(await call)
    } catch (error) {
      optimistic.revert()
      toast.error(error)
    } finally {
      if (changeNumber === current.changeCount) current.tags = null
    }
  }
}
