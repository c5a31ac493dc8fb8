import { topics } from '@recado/contract/live'
import { useLiveTopic } from '../../lib/live.ts'

/** Reports the steps that ran after a message was sent, on any screen. */
export function useMacroRunNews(): void {
  useLiveTopic(topics.macroRun, ({ run }) => {
    if (run.messageId !== null) void import('./run-macro.ts').then((module) => module.reportMacroRun(run))
  })
}
