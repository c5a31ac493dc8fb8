import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { currentTraceId } from './trace.ts'

export type Log = Logger

/** Fields that never reach a log line, at the top or one level down. */
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

/** Reset paths carry the code and the new password; signed links carry their signature; sockets their token. */
export function redactUrl(url: string): string {
  // The router reads percent signs and doubled slashes too: the path is judged as it reads it.
  const reset = /\/(resetpasswords|forgetpassword)\//i.exec(url.replace(/%[2-7][0-9a-f]/gi, decodeURIComponent))
  if (reset) return `/${reset[1]}/[hidden]`
  return url.replace(/([?&](?:token|sig|signature|password)=)[^&]*/gi, '$1[hidden]')
}

/** So many letters wait for a disk that is full; what is said beyond them is not kept. */
const maxBufferedChars = 1_000_000

/** Where lines go. A disk without room, or nobody at the other end, must not end the house: they are dropped. */
export function openLogDestination(dest: number | string) {
  const out = pino.destination({ dest, minLength: 0, maxLength: maxBufferedChars })
  // The library's own listener throws what it does not know.
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
