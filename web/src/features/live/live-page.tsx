import {
  type Announcements,
  DndContext,
  DragOverlay,
  MouseSensor,
  pointerWithin,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { Button, SegmentedControl } from '@mantine/core'
import { useInterval, useMediaQuery } from '@mantine/hooks'
import type { LivePerson, WaitingTicket } from '@recado/contract/routing/live'
import { IconCircleCheck, IconPlayerTrackNext, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Can } from '../../lib/can.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useIsConnected } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { readStoredJson, writeStoredJson } from '../../lib/storage.ts'
import { useTexts } from '../../lib/texts.ts'
import { CountBadge } from '../../ui/count-badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { formatWait } from './format-wait.ts'
import classes from './live.module.css'
import { PersonLane } from './person-lane.tsx'
import { isAway, personState } from './person-state.ts'
import { QueueFilter, useOwnQueues } from './queue-filter.tsx'
import { liveTexts } from './texts.ts'
import { HeldCardFace, WaitingCard, WaitingCardFace } from './ticket-card.tsx'
import { type CarryTicket, useCarryTicket } from './use-carry-ticket.ts'
import { type HeldTicket, useGiveTicket } from './use-give-ticket.ts'
import { type LiveDesk, useLiveDesk } from './use-live-desk.ts'

const MoveDialog = lazy(() => import('./move-dialog.tsx').then((module) => ({ default: module.MoveDialog })))
const WhatIfDialog = lazy(() => import('./what-if-dialog.tsx').then((module) => ({ default: module.WhatIfDialog })))
const StateDialog = lazy(() => import('./state-dialog.tsx').then((module) => ({ default: module.StateDialog })))

/** Waiting times are shown in minutes. */
const tickMs = 10_000

/** Who is there, in what state and with what load, and who waits: for those who lead (docs/routing.md). */
export function LivePage() {
  const words = useTexts(liveTexts)
  const { queueIds, setQueueIds } = useChosenQueues()
  const queues = useOwnQueues()
  const [asksWhatIf, setAsksWhatIf] = useState(false)
  const { desk, readAt, error, retry, refetch } = useLiveDesk(queueIds)
  const isConnected = useIsConnected()
  const now = useNowEveryTick()
  return (
    <div className={classes.page}>
      <PageHeader title={words.title} isWide>
        <p className={classes.freshness} data-stale={!isConnected || undefined} role="status">
          {isConnected ? words.upToDate : words.stale(formatWait(now - readAt, words))}
        </p>
        <QueueFilter queues={queues} queueIds={queueIds} onChange={setQueueIds} />
        {queues.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconPlayerTrackNext size={16} stroke={1.75} />}
            onClick={() => setAsksWhatIf(true)}
          >
            {words.whatIf}
          </Button>
        )}
      </PageHeader>
      {desk ? (
        <Desk desk={desk} now={now + desk.clockOffsetMs} isUpToDate={isConnected} refetch={refetch} />
      ) : error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <LoadingDesk />
      )}
      <Suspense fallback={null}>
        {asksWhatIf && <WhatIfDialog queues={queues} onClose={() => setAsksWhatIf(false)} />}
      </Suspense>
      <p id="live-help" className="rc-sr">
        {words.help}
      </p>
    </div>
  )
}

function useChosenQueues() {
  const key = `live-${useSession().user?.id ?? 0}`
  const [queueIds, setQueueIds] = useState(() => {
    const stored = readStoredJson<unknown>(key, [])
    return Array.isArray(stored) ? stored.filter((id) => Number.isInteger(id)).slice(0, 500) : []
  })
  return {
    queueIds,
    setQueueIds: (next: number[]) => {
      setQueueIds(next)
      writeStoredJson(key, next)
    },
  }
}

function useNowEveryTick(): number {
  const [now, setNow] = useState(() => Date.now())
  useInterval(() => setNow(Date.now()), tickMs, { autoInvoke: true })
  return now
}

type DeskProps = { desk: LiveDesk; now: number; isUpToDate: boolean; refetch: () => Promise<unknown> }

function Desk({ desk, now, isUpToDate, refetch }: DeskProps) {
  const words = useTexts(liveTexts)
  const navigate = useNavigate()
  const isNarrow = useMediaQuery('(max-width: 56.24em)', undefined, { getInitialValueInEffect: false })
  const [tab, setTab] = useState<'waiting' | 'people'>('waiting')
  const [movedTicket, setMovedTicket] = useState<HeldTicket | null>(null)
  const [changedPerson, setChangedPerson] = useState<LivePerson | null>(null)
  const { moves, give } = useGiveTicket(refetch)
  const { waiting, people } = applyMoves(desk, moves)
  const present = people.filter((person) => !isAway(person))
  const carry = useCarryTicket({ people, isEnabled: isUpToDate, give, openMoveDialog: setMovedTicket })
  const actions = {
    open: ({ ticket }: HeldTicket) => void navigate({ href: `/tickets/${ticket.uuid}` }),
    move: setMovedTicket,
    onKeyDown: carry.onKeyDown,
    canMove: isUpToDate,
  }
  const waitingColumn = (
    <WaitingColumn {...{ desk, waiting, now, actions }} carried={carry.carried} nextName={findFreest(present)?.name} />
  )
  const lanes = <Lanes {...{ people, now, actions }} carried={carry.carried} onChangeState={setChangedPerson} />
  return (
    <>
      <Figures desk={desk} now={now} />
      {isNarrow && (
        <SegmentedControl
          className={classes.tabs ?? ''}
          fullWidth
          value={tab}
          onChange={(value) => setTab(value as typeof tab)}
          data={[
            { value: 'waiting', label: `${words.waiting} ${formatNumber(desk.waitingCount)}` },
            { value: 'people', label: `${words.people} ${formatNumber(desk.peopleCount)}` },
          ]}
        />
      )}
      {isNarrow ? (
        <DragArea carry={carry} waiting={waiting} now={now} isEnabled={false}>
          <div className={classes.narrow}>{tab === 'waiting' ? waitingColumn : lanes}</div>
        </DragArea>
      ) : (
        <DragArea carry={carry} waiting={waiting} now={now} isEnabled={isUpToDate}>
          <div className={classes.desk}>
            {waitingColumn}
            {lanes}
          </div>
        </DragArea>
      )}
      <div className="rc-sr" aria-live="assertive">
        {carry.announcement}
      </div>
      <Suspense fallback={null}>
        {movedTicket && (
          <MoveDialog
            held={movedTicket}
            people={people}
            onChoose={(person) => void give(movedTicket, person)}
            onClose={() => setMovedTicket(null)}
          />
        )}
        {changedPerson && <StateDialog person={changedPerson} onClose={() => setChangedPerson(null)} />}
      </Suspense>
    </>
  )
}

/** The desk with the cards that were just given to somebody in their new place. */
function applyMoves(desk: LiveDesk, moves: ReadonlyMap<number, number>): Pick<LiveDesk, 'waiting' | 'people'> {
  if (moves.size === 0) return desk
  const all = [...desk.waiting, ...desk.people.flatMap(({ tickets }) => tickets)]
  return {
    waiting: desk.waiting.filter(({ id }) => !moves.has(id)),
    people: desk.people.map((person) => {
      const kept = person.tickets.filter(({ id }) => (moves.get(id) ?? person.id) === person.id)
      const added = all.filter(({ id }) => moves.get(id) === person.id && !kept.some((ticket) => ticket.id === id))
      return { ...person, tickets: [...added, ...kept] }
    }),
  }
}

/** Who would get the next ticket if everybody worked in the same queue. */
const findFreest = (people: LivePerson[]): LivePerson | undefined =>
  people.filter((person) => personState(person) === 'available').toSorted((a, b) => a.open - b.open)[0]

function Figures({ desk, now }: Pick<DeskProps, 'desk' | 'now'>) {
  const words = useTexts(liveTexts)
  const { waitingCount, oldestSince, availableCount, peopleCount, openCount } = desk
  return (
    <dl className={classes.figures}>
      <Figure name={words.waiting} value={formatNumber(waitingCount)} />
      <Figure
        name={words.oldest}
        value={oldestSince ? formatWait(now - Date.parse(oldestSince), words) : '–'}
        detail={oldestSince ? undefined : words.nobodyWaits}
      />
      <Figure
        name={words.available}
        value={formatNumber(availableCount)}
        detail={words.of(peopleCount)}
        isAlarming={availableCount === 0 && waitingCount > 0}
      />
      <Figure name={words.open} value={formatNumber(openCount)} detail={words.attended} />
    </dl>
  )
}
type FigureProps = { name: string; value: string; detail?: string | undefined; isAlarming?: boolean }
const Figure = ({ name, value, detail, isAlarming }: FigureProps) => (
  <div className={classes.figure} data-alarm={isAlarming || undefined}>
    <dt>{name}</dt>
    <dd>
      <b>{value}</b> {detail}
    </dd>
  </div>
)

type ColumnProps = {
  now: number
  carried: CarryTicket['carried']
  actions: Parameters<typeof PersonLane>[0]['actions']
}

function WaitingColumn(
  props: ColumnProps & { desk: LiveDesk; waiting: WaitingTicket[]; nextName: string | undefined },
) {
  const { desk, waiting, now, carried, actions, nextName } = props
  const words = useTexts(liveTexts)
  return (
    <section className={classes.waiting} aria-label={words.waiting}>
      <header className={classes.waitingHead}>
        <h2 className={classes.laneName}>{words.waiting}</h2>
        <CountBadge value={desk.waitingCount} />
        <span className={classes.order}>
          {waiting.length < desk.waitingCount ? words.firstOf(waiting.length, desk.waitingCount) : words.order}
        </span>
      </header>
      {desk.availableCount === 0 && desk.waitingCount > 0 && (
        <p className={classes.alarm}>
          {words.nobodyAvailable}{' '}
          <Can rule="users-page:manage">
            <Link to="/users">{words.openUsers}</Link>
          </Can>
        </p>
      )}
      {waiting.length === 0 ? (
        <div className={classes.nothing}>
          <IconCircleCheck size={28} stroke={1.5} aria-hidden="true" />
          <b>{words.nothingWaits}</b>
          {nextName && <span>{words.nothingWaitsNext(nextName)}</span>}
        </div>
      ) : (
        <ol className={classes.cards}>
          {waiting.map((ticket, index) => (
            <WaitingCard
              key={ticket.id}
              ticket={ticket}
              place={index + 1}
              now={now}
              carriedBy={carried?.ticket.id === ticket.id ? carried.by : undefined}
              actions={actions}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

type LanesProps = ColumnProps & { people: LivePerson[]; onChangeState: (person: LivePerson) => void }

/** More people than this are rows, because nobody finds a person in so many lanes. */
const maxLanes = 20

/** A lane per person. Those who are away are folded into one strip until it is opened. */
function Lanes({ people, ...lane }: LanesProps) {
  const words = useTexts(liveTexts)
  const [showsAway, setShowsAway] = useState(false)
  const away = people.filter(isAway)
  const shown = showsAway ? people : people.filter((person) => !isAway(person))
  if (people.length === 0)
    return (
      <div className={classes.noPeople}>
        <EmptyState title={words.noPeople} line={words.noPeopleLine} icon={<IconUsers size={26} stroke={1.6} />} />
      </div>
    )
  return (
    <section
      className={classes.lanes}
      data-rows={shown.length > maxLanes || undefined}
      aria-label={words.people}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard
      tabIndex={0}
    >
      {shown.map((person) => (
        <PersonLane key={person.id} person={person} {...lane} />
      ))}
      {away.length > 0 && (
        <button
          type="button"
          className={classes.folded}
          aria-expanded={showsAway}
          onClick={() => setShowsAway(!showsAway)}
        >
          <span>{showsAway ? words.fold : words.away(away.length)}</span>
        </button>
      )}
      {shown.length === 0 && (
        <div className={classes.noPeople}>
          <EmptyState
            title={words.allAway}
            line={words.allAwayLine}
            icon={<IconUsers size={26} stroke={1.6} aria-hidden="true" />}
          />
        </div>
      )}
    </section>
  )
}

/** dnd-kit makes no announcements, because `useCarryTicket` announces moves by keyboard and by pointer. */
const noAnnouncement = (): undefined => undefined
const silentAnnouncements: Announcements = {
  onDragStart: noAnnouncement,
  onDragOver: noAnnouncement,
  onDragEnd: noAnnouncement,
  onDragCancel: noAnnouncement,
}

type DragAreaProps = {
  carry: CarryTicket
  waiting: WaitingTicket[]
  now: number
  isEnabled: boolean
  children: ReactNode
}

/** Drag sensors. A mouse drag starts after a few pixels, so that clicks work; a touch drag after a delay. */
function DragArea({ carry, waiting, now, isEnabled, children }: DragAreaProps) {
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 5 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 220, tolerance: 8 } }),
  )
  const held = carry.carried?.by === 'pointer' ? carry.carried : null
  const place = waiting.findIndex(({ id }) => id === held?.ticket.id)
  const waitingTicket = waiting[place]
  const personOf = (over: { data: { current?: { personId?: number } | undefined } } | null) =>
    over?.data.current?.personId ?? null
  return (
    <DndContext
      sensors={isEnabled ? sensors : []}
      collisionDetection={pointerWithin}
      accessibility={{ announcements: silentAnnouncements, screenReaderInstructions: { draggable: '' } }}
      onDragStart={({ active }) => {
        const dragged = active.data.current?.held as HeldTicket | undefined
        if (dragged) carry.pickUp(dragged, 'pointer')
      }}
      onDragOver={({ over }) => carry.moveOver(personOf(over))}
      onDragEnd={({ over }) => carry.drop(personOf(over))}
      onDragCancel={carry.cancel}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {held && (
          <div className={classes.card} data-lifted>
            {waitingTicket ? (
              <WaitingCardFace ticket={waitingTicket} place={place + 1} now={now} />
            ) : (
              <HeldCardFace held={held} now={now} />
            )}
          </div>
        )}
      </DragOverlay>
    </DndContext>
  )
}

const ghostLanes = ['a', 'b', 'c', 'd']
const LoadingDesk = () => (
  <div className={classes.desk} aria-busy="true">
    {ghostLanes.map((lane) => (
      <div key={lane} className={`${classes.lane} ${classes.ghost}`}>
        <span />
        <span />
        <span />
      </div>
    ))}
  </div>
)
