import { Button, Checkbox, Modal } from '@mantine/core'
import type { Ticket } from '@recado/contract/tickets'
import type { TicketBatchAction } from '@recado/contract/tickets/ticket-batches'
import type { User } from '@recado/contract/users'
import { type CSSProperties, lazy, Suspense, useState } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import choices from '../../../parts/conversation/dialogs/choice-dialog.module.css'
import { moveFocus } from '../../../parts/conversation/dialogs/move-focus.ts'
import { PriorityDialog } from '../../../parts/conversation/dialogs/priority-dialog.tsx'
import { SnoozeDialog } from '../../../parts/conversation/dialogs/snooze-dialog.tsx'
import { UserSearch } from '../../../parts/conversation/dialogs/user-search.tsx'
import { useTags } from '../../../parts/select-option-queries.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import { SheetForm } from '../../../ui/sheet.tsx'
import type { BatchActionKind } from './checked-tickets.ts'
import classes from './selection-pane.module.css'
import { selectionTexts } from './texts.ts'

const MacroDialog = lazy(() => import('./macro-dialog.tsx'))

type Props = {
  kind: BatchActionKind
  tickets: Ticket[]
  onChoose: (action: TicketBatchAction) => void
  onClose: () => void
}

/** Asks what the action needs. */
export function SelectionDialog({ kind, tickets, onChoose, onClose }: Props) {
  const [first] = tickets
  if (!first) return null
  if (kind === 'assign') return <AssignDialog onChoose={onChoose} onClose={onClose} />
  if (kind === 'queue') return <QueueDialog onChoose={onChoose} onClose={onClose} />
  if (kind === 'tags') return <TagsDialog tickets={tickets} onChoose={onChoose} onClose={onClose} />
  if (kind === 'macro')
    return (
      <Suspense fallback={null}>
        <MacroDialog tickets={tickets} onClose={onClose} onChoose={(macroId) => onChoose({ kind: 'macro', macroId })} />
      </Suspense>
    )
  if (kind === 'priority')
    return (
      <PriorityDialog
        ticket={first}
        opened
        onClose={onClose}
        onChoose={(priority) => onChoose({ kind: 'priority', priority })}
      />
    )
  if (kind === 'snooze')
    return (
      <SnoozeDialog ticket={first} opened onClose={onClose} onSnooze={(how) => onChoose({ kind: 'snooze', ...how })} />
    )
  return null
}

type DialogProps = Pick<Props, 'onChoose' | 'onClose'>

function AssignDialog({ onChoose, onClose }: DialogProps) {
  const words = useTexts(selectionTexts)
  const [user, setUser] = useState<User | null>(null)
  return (
    <SheetForm
      opened
      onClose={onClose}
      size={300}
      title={words.assignTitle}
      submitLabel={words.assign}
      isBusy={false}
      disabled={user === null}
      onSubmit={() => user && onChoose({ kind: 'assign', userId: user.id })}
    >
      <UserSearch user={user} onChange={setUser} />
    </SheetForm>
  )
}

function QueueDialog({ onChoose, onClose }: DialogProps) {
  const words = useTexts(selectionTexts)
  const { data: queues = [], isPending } = useQueues()
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.queueTitle}
      size={320}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; these are buttons. */}
      <div role="group" aria-label={words.queueTitle} className={choices.choices} onKeyDown={moveFocus}>
        {queues.map(({ id, name, color }, i) => (
          <button
            key={id}
            type="button"
            className={choices.choice}
            data-autofocus={i === 0 || undefined}
            onClick={() => onChoose({ kind: 'queue', queueId: id })}
          >
            <span className={`${classes.dot} rc-dot`} style={{ '--c': color } as CSSProperties} />
            <span className={choices.word}>{name}</span>
          </button>
        ))}
        {queues.length === 0 && !isPending && <p className={classes.about}>{words.noQueues}</p>}
      </div>
    </Modal>
  )
}

/** Tags with three states: on all, on some or on none of the tickets. Untouched ones stay as they are. */
function TagsDialog({ tickets, onChoose, onClose }: DialogProps & { tickets: Ticket[] }) {
  const words = useTexts(selectionTexts)
  const { data: tags = [], isPending } = useTags()
  const [touched, setTouched] = useState<ReadonlyMap<number, boolean>>(new Map())
  const countOf = (id: number) => tickets.filter((ticket) => ticket.tags.some((tag) => tag.id === id)).length
  const listed = tags.filter(({ kanban }) => kanban !== 1)
  const apply = () => {
    const ids = (isOn: boolean) => [...touched].flatMap(([id, on]) => (on === isOn ? [id] : []))
    onChoose({ kind: 'tags', add: ids(true), remove: ids(false) })
  }
  return (
    <Modal opened onClose={onClose} title={words.tagsTitle} size={360} closeButtonProps={{ 'aria-label': words.close }}>
      {/* biome-ignore lint/a11y/useSemanticElements: the dialog's title is the legend. */}
      <div role="group" aria-label={words.tagsTitle} className={classes.tags} onKeyDown={moveFocus}>
        {listed.map(({ id, name, color }, i) => {
          const count = countOf(id)
          const on = touched.get(id) ?? count === tickets.length
          return (
            <div key={id} className={classes.tagRow}>
              <Checkbox
                data-autofocus={i === 0 || undefined}
                checked={on}
                indeterminate={!touched.has(id) && count > 0 && count < tickets.length}
                onChange={() => setTouched(new Map([...touched, [id, !on]]))}
                label={
                  <span className={`${classes.tag} rc-tint`} style={{ '--c': color } as CSSProperties}>
                    {name}
                  </span>
                }
              />
              {count > 0 && !touched.has(id) && (
                <span className={classes.reason}>{words.tagCount(count, tickets.length)}</span>
              )}
            </div>
          )
        })}
        {listed.length === 0 && !isPending && <p className={classes.about}>{words.noTags}</p>}
      </div>
      <div className={classes.dialogFoot}>
        <Button disabled={touched.size === 0} onClick={apply}>
          {words.apply}
        </Button>
      </div>
    </Modal>
  )
}
