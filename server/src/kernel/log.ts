import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { currentTraceId } from './trace.ts'

export type Log = Logger

/** Fields that are removed from log entries, at the top level or one level down. */
const secretFields = [
  'password',
  'newPassword',
  'passwordHash',
  'token',
  'apiKey',
  'authorization',
  'cookie',
  'body',
  'message',
  'codeHash',
  'secret',
  'jrt',
]

/**
 * Removes secrets from a URL: reset paths contain the code and the new password, the addresses of flows their token,
 * signed links their signature, sockets their token.
 */
export function redactUrl(url: string): string {
  // The router decodes percent escapes and doubled slashes, so the path is matched in that form.
  const reset = /\/(resetpasswords|forgetpassword|flow-hooks)\//i.exec(
    url.replace(/%[2-7][0-9a-f]/gi, decodeURIComponent),
  )
  if (reset) return `/${reset[1]}/[hidden]`
  return url.replace(/([?&](?:token|sig|signature|password|code)=)[^&]*/gi, '$1[hidden]')
}

/** How many characters are buffered while the disk is full; further output is dropped. */
const maxBufferedChars = 1_000_000

/** The log destination. A full disk or a closed pipe must not end the server: log entries are dropped. */
export function openLogDestination(dest: number | string) {
  const out = pino.destination({ dest, minLength: 0, maxLength: maxBufferedChars })
  // The library's own listener throws on unknown errors.
  out.removeAllListeners('error')
  out.on('error', () => {})
  return out
}

export function makeLog(level: string, to?: DestinationStream): Log {
  const pretty = process.stdout.isTTY && !to
  const options: LoggerOptions = {
    level,
    base: null,
    mixin() {
      const id = currentTraceId()
      return id ? { trace: id } : {}
    },
    redact: { paths: secretFields.flatMap((f) => [f, `*.${f}`]), censor: '[hidden]' },
    serializers: {
      req: (req: { method: string; url: string; ip?: string }) => ({
        method: req.method,
        url: redactUrl(req.url),
        ip: req.ip,
      }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
      err: (err: Error & { code?: string }) => ({
        type: err.name,
        text: err.message,
        code: err.code,
        stack: err.stack,
      }),
    },
    ...(pretty && {
      transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss', ignore: 'pid,hostname' } },
    }),
  }
  return pretty ? pino(options) : pino(options, to ?? openLogDestination(1))
}
