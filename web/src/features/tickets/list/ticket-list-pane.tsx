import { Button } from '@mantine/core'
import type { SessionUser } from '@recado/contract/users'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useId } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { usePinnedTickets, withPinsFirst } from '../../../parts/ticket/pins.ts'
import { openNewTicketDialog } from '../../../parts/ticket/ticket-dialog-state.ts'
import { toSnoozedFilter, toTicketFilter, useTicketView } from '../../../parts/ticket/ticket-view.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { clearChecked, isSelecting, useCheckedTickets } from '../selection/checked-tickets.ts'
import { SelectionHead } from '../selection/selection-head.tsx'
import { toViewFilter, useViewCounts, useViewNews, useViews } from '../views/use-views.ts'
import { ViewStrip } from '../views/view-strip.tsx'
import { FirstStepsChip } from './first-steps/first-steps.tsx'
import { TabBar } from './tab-bar.tsx'
import { ticketListTexts } from './texts.ts'
import { TicketListBody } from './ticket-list-body.tsx'
import { TicketListOptions } from './ticket-list-options.tsx'
import classes from './ticket-list-pane.module.css'
import { maxTicketCount, useTicketCounts, useTicketList } from './use-ticket-list.ts'

const TicketSearchPanel = lazy(() =>
  import('./ticket-search-panel.tsx').then((m) => ({ default: m.TicketSearchPanel })),
)

const SelectionPane = lazy(() => import('../selection/selection-pane.tsx').then((m) => ({ default: m.SelectionPane })))

/** All tickets visible to this user. */
export function TicketListPane({ selected }: { selected: string | undefined }) {
  const { user } = useSession()
  return user && <TicketLists me={user} selected={selected} />
}

/** The assigned and the pending list are both loaded while either is shown, for their counts and for fast switching. */
function TicketLists({ me, selected }: { me: SessionUser; selected: string | undefined }) {
  const words = useTexts(ticketListTexts)
  const phone = useIsPhone()
  const panel = useId()
  const [view, changeView] = useTicketView()
  const filters = {
    open: toTicketFilter(view, 'open', me),
    pending: toTicketFilter(view, 'pending', me),
    snoozed: toSnoozedFilter(view, me),
    closed: toTicketFilter(view, 'closed', me),
    search: toTicketFilter(view, null, me),
  }
  const assigned = useTicketList(filters.open, me)
  const waiting = useTicketList(filters.pending, me)
  const snoozed = useTicketList(filters.snoozed, me)
  const closed = useTicketList(filters.closed, me, view.tab === 'closed')
  const found = useTicketList(filters.search, me, view.tab === 'search')
  const counts = useTicketCounts({ assigned, waiting, snoozed }, filters.open)
  const views = useViews()
  useViewNews()
  const viewCount = useViewCounts(views.length > 0)(view.viewId ?? 0) ?? undefined
  const savedView = view.tab === 'open' ? views.find(({ id }) => id === view.viewId) : undefined
  const name = view.tab === 'open' ? view.sub : view.tab
  const filter = savedView ? toViewFilter(savedView) : filters[name]
  const viewed = useTicketList(filter, me, savedView !== undefined)
  const list = savedView ? viewed : { open: assigned, pending: waiting, snoozed, closed, search: found }[name]
  const pinned = usePinnedTickets()
  const hasPins = view.tab === 'open' && filter.order !== 'snoozed'
  const shownList = hasPins ? withPinsFirst(list, pinned, filter, me) : list
  const checked = useCheckedTickets()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins with nothing checked.
  useEffect(() => clearChecked, [list.key])
  const isListed = !list.isLoading && list.rows.length > 0
  const label = savedView?.name ?? words.lists[name === 'search' ? 'found' : name]
  const back = () => {
    changeView({ tab: 'open', search: '' })
    // The search box that had the focus was removed, so the button that opens it gets the focus.
    document.getElementById(`${panel}-open`)?.focus()
  }
  return (
    <section className={classes.root} aria-label={words.title} data-region="list">
      {phone ? (
        <PageHeader title={words.title}>
          <Button variant="subtle" leftSection={<IconPlus size={18} stroke={1.75} />} onClick={openNewTicketDialog}>
            {words.newTicket}
          </Button>
        </PageHeader>
      ) : (
        <h1 className="rc-sr">{words.title}</h1>
      )}
      <div className={classes.head}>
        <div className={classes.top}>
          <TabBar
            kind="segments"
            label={words.tabs}
            panel={panel}
            value={view.tab}
            onChange={(tab) => changeView({ tab, search: '', viewId: null })}
            tabs={[
              { value: 'open', label: words.open },
              { value: 'closed', label: words.closed },
              { value: 'search', label: words.search, icon: IconSearch },
            ]}
          />
          {!phone && (
            <button
              type="button"
              className={classes.add}
              aria-label={words.newTicket}
              title={words.newTicketKey}
              onClick={openNewTicketDialog}
            >
              <IconPlus size={18} stroke={1.75} aria-hidden="true" />
            </button>
          )}
        </div>
        {view.tab === 'open' && (
          <TabBar
            kind="lines"
            label={words.subTabs}
            panel={panel}
            value={view.sub}
            onChange={(sub) => changeView({ sub, viewId: null })}
            tabs={[
              { value: 'open', label: words.assigned, count: formatCount(counts.open) },
              { value: 'pending', label: words.waiting, count: formatCount(counts.pending) },
              { value: 'snoozed', label: words.snoozed, count: formatCount(counts.snoozed) },
            ]}
          />
        )}
      </div>
      {view.tab === 'search' ? (
        <Suspense fallback={<div className={classes.searchRoom} />}>
          <TicketSearchPanel onBack={back} />
        </Suspense>
      ) : checked.tickets.size > 0 ? null : view.tab === 'open' ? (
        <ViewStrip views={views} Options={TicketListOptions} />
      ) : (
        <TicketListOptions />
      )}
      {checked.tickets.size > 0 && (
        <SelectionHead
          rows={shownList.rows}
          filter={filter}
          count={savedView ? viewCount : view.tab === 'open' ? formatCount(counts[view.sub]) : undefined}
          hasMore={list.hasMore && view.tab === 'open'}
        />
      )}
      <div id={panel} role="tabpanel" aria-label={label} className={classes.panel}>
        <TicketListBody
          label={label}
          list={shownList}
          filter={filter}
          me={me}
          selected={selected}
          isLarge={phone}
          words={words}
          onShowAllQueues={() => changeView({ queueIds: null })}
          waitingCount={formatCount(counts.pending)}
          onShowWaiting={() => changeView({ sub: 'pending' })}
        />
      </div>
      {phone && isSelecting(checked) && (
        <Suspense fallback={null}>
          <SelectionPane isBar />
        </Suspense>
      )}
      <FirstStepsChip isCardVisible={phone ? !isListed && view.tab !== 'search' : selected === undefined} />
    </section>
  )
}

/** Formats a count; the server stops counting at the maximum. */
const formatCount = (count: number | undefined) =>
  count !== undefined && count >= maxTicketCount ? `${formatNumber(maxTicketCount - 1)}+` : count
