import type { ILogger } from 'baileys/lib/Utils/logger.js'
import type { Log } from '../../../kernel/log.ts'

/** The library logs the data it handles, including texts and keys. Only its messages go to our log, not its objects. */
export function makeQuietLog(log: Log, line: number): ILogger {
  const logText = (_shown: unknown, words?: string) => void (words && log.debug({ line, from: 'baileys' }, words))
  const ignore = () => {}
  const quiet: ILogger = {
    level: 'warn',
    child: () => quiet,
    trace: ignore,
    debug: ignore,
    info: ignore,
    warn: logText,
    error: logText,
  }
  return quiet
}
