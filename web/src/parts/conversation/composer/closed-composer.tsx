import type { Ticket } from '@recado/contract/tickets'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../../lib/can.tsx'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../../message/composer/composer.module.css'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import { openTemplateDialog } from '../../ticket/ticket-dialog-state.ts'
import type { ComposerBlock } from './composer-block.ts'
import { texts } from './texts.ts'

type Props = { ticket: Ticket; block: ComposerBlock; onWriteNote: () => void }

/** Why no answer can be written now, and what to do. A note is always possible. */
export function ClosedComposer({ ticket, block, onWriteNote }: Props) {
  const words = useTexts(texts)
  const runsLines = useCan()('connections-page:actionButtons')
  const said =
    block === 'theirs' ? { title: words.theirs(ticket.user?.name ?? ''), line: words.theirsLine } : words.why[block]
  const line = block === 'lineDown' && !runsLines ? words.askAdmin : said.line
  return (
    <section className={`${classes.box} ${classes.closed}`} aria-label={words.composer}>
      <IconLock size={18} stroke={1.75} aria-hidden="true" />
      <div className={classes.reason}>
        <b>{said.title}</b>
        <span>{line}</span>
      </div>
      <div className={classes.ways}>
        <button
          type="button"
          className={classes.way}
          data-quiet={block === 'theirs' ? undefined : true}
          onClick={onWriteNote}
        >
          {words.writeNote}
        </button>
        <UnblockAction ticket={ticket} block={block} />
      </div>
    </section>
  )
}

function UnblockAction({ ticket, block }: { ticket: Ticket; block: ComposerBlock }) {
  const words = useTexts(texts)
  const actions = useTicketActions()
  const runsLines = useCan()('connections-page:actionButtons')
  const [busy, setBusy] = useState(false)
  const press = async (act: (ticket: Ticket) => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    await act(ticket)
    setBusy(false)
  }
  if (block === 'pending' || block === 'nobody' || block === 'resolved') {
    const act = block === 'resolved' ? actions.reopen : actions.accept
    return (
      <button type="button" className={classes.way} aria-disabled={busy} onClick={() => void press(act)}>
        {block === 'resolved' ? words.reopen : words.accept}
      </button>
    )
  }
  if (block === 'windowOver' || block === 'neverWrote') {
    return (
      <button type="button" className={classes.way} onClick={() => openTemplateDialog(ticket)}>
        {words.chooseTemplate}
      </button>
    )
  }
  if (block === 'theirs' || !runsLines) return null
  return (
    <Link to="/connections" className={classes.way}>
      {words.lines}
    </Link>
  )
}
