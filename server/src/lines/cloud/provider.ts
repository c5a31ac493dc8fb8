import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { toStorableJson } from '../../kernel/data/storable-json.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import type { Log } from '../../kernel/log.ts'
import type { InboundEvent, MakeLine } from '../line.ts'
import { makeCloudActions } from './cloud-actions.ts'
import { type CloudLink, type CloudTimings, defaultCloudTimings, makeCloudLink } from './cloud-link.ts'
import { type EmbeddedSignup, makeEmbeddedSignup } from './embedded-signup.ts'
import { type LoadTemplates, makeTemplateLoader } from './templates.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Another process has received a webhook call of Meta for this line. */
    cloud: [whatsappId: number]
  }
}

type CloudProviderDeps = { deps: Deps; log: Log; signals: Signals; graphUrl: string; pace?: Partial<CloudTimings> }

/** Receives events of a line; resolves when they are stored. */
export type ReceiveCloudEvents = (
  line: { whatsappId: number; companyId: number },
  events: InboundEvent[],
) => Promise<void>
export type CloudProvider = {
  makeLine: MakeLine
  receive: ReceiveCloudEvents
  loadTemplates: LoadTemplates
  /** Null: the operator has no app at Meta. */
  signup: EmbeddedSignup | null
}

/** The provider `cloud`: Meta's official API. */
export function makeCloudProvider({ deps, log, signals, graphUrl, ...options }: CloudProviderDeps): CloudProvider {
  const pace = { ...defaultCloudTimings, ...options.pace }
  const linksById = new Map<number, CloudLink>()
  signals.on('cloud', (payload) => void linksById.get(Number(payload))?.drain())

  return {
    loadTemplates: makeTemplateLoader(graphUrl, pace),
    signup: deps.metaApp ? makeEmbeddedSignup(deps, deps.metaApp, graphUrl, pace, log) : null,
    makeLine: (row, listener) => {
      const scope = new Scope(deps, { companyId: row.companyId })
      const link = makeCloudLink(scope, row, listener, log, graphUrl, pace)
      return {
        ...makeCloudActions(scope, row, link, pace),
        async start() {
          linksById.set(row.id, link)
          await link.open()
        },
        async stop() {
          if (linksById.get(row.id) === link) linksById.delete(row.id)
          await link.close()
        },
      }
    },
    /**
     * Meta may call any process. The process that runs the line journals the event at once. Any other process, or one that is
     * just losing the line, stores the event and signals the process that runs the line. Either way the event is on disk before
     * Meta gets the response.
     */
    async receive({ whatsappId, companyId }, events) {
      const link = linksById.get(whatsappId)
      const isReceived = link ? await link.receive(events).then(returnTrue, returnFalse) : false
      if (isReceived) return
      await new Scope(deps, { companyId }).transaction(async (scope) => {
        const kept = toStorableJson(events).text
        await scope.db.insertInto('cloudInbox').values({ companyId, whatsappId, events: kept }).execute()
        await scope.signal('cloud', whatsappId)
      })
    },
  }
}

const returnTrue = () => true
const returnFalse = () => false
