import type { LineProvider } from '@recado/contract/connections'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { Signals } from '../kernel/live/signals.ts'
import type { Log } from '../kernel/log.ts'
import type { ChatId, InboundEvent, LineRow, LineState, MakeLine } from '../lines/line.ts'
import { makeSupervisor, type SupervisorTimings } from '../lines/supervisor.ts'
import { type BotRequestLimits, makeBotRequestRunner } from './bot-requests/runner.ts'
import { makeInbox } from './inbox/inbox.ts'
import type {} from './inbox/set-aside.ts'
import { makeHistoryFetcher } from './outbox/fetch-history.ts'
import { makeOutbox } from './outbox/outbox.ts'
import { type AutomationRegistry, defaultRegistry } from './registry.ts'
import { makeTimers } from './timers/timers.ts'
import { publishCustomerTyping, showAgentTyping } from './typing.ts'

type SwitchboardDeps = {
  deps: Deps
  log: Log
  signals: Signals
  makers: Record<LineProvider, MakeLine | undefined>
  /** Writes a line's state where users see it. */
  reportState(row: LineRow, state: LineState): Promise<void>
  /** Replace the desk's handlers, where only the line itself is tested. */
  reportTyping?: (row: LineRow, chat: ChatId, on: boolean) => void
  receive?: (row: LineRow, events: InboundEvent[]) => Promise<void>
  pace?: Partial<SupervisorTimings>
  /** Whether timers and bots' questions run here. Otherwise another process does it. */
  runsAutomations?: boolean
  automations?: Partial<AutomationRegistry>
  botRequestLimits?: Partial<BotRequestLimits>
}

/** How long a line that was connected elsewhere may take before users see that it is opening. */
const openingGraceMs = 5000

/** Connects lines to the desk: incoming events go to the inbox, queued messages are sent through them. */
export function openSwitchboard({
  deps: means,
  log,
  signals,
  makers,
  reportState: state,
  reportTyping: typing,
  receive: hear,
  pace = {},
  ...more
}: SwitchboardDeps) {
  const { runsAutomations: byItself = true } = more
  const { bots, backends: askers, timers: clocks } = { ...defaultRegistry, ...more.automations }
  const inbox = makeInbox(means, log, bots)
  const outbox = makeOutbox(means, log)
  const past = makeHistoryFetcher(means, log)
  const timers = makeTimers(means, log, byItself ? clocks : {})
  const asking = makeBotRequestRunner(means, log, askers, byItself ? more.botRequestLimits : { maxParallel: 0 })
  const types = (row: LineRow, chat: ChatId, on: boolean): void =>
    void publishCustomerTyping(means, row, chat, on).catch((err) =>
      log.warn({ err, line: row.id }, 'typing was not told'),
    )
  /** A line that moves between processes is shown as connected, unless it takes long. */
  const opening = new Map<number, NodeJS.Timeout>()
  const spoken = new WeakSet<LineRow>()
  const supervisor = makeSupervisor({
    deps: means,
    log,
    signals,
    makers,
    pace,
    outlets: {
      receive: hear ?? inbox.receive,
      reportTyping: typing ?? types,
      async reportState(row, now) {
        // The first event of a line under a new lease: the journal of its former holder is handled first.
        await inbox.begin(row)
        clearTimeout(opening.get(row.id))
        opening.delete(row.id)
        if (row.wasConnectedElsewhere && now.status === 'OPENING' && !spoken.has(row)) {
          const late = () =>
            void state(row, now).catch((err) => log.warn({ err, line: row.id }, 'that a line opens was not written'))
          opening.set(row.id, setTimeout(late, openingGraceMs).unref())
          return
        }
        spoken.add(row)
        await state(row, now)
      },
    },
  })
  supervisor.onConnected(outbox.begin)
  supervisor.onConnected(past.begin)
  // Also when the line is released or its lease is lost; awaited, so that a send in progress ends.
  supervisor.onDisconnected((row) => outbox.end(row.id))
  supervisor.onDisconnected((row) => past.end(row.id))
  signals.on('outbox', (word) => outbox.wake(Number(word)))
  signals.on('ask', () => void asking.poll())
  signals.on('journal', () => void inbox.poll().catch((err) => log.warn({ err }, 'lanes cannot be looked at')))
  signals.on('past', (word) => past.wake(Number(word)))
  signals.on('typing', (word) => {
    const [companyId = 0, whatsappId = 0, contactId = 0] = word.split(' ').map(Number)
    const line = supervisor.connectedLine(whatsappId)
    if (!line || line.unsupported.includes('typing')) return
    showAgentTyping(new Scope(means, { companyId }), line, { whatsappId, contactId }, word.endsWith(' on')).catch(
      (err) => log.debug({ err, line: whatsappId }, 'typing was not shown'),
    )
  })

  return {
    supervisor,
    inbox,
    outbox,
    timers,
    botRequestRunner: asking,
    async close(): Promise<void> {
      await timers.close()
      await asking.close()
      await supervisor.close()
      for (const timer of opening.values()) clearTimeout(timer)
      await outbox.close()
      await past.close()
      await inbox.close()
    },
  }
}
export type Switchboard = ReturnType<typeof openSwitchboard>
