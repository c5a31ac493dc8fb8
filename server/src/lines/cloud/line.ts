import { keepable } from '../../kernel/data/keepable.ts'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import type { Log } from '../../kernel/log.ts'
import type { InboundEvent, MakeLine } from '../line.ts'
import { deskSide } from './desk-side.ts'
import { type CloudPace, type Link, makeLink, usualCloudPace } from './link.ts'
import { type AskTemplates, templatesAt } from './templates.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalWords {
    /** Meta told another process something of this line. */
    cloud: [whatsappId: number]
  }
}

type Given = { means: Means; log: Log; signals: Signals; graphUrl: string; pace?: Partial<CloudPace> }

/** Where what Meta said of a line is taken; over when it is written down. */
export type Receive = (line: { whatsappId: number; companyId: number }, events: InboundEvent[]) => Promise<void>
export type Cloud = { make: MakeLine; receive: Receive; templates: AskTemplates }

/** The provider `cloud`: Meta's official API. */
export function makeCloud({ means, log, signals, graphUrl, ...given }: Given): Cloud {
  const pace = { ...usualCloudPace, ...given.pace }
  const here = new Map<number, Link>()
  signals.on('cloud', (word) => void here.get(Number(word))?.drain())

  return {
    templates: templatesAt(graphUrl, pace),
    make: (row, ears) => {
      const scope = new Scope(means, { companyId: row.companyId })
      const link = makeLink(scope, row, ears, log, graphUrl, pace)
      return {
        ...deskSide(scope, row, link, pace),
        async start() {
          here.set(row.id, link)
          await link.open()
        },
        async stop() {
          if (here.get(row.id) === link) here.delete(row.id)
          await link.close()
        },
      }
    },
    /**
     * Meta calls any process. The one that runs the line journals it at once; another one, or one that is losing the
     * line just now, stores it and tells the one that runs it. Either way it is on disk before Meta is answered.
     */
    async receive({ whatsappId, companyId }, events) {
      const link = here.get(whatsappId)
      const heard = link ? await link.hear(events).then(yes, no) : false
      if (heard) return
      await new Scope(means, { companyId }).transaction(async (scope) => {
        const kept = keepable(events).text
        await scope.db.insertInto('cloudInbox').values({ companyId, whatsappId, events: kept }).execute()
        await scope.signal('cloud', whatsappId)
      })
    },
  }
}

const yes = () => true
const no = () => false
