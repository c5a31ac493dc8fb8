import { Button } from '@mantine/core'
import type { SessionUser } from '@recado/contract/users'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useId } from 'react'
import { number } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session.tsx'
import { useTexts } from '../../../lib/texts.ts'
import { filterOf, useView } from '../../../parts/ticket/view.ts'
import { openNewTicket } from '../../../parts/ticket/wanted.ts'
import { PageHeader } from '../../../ui/page-header.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import { ListBody } from './list-body.tsx'
import { ListOptions } from './list-options.tsx'
import { TabBar } from './tab-bar.tsx'
import { listTexts } from './texts.ts'
import classes from './ticket-list.module.css'
import { countLimit, useCounts, useTicketList } from './use-ticket-list.ts'

const SearchPanel = lazy(() => import('./search-panel.tsx').then((m) => ({ default: m.SearchPanel })))

/** Everybody's tickets as far as this person may see them. */
export function TicketList({ selected }: { selected: string | undefined }) {
  const { user } = useSession()
  return user && <Lists me={user} selected={selected} />
}

/** Assigned and waiting are both read while either is seen, for their counts and for changing over at once. */
function Lists({ me, selected }: { me: SessionUser; selected: string | undefined }) {
  const words = useTexts(listTexts)
  const phone = usePhone()
  const panel = useId()
  const [view, look] = useView()
  const filters = {
    open: filterOf(view, 'open', me),
    pending: filterOf(view, 'pending', me),
    closed: filterOf(view, 'closed', me),
    search: filterOf(view, null, me),
  }
  const assigned = useTicketList(filters.open, me)
  const waiting = useTicketList(filters.pending, me)
  const closed = useTicketList(filters.closed, me, view.tab === 'closed')
  const found = useTicketList(filters.search, me, view.tab === 'search')
  const counts = useCounts(assigned, waiting, filters.open)
  const name = view.tab === 'open' ? view.sub : view.tab
  const list = { open: assigned, pending: waiting, closed, search: found }[name]
  const label = words.lists[name === 'search' ? 'found' : name]
  const back = () => {
    look({ tab: 'open', search: '' })
    // The box that had the focus is gone.
    document.getElementById(`${panel}-open`)?.focus()
  }
  return (
    <section className={classes.root} aria-label={words.title} data-region="list">
      {phone ? (
        <PageHeader title={words.title}>
          <Button variant="subtle" leftSection={<IconPlus size={18} stroke={1.75} />} onClick={openNewTicket}>
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
            onChange={(tab) => look({ tab, search: '' })}
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
              onClick={openNewTicket}
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
            onChange={(sub) => look({ sub })}
            tabs={[
              { value: 'open', label: words.assigned, count: shownCount(counts.open) },
              { value: 'pending', label: words.waiting, count: shownCount(counts.pending) },
            ]}
          />
        )}
      </div>
      {view.tab === 'search' ? (
        <Suspense fallback={<div className={classes.searchRoom} />}>
          <SearchPanel onBack={back} />
        </Suspense>
      ) : (
        <ListOptions />
      )}
      <div id={panel} role="tabpanel" aria-label={label} className={classes.panel}>
        <ListBody
          label={label}
          list={list}
          filter={filters[name]}
          selected={selected}
          large={phone}
          words={words}
          onAllQueues={() => look({ queueIds: null })}
          waiting={shownCount(counts.pending)}
          onWaiting={() => look({ sub: 'pending' })}
        />
      </div>
    </section>
  )
}

/** The server counts no further. */
const shownCount = (count: number | undefined) =>
  count !== undefined && count >= countLimit ? `${number(countLimit - 1)}+` : count
