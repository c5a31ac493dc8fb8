import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowUpRight, IconX } from '@tabler/icons-react'
import { useTexts } from '../../lib/texts.ts'
import { Conversation } from '../../parts/conversation/conversation.tsx'
import { useSyncDrafts } from '../../parts/conversation/outgoing/draft-sync.ts'
import { usePinNews } from '../../parts/ticket/pins.ts'
import { useColumnWidth } from '../../parts/use-column-width.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import classes from './kanban.module.css'
import { kanbanTexts } from './texts.ts'
import { useTicketPane } from './use-ticket-pane.ts'

/** Below the minimum width the conversation does not fit, above the maximum the board does not. */
const paneWidth = { name: 'kanban-peek-width', narrowest: 360, widest: 760, usual: 432, side: 'right' } as const

type Props = { uuid: string; onClose: () => void; onOpenFullPage: (uuid: string) => void }

/** The conversation beside the board; users with permission can answer in it. */
export function TicketPane({ uuid, onClose, onOpenFullPage }: Props) {
  const words = useTexts(kanbanTexts)
  const { ticket, error, retry } = useTicketPane(uuid, onClose)
  const { width, edge } = useColumnWidth(paneWidth)
  usePinNews()
  useSyncDrafts()
  const aside = (
    <span className={classes.ways}>
      <Tooltip label={words.openWhole}>
        <ActionIcon size={28} aria-label={words.openWhole} onClick={() => onOpenFullPage(uuid)}>
          <IconArrowUpRight size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <ActionIcon size={28} aria-label={words.close} onClick={onClose}>
        <IconX size={18} stroke={1.75} />
      </ActionIcon>
    </span>
  )
  return (
    <aside className={classes.peek} style={{ width: width ?? paneWidth.usual }}>
      <hr aria-orientation="vertical" className={classes.edge} aria-label={words.edge} {...edge} />
      {ticket ? (
        <Conversation
          key={ticket.uuid}
          ticket={ticket}
          onOpenContact={() => onOpenFullPage(uuid)}
          headerExtra={aside}
        />
      ) : (
        <>
          <div className={classes.peekHead}>{aside}</div>
          {error && <ErrorState title={words.failed} error={error} onRetry={retry} />}
        </>
      )}
    </aside>
  )
}
