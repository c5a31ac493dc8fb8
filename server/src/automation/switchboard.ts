import type { LineProvider } from '@recado/contract/connections'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { Signals } from '../kernel/live/signals.ts'
import type { Log } from '../kernel/log.ts'
import type { ChatId, InboundEvent, LineRow, LineState, MakeLine } from '../lines/line.ts'
import { makeSupervisor, type SupervisorTimings } from '../lines/supervisor.ts'
import { type BotRequestLimits, makeBotRequestRunner } from './bot-requests/runner.ts'
import { makeFlowWorker } from './flows/flow-worker.ts'
import { makeInbox } from './inbox/inbox.ts'
import type {} from './inbox/set-aside.ts'
import { makeHistoryFetcher } from './outbox/fetch-history.ts'
import { makeOutbox } from './outbox/outbox.ts'
import { type AutomationRegistry, defaultRegistry } from './registry.ts'
import { publishOffersChanged } from './routing/offer-news.ts'
import { makeRouter } from './routing/router.ts'
import { makeViewUpdater } from './ticket-views/view-updater.ts'
import { makeTimers } from './timers/timers.ts'
import { publishCustomerTyping, showAgentTyping } from './typing.ts'

type SwitchboardDeps = {
  deps: Deps
  log: Log
  signals: Signals
  makers: Record<LineProvider, MakeLine | undefined>
  /** Stores a line's state and publishes it to users. */
  reportState(row: LineRow, state: LineState): Promise<void>
  /** Stores until when the vendor locks a line out of writing to strangers. */
  reportReachOutLock?: (row: LineRow, until: Date | null) => Promise<void>
  /** Stores since when a line gets many messages that it cannot decrypt. */
  reportUnreadable?: (row: LineRow, since: Date | null) => Promise<void>
  /** Replaces the desk's handlers in tests that run only the line. */
  reportTyping?: (row: LineRow, chat: ChatId, on: boolean) => void
  receive?: (row: LineRow, events: InboundEvent[]) => Promise<void>
  pace?: Partial<SupervisorTimings>
  /** Whether timers and bot requests run in this process; otherwise another process runs them. */
  runsAutomations?: boolean
  automations?: Partial<AutomationRegistry>
  botRequestLimits?: Partial<BotRequestLimits>
}

/** How long a line that moved from another process may take to connect before users see that it is opening. */
const openingGraceMs = 5000

/** Connects lines to the desk: incoming events go to the inbox, queued messages are sent through them. */
export function openSwitchboard({
  deps,
  log,
  signals,
  makers,
  reportState: state,
  reportTyping: typing,
  reportReachOutLock = async () => {},
  reportUnreadable = async () => {},
  receive,
  pace: timings = {},
  ...more
}: SwitchboardDeps) {
  const { runsAutomations: byItself = true } = more
  const { bots, backends, timers: clocks } = { ...defaultRegistry, ...more.automations }
  const inbox = makeInbox(deps, log, bots)
  const outbox = makeOutbox(deps, log)
  const historyFetcher = makeHistoryFetcher(deps, log)
  const timers = makeTimers(deps, log, byItself ? clocks : {})
  const router = makeRouter(deps, log, byItself)
  const viewUpdater = makeViewUpdater(deps, log, byItself)
  const flows = makeFlowWorker(deps, log, byItself, backends)
  const botRequestRunner = makeBotRequestRunner(
    deps,
    log,
    backends,
    byItself ? more.botRequestLimits : { maxParallel: 0 },
  )
  const publishTyping = (row: LineRow, chat: ChatId, on: boolean): void =>
    void publishCustomerTyping(deps, row, chat, on).catch((err) =>
      log.warn({ err, line: row.id }, 'could not publish a typing event'),
    )
  /** A line that moves between processes is shown as connected, unless the move takes long. */
  const openingTimers = new Map<number, NodeJS.Timeout>()
  const reported = new WeakSet<LineRow>()
  const supervisor = makeSupervisor({
    deps: deps,
    log,
    signals,
    makers,
    pace: timings,
    outlets: {
      receive: receive ?? inbox.receive,
      reportTyping: typing ?? publishTyping,
      reportReachOutLock,
      reportUnreadable,
      async reportState(row, now) {
        // This is the first event of a line under a new lease: the journal entries of its former holder are handled
        // first.
        await inbox.begin(row)
        clearTimeout(openingTimers.get(row.id))
        openingTimers.delete(row.id)
        if (row.wasConnectedElsewhere && now.status === 'OPENING' && !reported.has(row)) {
          const late = () =>
            void state(row, now).catch((err) => log.warn({ err, line: row.id }, 'could not record that a line opens'))
          openingTimers.set(row.id, setTimeout(late, openingGraceMs).unref())
          return
        }
        reported.add(row)
        await state(row, now)
      },
    },
  })
  supervisor.onConnected(outbox.begin)
  supervisor.onConnected(historyFetcher.begin)
  // Also runs when the line is released or its lease is lost. It is awaited, so that a send in progress ends first.
  supervisor.onDisconnected((row) => outbox.end(row.id))
  supervisor.onDisconnected((row) => historyFetcher.end(row.id))
  signals.on('outbox', (word) => outbox.wake(Number(word)))
  signals.on('routing', () => void router.poll())
  signals.on('offers', (word) => publishOffersChanged(deps, word))
  signals.on('ticketViews', () => void viewUpdater.poll())
  signals.on('flows', () => void flows.poll())
  signals.on('ask', () => void botRequestRunner.poll())
  signals.on('journal', () => void inbox.poll().catch((err) => log.warn({ err }, 'lanes cannot be looked at')))
  signals.on('past', (word) => historyFetcher.wake(Number(word)))
  signals.on('typing', (word) => {
    const [companyId = 0, whatsappId = 0, contactId = 0] = word.split(' ').map(Number)
    const line = supervisor.connectedLine(whatsappId)
    if (!line || line.unsupported.includes('typing')) return
    showAgentTyping(new Scope(deps, { companyId }), line, { whatsappId, contactId }, word.endsWith(' on')).catch(
      (err) => log.debug({ err, line: whatsappId }, 'could not show typing'),
    )
  })

  return {
    supervisor,
    inbox,
    outbox,
    timers,
    router,
    viewUpdater,
    flows,
    botRequestRunner: botRequestRunner,
    async close(): Promise<void> {
      await timers.close()
      await router.close()
      await viewUpdater.close()
      await flows.close()
      await botRequestRunner.close()
      await supervisor.close()
      for (const timer of openingTimers.values()) clearTimeout(timer)
      await outbox.close()
      await historyFetcher.close()
      await inbox.close()
    },
  }
}
export type Switchboard = ReturnType<typeof openSwitchboard>
