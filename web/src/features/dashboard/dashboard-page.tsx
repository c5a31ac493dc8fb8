import { ActionIcon, Skeleton, Tooltip } from '@mantine/core'
import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { IconDeviceTv, IconLink, IconPrinter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { copyText } from '../../lib/copy.ts'
import { useConnection } from '../../lib/live.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Attendants } from './attendants.tsx'
import { Bars, PerAgent } from './bars.tsx'
import type { Pressed } from './behind.tsx'
import { Counters, MoreCounters } from './counters.tsx'
import classes from './dashboard.module.css'
import { DayFilter, Narrow, OnPaper, Switches } from './filters.tsx'
import { Goals } from './goals.tsx'
import { ownPageTexts } from './own/texts.ts'
import { Queues } from './queues.tsx'
import { Seen } from './seen.tsx'
import { texts } from './texts.ts'
import { useAddress } from './use-address.ts'
import { useFigures } from './use-figures.ts'
import { usePrinting } from './use-printing.ts'
import { useReader } from './use-reader.ts'
import { useWall } from './use-wall.ts'
import { Week } from './week.tsx'

const Sections = lazy(() => import('./more/sections.tsx').then((module) => ({ default: module.Sections })))
const Wall = lazy(() => import('./wall.tsx').then((module) => ({ default: module.Wall })))
const Behind = lazy(() => import('./behind.tsx').then((module) => ({ default: module.Behind })))

/** How the work goes: the first look of every morning. */
export function DashboardPage() {
  const words = useTexts(texts)
  const [address, go] = useAddress()
  const figures = useFigures(address)
  const [isWall, setWall] = useWall()
  const view = figures.data
  const { isWhole, isAgent } = useReader()
  const ownTexts = useTexts(ownPageTexts)
  return (
    <div className={classes.page} data-busy={figures.isPlaceholderData || undefined}>
      <PageHeader
        title={
          <>
            {isWhole ? words.title : ownTexts.name} {isWhole && <Pulse />}
          </>
        }
      >
        {/* A wall is for all who work here: of one person it says nothing. */}
        <Tools onWall={isAgent ? null : () => setWall(true)} />
      </PageHeader>
      <div className={classes.body}>
        <div className={classes.filters}>
          <DayFilter
            key={`${address.days} ${address.from} ${address.to}`}
            address={address}
            view={view}
            onChange={go}
          />
          <Switches address={address} view={view} onChange={go} />
          <Narrow address={address} onChange={go} />
          {view && <OnPaper address={address} view={view} />}
        </div>
        {view ? <Figures view={view} /> : figures.isError ? null : <Loading />}
        {figures.isError && !view && <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />}
      </div>
      {isWall && !isAgent && view && (
        <Suspense fallback={null}>
          <Wall view={view} onClose={() => setWall(false)} />
        </Suspense>
      )}
    </div>
  )
}

const Loading = () => (
  <>
    <Skeleton height={104} radius={12} data-unseen />
    <Skeleton height={300} radius={12} data-unseen />
    <Skeleton height={280} radius={12} data-unseen />
  </>
)

function Figures({ view }: { view: DashboardView }) {
  const [address] = useAddress()
  const [pressed, setPressed] = useState<Pressed | null>(null)
  const { isAgent } = useReader()
  const { compare: _, ...narrowed } = address
  const days = { days: undefined, from: view.from, to: view.to }
  const show = (what: Pressed) => setPressed({ ...narrowed, ...days, ...what })
  return (
    <>
      <Counters view={view} onShow={(kind) => show({ kind })} />
      <MoreCounters view={view} onShow={(kind) => show({ kind })} />
      <div className={classes.row} data-one={isAgent || undefined}>
        <Bars
          view={view}
          isOwn={isAgent}
          onShow={(range) => show({ kind: isAgent ? 'resolved' : 'came', ...range } as Pressed)}
        />
        {!isAgent && <PerAgent view={view} onShow={(userId) => show({ kind: 'resolved', userId })} />}
      </div>
      <Goals view={view} onShow={(kind, queueId) => show({ kind, queueId })} />
      <Attendants view={view} onShow={(kind, userId) => show({ kind, userId })} />
      <Week view={view} isOwn={isAgent} onShow={(kind, weekday, hour) => show({ kind, weekday, hour })} />
      <Queues view={view} isOwn={isAgent} onShow={(kind, queueId) => show({ kind, queueId })} />
      <Seen height={1600}>
        <Suspense fallback={<div data-unseen style={{ height: 1600, flex: 'none' }} />}>
          <Sections address={address} view={view} onShow={show} />
        </Suspense>
      </Seen>
      {pressed && (
        <Suspense fallback={null}>
          <Behind pressed={pressed} zone={view.zone} onClose={() => setPressed(null)} />
        </Suspense>
      )}
    </>
  )
}

/** It moves by itself; where the server is out of reach it does not, and says nothing false. */
function Pulse() {
  const words = useTexts(texts)
  return useConnection() ? <span className={classes.pulse}>{words.live}</span> : null
}

function Tools({ onWall }: { onWall: (() => void) | null }) {
  const words = useTexts(texts)
  const [isPrinting, print] = usePrinting()
  const copy = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    void copyText(location.href, currentTarget).then((done) => done && toast.ok(words.linkCopied))
  const tools = [
    { name: words.link, Icon: IconLink, act: copy },
    { name: words.pdf, Icon: IconPrinter, act: print, busy: isPrinting },
    ...(onWall ? [{ name: words.wall, Icon: IconDeviceTv, act: onWall }] : []),
  ]
  return (
    <span className={classes.tools}>
      {tools.map(({ name, Icon, act, busy = false }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon variant="subtle" size={32} aria-label={name} loading={busy} onClick={act}>
            <Icon size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      ))}
    </span>
  )
}
