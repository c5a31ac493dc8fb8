import type { ClosingForm } from '@recado/contract/tickets/closing'
import type { TicketBatchAction } from '@recado/contract/tickets/ticket-batches'
import {
  IconCheck,
  IconClockPause,
  IconDots,
  IconFlag,
  IconHierarchy3,
  IconMessage2Heart,
  IconStack2,
  IconTags,
  IconUserCheck,
} from '@tabler/icons-react'
import { type CSSProperties, lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { ContactAvatar } from '../../../parts/contact-avatar.tsx'
import { useFocusReturn } from '../../../parts/conversation/dialogs/use-focus-return.ts'
import { mergeClosingForms, useClosingForms } from '../../../parts/ticket/closing/closing-forms.ts'
import { BatchProgress, BatchResult } from './batch-progress.tsx'
import {
  type BatchActionKind,
  type CheckedTickets,
  clearChecked,
  requestBatchAction,
  useCheckedTickets,
} from './checked-tickets.ts'
import { SelectionDialog } from './selection-dialogs.tsx'
import classes from './selection-pane.module.css'
import { selectionTexts } from './texts.ts'
import { useTicketBatch } from './use-ticket-batch.ts'

const ResolveDialog = lazy(() =>
  import('../../../parts/conversation/dialogs/resolve-dialog.tsx').then((m) => ({ default: m.ResolveDialog })),
)

const actionKinds = ['assign', 'queue', 'tags', 'priority', 'snooze', 'macro', 'resolve'] as const
const actionIcons = {
  assign: IconUserCheck,
  queue: IconHierarchy3,
  tags: IconTags,
  priority: IconFlag,
  snooze: IconClockPause,
  macro: IconStack2,
  resolve: IconCheck,
  farewell: IconMessage2Heart,
}
const actionKeys: Record<BatchActionKind, string> = {
  assign: 'A',
  queue: 'Q',
  tags: 'L',
  priority: 'P',
  snooze: 'H',
  macro: 'M',
  resolve: 'E',
  farewell: '⇧E',
}

/** The actions on the checked tickets, their progress and their result: beside the list, or at its foot on a phone. */
export function SelectionPane({ isBar = false }: { isBar?: boolean }) {
  const checked = useCheckedTickets()
  const { tickets, requested, batchId, isPaneOpen } = checked
  const { batch, start, stop, undo } = useTicketBatch(batchId)
  const forms = useFormsOfChecked(checked)
  const run = useEffectEvent((action: TicketBatchAction) => void start(action))
  const isAsking = requested !== null && (requested !== 'resolve' || forms.length > 0)
  useEffect(() => {
    if (requested !== 'resolve' || isAsking) return
    requestBatchAction(null)
    run({ kind: 'resolve' })
  }, [requested, isAsking])
  const isRunning = batch?.state === 'running' || batch?.state === 'undoing'
  const content = isRunning ? (
    <BatchProgress batch={batch} onStop={() => void stop(batch.id)} />
  ) : batch ? (
    <BatchResult batch={batch} tickets={tickets} onUndo={() => void undo(batch.id)} onClose={clearChecked} />
  ) : isBar ? (
    <ActionBar />
  ) : (
    <SelectionSummary checked={checked} />
  )
  return (
    <>
      {(isBar || isPaneOpen) && <div className={isBar ? classes.bar : classes.pane}>{content}</div>}
      {requested && isAsking && !isRunning && (
        <RequestedDialog key={requested} kind={requested} checked={checked} forms={forms} onStart={start} />
      )}
    </>
  )
}

/** What the queues of the checked tickets ask when they are closed; of a whole list, what any queue asks. */
function useFormsOfChecked({ tickets, wholeList }: CheckedTickets): ClosingForm[] {
  const forms = useClosingForms()
  const queueIds = new Set([...tickets.values()].map(({ queueId }) => queueId))
  return wholeList ? forms : forms.filter(({ queueId }) => queueIds.has(queueId))
}

function RequestedDialog({
  kind,
  checked: { tickets, wholeList },
  forms,
  onStart,
}: {
  kind: BatchActionKind
  checked: CheckedTickets
  forms: ClosingForm[]
  onStart: (action: TicketBatchAction) => Promise<void>
}) {
  const returnFocus = useFocusReturn()
  const close = () => {
    requestBatchAction(null)
    returnFocus()
  }
  const choose = (action: TicketBatchAction) => {
    close()
    void onStart(action)
  }
  if (kind === 'resolve' || kind === 'farewell')
    return (
      <Suspense fallback={null}>
        <ResolveDialog
          ticket={Number(wholeList?.count ?? tickets.size) || tickets.size}
          form={mergeClosingForms(forms)}
          opened
          onClose={close}
          onAnswer={({ justClose: _, ...answer }) => choose({ kind: 'resolve', ...answer })}
        />
      </Suspense>
    )
  return <SelectionDialog kind={kind} tickets={[...tickets.values()]} onChoose={choose} onClose={close} />
}

const maxFaces = 5

/** Who was checked and where they are, and the actions with their keys. */
function SelectionSummary({ checked: { tickets, wholeList } }: { checked: CheckedTickets }) {
  const words = useTexts(selectionTexts)
  const all = [...tickets.values()]
  const count = wholeList?.count ?? all.length
  const queues = [...Map.groupBy(all, ({ queueId }) => queueId).values()]
  return (
    <div className={classes.block}>
      <div className={classes.faces} aria-hidden="true">
        {all.slice(0, maxFaces).map(({ id, contact, isGroup }) => (
          <ContactAvatar key={id} contact={contact} size={40} isGroup={isGroup} />
        ))}
        {all.length > maxFaces && <span className={classes.moreFaces}>+{all.length - maxFaces}</span>}
      </div>
      <h2 className={classes.title}>{words.title(count)}</h2>
      {!wholeList && (
        <ul className={classes.queues}>
          {queues.map((some) => {
            const queue = some[0]?.queue
            return (
              <li key={queue?.id ?? 0}>
                <span
                  className={queue ? `${classes.dot} rc-dot` : classes.dot}
                  style={queue ? ({ '--c': queue.color } as CSSProperties) : undefined}
                />
                {queue?.name ?? words.noQueue} <strong>{some.length}</strong>
              </li>
            )
          })}
        </ul>
      )}
      <div className={classes.actions}>
        {actionKinds.map((kind) => (
          <div key={kind} className={classes.actionRow}>
            <ActionButton kind={kind} />
            {kind === 'resolve' && (
              <button
                type="button"
                className={classes.aside}
                aria-label={words.actions.farewell}
                title={`${words.actions.farewell} (${actionKeys.farewell})`}
                onClick={() => requestBatchAction('farewell')}
              >
                <IconMessage2Heart size={20} stroke={1.75} aria-hidden="true" />
              </button>
            )}
          </div>
        ))}
      </div>
      <p className={classes.about}>{words.foot}</p>
    </div>
  )
}

function ActionButton({ kind }: { kind: BatchActionKind }) {
  const words = useTexts(selectionTexts)
  const Icon = actionIcons[kind]
  return (
    <button type="button" className={classes.action} onClick={() => requestBatchAction(kind)}>
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <span className={classes.words}>{words.actions[kind]}</span>
      <span className={classes.key} aria-hidden="true">
        {actionKeys[kind]}
      </span>
    </button>
  )
}

/** Four actions and the rest, within reach of the thumb. */
function ActionBar() {
  const words = useTexts(selectionTexts)
  const [hasMore, setHasMore] = useState(false)
  return (
    <>
      {hasMore && (
        <div className={classes.barMore}>
          {(['queue', 'priority', 'macro', 'farewell'] as const).map((kind) => (
            <ActionButton key={kind} kind={kind} />
          ))}
        </div>
      )}
      <div className={classes.barActions}>
        {(['assign', 'tags', 'snooze', 'resolve'] as const).map((kind) => {
          const Icon = actionIcons[kind]
          return (
            <button key={kind} type="button" className={classes.barAction} onClick={() => requestBatchAction(kind)}>
              <Icon size={22} stroke={1.75} aria-hidden="true" />
              {words.short[kind]}
            </button>
          )
        })}
        <button
          type="button"
          className={classes.barAction}
          aria-expanded={hasMore}
          onClick={() => setHasMore(!hasMore)}
        >
          <IconDots size={22} stroke={1.75} aria-hidden="true" />
          {words.short.more}
        </button>
      </div>
    </>
  )
}
