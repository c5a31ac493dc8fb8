import { ActionIcon, Skeleton, Tooltip } from '@mantine/core'
import type { DashboardView } from '@recado/contract/dashboard/dashboard'
import { IconDeviceTv, IconLink, IconPrinter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { copyText } from '../../lib/copy.ts'
import { useIsConnected } from '../../lib/live.ts'
import { currentTexts, defineTexts, useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { IconHintText } from '../../ui/phone-bar/icon-hint-text.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { AgentsTable } from './agents-table.tsx'
import { ConversationsChart, ResolvedPerAgent } from './conversations-chart.tsx'
import { MainCounters, SecondaryCounters } from './counters.tsx'
import classes from './dashboard.module.css'
import { ownDashboardTexts } from './own/texts.ts'
import { QueueGoals } from './queue-goals.tsx'
import { QueuesTable } from './queues-table.tsx'
import { RenderWhenVisible } from './render-when-visible.tsx'
import { DayFilter, PrintHeader, ReportFilters, ReportSwitches } from './report-filters.tsx'
import { texts } from './texts.ts'
import type { SelectedNumber } from './tickets-behind-number.tsx'
import { useDashboardQuery } from './use-dashboard-query.ts'
import { useDashboardReports } from './use-dashboard-reports.ts'
import { usePrintDashboard } from './use-print-dashboard.ts'
import { useReportAudience } from './use-report-audience.ts'
import { useWallScreen } from './use-wall-screen.ts'
import { WeekHeatmap } from './week-heatmap.tsx'

/** The word below the icon, on a phone. */
const hints = defineTexts({ es: { link: 'Enlace' }, pt: { link: 'Link' }, en: { link: 'Link' } })

const ReportSections = lazy(() =>
  import('./sections/report-sections.tsx').then((module) => ({ default: module.ReportSections })),
)
const WallScreen = lazy(() => import('./wall-screen.tsx').then((module) => ({ default: module.WallScreen })))
const TicketsBehindNumber = lazy(() =>
  import('./tickets-behind-number.tsx').then((module) => ({ default: module.TicketsBehindNumber })),
)

/** The dashboard: reports on the current work. */
export function DashboardPage() {
  const words = useTexts(texts)
  const [address, setAddress] = useDashboardQuery()
  const figures = useDashboardReports(address)
  const [isWall, setWall] = useWallScreen()
  const view = figures.data
  const { seesCompany, isAgent } = useReportAudience()
  const ownTexts = useTexts(ownDashboardTexts)
  return (
    <div className={classes.page} data-busy={figures.isPlaceholderData || undefined}>
      <PageHeader
        title={
          <>
            {seesCompany ? words.title : isAgent ? ownTexts.name : ownTexts.team} {seesCompany && <LiveIndicator />}
          </>
        }
      >
        {/* Wall mode is for the whole team, so it is not available for one agent's report. */}
        <DashboardTools onOpenWallScreen={isAgent ? null : () => setWall(true)} />
      </PageHeader>
      <div className={classes.body}>
        <div className={classes.filters}>
          <DayFilter
            key={`${address.days} ${address.from} ${address.to}`}
            address={address}
            view={view}
            onChange={setAddress}
          />
          <ReportSwitches address={address} view={view} onChange={setAddress} />
          <ReportFilters address={address} onChange={setAddress} />
          {view && <PrintHeader address={address} view={view} />}
        </div>
        {view ? <DashboardReports view={view} /> : figures.isError ? null : <DashboardSkeleton />}
        {figures.isError && !view && <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />}
      </div>
      {isWall && !isAgent && view && (
        <Suspense fallback={null}>
          <WallScreen view={view} onClose={() => setWall(false)} />
        </Suspense>
      )}
    </div>
  )
}

const DashboardSkeleton = () => (
  <>
    <Skeleton height={104} radius={12} data-unseen />
    <Skeleton height={300} radius={12} data-unseen />
    <Skeleton height={280} radius={12} data-unseen />
  </>
)

function DashboardReports({ view }: { view: DashboardView }) {
  const [address] = useDashboardQuery()
  const [selectedNumber, setSelectedNumber] = useState<SelectedNumber | null>(null)
  const { isAgent } = useReportAudience()
  const { compare: _, ...narrowed } = address
  const days = { days: undefined, from: view.from, to: view.to }
  const show = (what: SelectedNumber) => setSelectedNumber({ ...narrowed, ...days, ...what })
  return (
    <>
      <MainCounters view={view} onShow={(kind) => show({ kind })} />
      <SecondaryCounters view={view} onShow={(kind) => show({ kind })} />
      <div className={classes.row} data-one={isAgent || undefined}>
        <ConversationsChart
          view={view}
          isOwn={isAgent}
          onShow={(range) => show({ kind: isAgent ? 'resolved' : 'came', ...range } as SelectedNumber)}
        />
        {!isAgent && <ResolvedPerAgent view={view} onShow={(userId) => show({ kind: 'resolved', userId })} />}
      </div>
      <QueueGoals view={view} onShow={(kind, queueId) => show({ kind, queueId })} />
      <AgentsTable view={view} onShow={(kind, userId) => show({ kind, userId })} />
      <WeekHeatmap view={view} isOwn={isAgent} onShow={(kind, weekday, hour) => show({ kind, weekday, hour })} />
      <QueuesTable view={view} isOwn={isAgent} onShow={(kind, queueId) => show({ kind, queueId })} />
      <RenderWhenVisible height={1600}>
        <Suspense fallback={<div data-unseen style={{ height: 1600, flex: 'none' }} />}>
          <ReportSections address={address} view={view} onShow={show} />
        </Suspense>
      </RenderWhenVisible>
      {selectedNumber && (
        <Suspense fallback={null}>
          <TicketsBehindNumber
            selectedNumber={selectedNumber}
            zone={view.zone}
            onClose={() => setSelectedNumber(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/** The live indicator; it turns off when the server is unreachable. */
function LiveIndicator() {
  const words = useTexts(texts)
  return useIsConnected() ? <span className={classes.pulse}>{words.live}</span> : null
}

function DashboardTools({ onOpenWallScreen }: { onOpenWallScreen: (() => void) | null }) {
  const words = useTexts(texts)
  const phone = useIsPhone()
  const [isPrinting, print] = usePrintDashboard()
  const copy = ({ currentTarget }: { currentTarget: HTMLElement }) =>
    void copyText(location.href, currentTarget).then((done) => done && toast.ok(words.linkCopied))
  const tools = [
    { name: words.link, hint: <IconHintText>{currentTexts(hints).link}</IconHintText>, Icon: IconLink, act: copy },
    { name: words.pdf, hint: <IconHintText>PDF</IconHintText>, Icon: IconPrinter, act: print, busy: isPrinting },
    ...(onOpenWallScreen
      ? [{ name: words.wall, hint: <IconHintText>TV</IconHintText>, Icon: IconDeviceTv, act: onOpenWallScreen }]
      : []),
  ]
  return (
    <span className={classes.tools}>
      {tools.map(({ name, hint, Icon, act, busy = false }) => (
        <Tooltip key={name} label={name}>
          <ActionIcon variant="subtle" size={phone ? 40 : 32} aria-label={name} loading={busy} onClick={act}>
            <Icon size={18} stroke={1.75} />
            {hint}
          </ActionIcon>
        </Tooltip>
      ))}
    </span>
  )
}
