import type { ILogger } from 'baileys/lib/Utils/logger.js'
import type { Log } from '../../../kernel/log.ts'

/** The library logs what it handles, texts and keys among it. Its words may reach our log, what it shows along may not. */
export function makeQuietLog(log: Log, line: number): ILogger {
  const say = (_shown: unknown, words?: string) => void (words && log.debug({ line, from: 'baileys' }, words))
  const none = () => {}
  const quiet: ILogger = {
    level: 'warn',
    child: () => quiet,
    trace: none,
    debug: none,
    info: none,
    warn: say,
    error: say,
  }
  return quiet
}
