import { Menu } from '@mantine/core'
import { canLeadQueues } from '@recado/contract/visibility'
import { IconCheck, IconChevronDown, IconFilter } from '@tabler/icons-react'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import type { TicketOrder } from '../../../parts/ticket/ticket-filter.ts'
import { showsAllOpen, useTicketView } from '../../../parts/ticket/ticket-view.ts'
import popover from '../filters/filter-popover.module.css'
import { FilterPopover } from '../filters/filter-popover.tsx'
import { ticketListTexts } from './texts.ts'
import classes from './ticket-list-options.module.css'

/** Queue filter, order, and whether to show everyone's tickets. */
export function TicketListOptions({ onCreateView }: { onCreateView?: () => void }) {
  const words = useTexts(ticketListTexts)
  const [view, changeView] = useTicketView()
  const { user } = useSession()
  if (!user) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend.
    <div className={classes.root} role="group" aria-label={words.options}>
      <QueueFilter />
      {view.tab === 'open' && view.sub !== 'snoozed' && (
        <>
          <span className={classes.dot} aria-hidden="true">
            ·
          </span>
          <OrderMenu
            order={view.order === 'snoozed' ? 'newest' : view.order}
            opensNext={view.opensNext}
            onChange={changeView}
            onCreateView={onCreateView}
          />
        </>
      )}
      <span className={classes.gap} />
      {view.tab === 'open' && view.sub === 'open' && canLeadQueues(user) && (
        <label className={classes.switch}>
          <input
            type="checkbox"
            role="switch"
            checked={showsAllOpen(view, user)}
            aria-checked={showsAllOpen(view, user)}
            onChange={(event) => changeView({ showAll: event.currentTarget.checked })}
          />
          <i aria-hidden="true" />
          {words.showAll}
        </label>
      )}
    </div>
  )
}

export function QueueFilter() {
  const words = useTexts(ticketListTexts)
  const [view, changeView] = useTicketView()
  const { user } = useSession()
  const queues = user?.queues ?? []
  const selectedQueueIds = view.queueIds?.filter((id) => queues.some((queue) => queue.id === id)) ?? []
  const some = selectedQueueIds.length > 0 && selectedQueueIds.length < queues.length
  return (
    <FilterPopover
      label={words.queueFilter}
      summary={some ? words.queues(selectedQueueIds.length) : words.allQueues}
      shortSummary={some ? undefined : words.queuesInShort}
      icon={IconFilter}
      choices={queues}
      selectedIds={selectedQueueIds}
      onChange={(ids) => changeView({ queueIds: ids.length > 0 ? ids : null })}
    />
  )
}

type OrderProps = {
  order: Exclude<TicketOrder, 'snoozed'>
  opensNext: boolean
  onChange: (change: { order?: TicketOrder; opensNext?: boolean }) => void
  onCreateView: (() => void) | undefined
}

/** The order of the list, and whether the next ticket opens automatically. */
function OrderMenu({ order, opensNext, onChange, onCreateView }: OrderProps) {
  const words = useTexts(ticketListTexts)
  return (
    <Menu position="bottom-start" width={264}>
      <Menu.Target>
        <button type="button" className={popover.button} aria-label={`${words.order}: ${words.orders[order]}`}>
          <span className={popover.says}>{words.orders[order]}</span>
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['newest', 'oldest', 'waiting', 'priority'] as const).map((one) => (
          <Menu.Item
            key={one}
            rightSection={one === order && <IconCheck size={16} stroke={1.75} />}
            onClick={() => onChange({ order: one })}
          >
            {words.orders[one]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem closeMenuOnClick checked={opensNext} onChange={(next) => onChange({ opensNext: next })}>
          {words.opensNext}
        </Menu.CheckboxItem>
        {onCreateView && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onCreateView}>{words.createView}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
