import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { Signals } from '../../kernel/live/signals.ts'
import type { Log } from '../../kernel/log.ts'
import type { MakeLine } from '../line.ts'
import { deskSide } from './desk-side.ts'
import { makeLink, type SandboxPace, usualSandboxPace } from './link.ts'

type Given = { means: Means; log: Log; signals: Signals; pace?: Partial<SandboxPace> }

/** The provider `sandbox`: a real line whose WhatsApp is three tables and a screen. */
export function makeSandbox({ means, log, signals, ...given }: Given): MakeLine {
  const pace = { ...usualSandboxPace, ...given.pace }
  const awake = new Map<number, (word: string, about: string) => void>()
  signals.on('sandbox', (said) => {
    const [id, word = '', about = ''] = said.split(' ')
    awake.get(Number(id))?.(word, about)
  })

  return (row, ears) => {
    const scope = new Scope(means, { companyId: row.companyId })
    const link = makeLink(scope, row, ears, log, pace)
    return {
      ...deskSide(scope, row, link),
      async start() {
        awake.set(row.id, link.word)
        await link.open()
      },
      async stop() {
        if (awake.get(row.id) === link.word) awake.delete(row.id)
        await link.close()
      },
    }
  }
}
