import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { makeLog, openLogDestination, redactUrl } from './log.ts'

describe('a URL in the log', () => {
  it.each([
    ['/resetpasswords/ana@desk.test/12345678/My-Secret-1', '/resetpasswords/[hidden]'],
    ['//resetpasswords//ana@desk.test/12345678/My-Secret-1', '/resetpasswords/[hidden]'],
    ['/%72esetpasswords/ana@desk.test/12345678/My-Secret-1', '/resetpasswords/[hidden]'],
    ['/resetpasswords%2Fana@desk.test/12345678/My-Secret-1', '/resetpasswords/[hidden]'],
    ['http://desk.example/resetpasswords/ana@desk.test/12345678/My-Secret-1', '/resetpasswords/[hidden]'],
    ['/flow-hooks/3q2-7wEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '/flow-hooks/[hidden]'],
    ['/forgetpassword/ana@desk.test', '/forgetpassword/[hidden]'],
    ['/public/1/abc.png/a.png?until=1&sig=SECRET', '/public/1/abc.png/a.png?until=1&sig=[hidden]'],
    ['/socket.io/?EIO=4&token=SECRET&transport=websocket', '/socket.io/?EIO=4&token=[hidden]&transport=websocket'],
    ['/x?password=SECRET', '/x?password=[hidden]'],
    ['/tags?searchParam=100%&pageNumber=1', '/tags?searchParam=100%&pageNumber=1'],
    ['/x/%zz%E0%A4%A', '/x/%zz%E0%A4%A'],
  ])('logs %s as %s', (url, shown) => {
    expect(redactUrl(url)).toBe(shown)
  })
})

describe('a log entry', () => {
  it('is one row of JSON with its time in milliseconds since 1970, whatever its content', () => {
    const lines: string[] = []
    const before = Date.now()
    makeLog('info', { write: (line: string) => void lines.push(line) }).warn({ from: 'a\n{"level":60}\r\n' }, 'b\nc')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^[^\r\n]+\n$/)
    const { time, ...said } = JSON.parse(lines[0] as string)
    expect(said).toEqual({ level: 40, from: 'a\n{"level":60}\r\n', msg: 'b\nc' })
    expect(time).toBeGreaterThanOrEqual(before)
    expect(time).toBeLessThanOrEqual(Date.now())
  })

  it('contains no passwords, tokens, cookies or message bodies, at the top level or one level down', () => {
    let written = ''
    const keep = (line: string) => {
      written += line
    }
    const log = makeLog('trace', { write: keep })
    const secrets = {
      password: 'SECRET',
      newPassword: 'SECRET',
      passwordHash: 'SECRET',
      token: 'SECRET',
      apiKey: 'SECRET',
      authorization: 'SECRET',
      cookie: 'SECRET',
      body: 'SECRET',
      message: 'SECRET',
      codeHash: 'SECRET',
      jrt: 'SECRET',
    }
    log.info({ ...secrets, headers: secrets, user: { ...secrets, id: 7 } }, 'something happened')
    log.info(
      {
        req: { method: 'POST', url: '/resetpasswords/a/b/SECRET', headers: secrets, body: secrets, ip: '::1' },
        res: { statusCode: 200, headers: secrets },
      },
      'answered',
    )
    log.error(
      { err: Object.assign(new Error('it broke'), { code: '23505', detail: 'Key (email)=(SECRET)', query: 'SECRET' }) },
      'unexpected',
    )
    expect(written).not.toContain('SECRET')
    for (const kept of [
      'something happened',
      '"id":7',
      '/resetpasswords/[hidden]',
      'it broke',
      '23505',
      '"status":200',
    ])
      expect(written).toContain(kept)
  })
})

it.skipIf(!existsSync('/dev/full'))('does not fail when the disk is full', async () => {
  const out = openLogDestination('/dev/full')
  const refused = once(out, 'error')
  const log = makeLog('info', out)
  log.info('one')
  expect((await refused)[0]).toMatchObject({ code: 'ENOSPC' })
  const again = once(out, 'error')
  log.info('two')
  expect((await again)[0]).toMatchObject({ code: 'ENOSPC' })
  out.destroy()
})
