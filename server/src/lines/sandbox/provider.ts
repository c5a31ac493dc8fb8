import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import type { Log } from '../../kernel/log.ts'
import type { MakeLine } from '../line.ts'
import { makeSandboxActions } from './sandbox-actions.ts'
import { defaultSandboxTimings, makeSandboxLink, type SandboxTimings } from './sandbox-link.ts'

type SandboxProviderDeps = { deps: Deps; log: Log; signals: Signals; pace?: Partial<SandboxTimings> }

/** The provider `sandbox`: a real line whose WhatsApp is three tables and a screen. */
export function makeSandboxProvider({ deps: means, log, signals, ...given }: SandboxProviderDeps): MakeLine {
  const pace = { ...defaultSandboxTimings, ...given.pace }
  const awake = new Map<number, (word: string, about: string) => void>()
  signals.on('sandbox', (said) => {
    const [id, word = '', about = ''] = said.split(' ')
    awake.get(Number(id))?.(word, about)
  })

  return (row, ears) => {
    const scope = new Scope(means, { companyId: row.companyId })
    const link = makeSandboxLink(scope, row, ears, log, pace)
    return {
      ...makeSandboxActions(scope, row, link),
      async start() {
        awake.set(row.id, link.handleSignal)
        await link.open()
      },
      async stop() {
        if (awake.get(row.id) === link.handleSignal) awake.delete(row.id)
        await link.close()
      },
    }
  }
}
