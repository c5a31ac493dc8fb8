import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import type { Log } from '../../kernel/log.ts'
import type { MakeLine } from '../line.ts'
import { makeSandboxActions } from './sandbox-actions.ts'
import { defaultSandboxTimings, makeSandboxLink, type SandboxTimings } from './sandbox-link.ts'

type SandboxProviderDeps = { deps: Deps; log: Log; signals: Signals; pace?: Partial<SandboxTimings> }

/** The provider `sandbox`: a complete line for which three tables and a screen take the place of WhatsApp. */
export function makeSandboxProvider({ deps, log, signals, ...options }: SandboxProviderDeps): MakeLine {
  const pace = { ...defaultSandboxTimings, ...options.pace }
  const signalHandlers = new Map<number, (command: string, argument: string) => void>()
  signals.on('sandbox', (payload) => {
    const [id, command = '', argument = ''] = payload.split(' ')
    signalHandlers.get(Number(id))?.(command, argument)
  })

  return (row, listener) => {
    const scope = new Scope(deps, { companyId: row.companyId })
    const link = makeSandboxLink(scope, row, listener, log, pace)
    return {
      ...makeSandboxActions(scope, row, link),
      async start() {
        signalHandlers.set(row.id, link.handleSignal)
        await link.open()
      },
      async stop() {
        if (signalHandlers.get(row.id) === link.handleSignal) signalHandlers.delete(row.id)
        await link.close()
      },
    }
  }
}
