import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, checkListenAddress, readConfig } from './config.ts'

const dir = mkdtempSync(join(tmpdir(), 'recado-config-'))
afterAll(() => rmSync(dir, { recursive: true }))
const base = { DATA_DIR: dir, APP_SECRET: 'x'.repeat(32) }
const readConfigError = (env: Record<string, string>) => {
  try {
    readConfig({ ...base, ...env })
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
}

describe('settings from the environment', () => {
  it('have safe defaults', () => {
    expect(readConfig(base)).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: dir,
      databaseUrl: undefined,
      publicUrl: undefined,
      smtpUrl: undefined,
      logLevel: 'info',
      metricsToken: undefined,
      corsOrigins: [],
      trustProxy: false,
      adminEmail: 'admin@recado.local',
      adminPassword: undefined,
      privateTargets: false,
      uploadLimit: 64 * 1024 * 1024,
      diskReservePercent: 5,
      sessionTtlMs: 90 * 86_400_000,
      graphUrl: 'https://graph.facebook.com/v25.0',
    })
    expect(readConfig(base).role).toBe('all')
    expect(readConfig({ ...base, ROLE: 'lines', DATABASE_URL: 'postgres://x/y' }).role).toBe('lines')
    expect(readConfigError({ ROLE: 'lines' })).toMatch(/^ROLE: .*DATABASE_URL/)
    expect(readConfigError({ ROLE: 'kitchen' })).toMatch(/^ROLE: must be one of all, web, lines, jobs/)
    expect(readConfig({ APP_SECRET: base.APP_SECRET }).dataDir).toMatch(/\/data$/)
  })

  it('are treated as absent if left blank', () => {
    const blank = Object.fromEntries(
      [
        'HOST',
        'PORT',
        'DATABASE_URL',
        'PUBLIC_URL',
        'SMTP_URL',
        'MAIL_FROM',
        'LOG_LEVEL',
        'METRICS_TOKEN',
        'CORS_ORIGINS',
        'TRUST_PROXY',
        'ADMIN_EMAIL',
        'ADMIN_PASSWORD',
        'OUTGOING_PRIVATE',
        'UPLOAD_LIMIT_MB',
        'DISK_RESERVE_PERCENT',
        'SESSION_DAYS',
      ].map((name) => [name, '']),
    )
    expect(readConfig({ ...base, ...blank })).toEqual(readConfig(base))
  })

  it('are parsed into numbers, URLs and lists', () => {
    const config = readConfig({
      ...base,
      PORT: '8080',
      PUBLIC_URL: 'https://desk.example/',
      CORS_ORIGINS: 'https://a.example/, http://localhost:5173 ,',
      TRUST_PROXY: 'true',
      ADMIN_EMAIL: 'Boss@Desk.Example',
      UPLOAD_LIMIT_MB: '1.5',
      DATABASE_URL: 'postgres://u:p@db/x',
      SMTP_URL: 'smtps://u:p@mail.example:465',
    })
    expect(config).toMatchObject({
      port: 8080,
      publicUrl: 'https://desk.example',
      corsOrigins: ['https://a.example', 'http://localhost:5173'],
      trustProxy: true,
      adminEmail: 'boss@desk.example',
      uploadLimit: 1_572_864,
    })
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://x'],
    ['APP_SECRET', 'too short'],
    ['PUBLIC_URL', 'desk.example'],
    ['PUBLIC_URL', 'ftp://desk.example'],
    ['PUBLIC_URL', 'https://desk.example/somewhere'],
    ['SMTP_URL', 'mail.example:25'],
    ['SMTP_URL', 'http://mail.example'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_TOKEN', 'short'],
    ['CORS_ORIGINS', 'desk.example'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://a.example,https://b.example/path'],
    ['TRUST_PROXY', 'yes'],
    ['ADMIN_EMAIL', 'boss'],
    ['ADMIN_PASSWORD', 'short'],
    ['ADMIN_PASSWORD', 'x'.repeat(51)],
    ['UPLOAD_LIMIT_MB', '0'],
    ['UPLOAD_LIMIT_MB', 'much'],
    ['META_APP_ID', 'recado'],
    ['META_APP_SECRET', 'short'],
  ])('refuse %s=%s with a one-line error that names the setting and does not repeat secrets', (name, value) => {
    const message = readConfigError({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name}: .{5,}$`))
    if (/SECRET|TOKEN|PASSWORD|URL/.test(name)) expect(message).not.toContain(value)
  })

  it('name the app at Meta completely or not at all', () => {
    const app = { META_APP_ID: '4711', META_APP_SECRET: 'x'.repeat(32), META_CONFIG_ID: '4712' }
    expect(readConfig({ ...base, ...app }).metaApp).toEqual({ id: '4711', secret: 'x'.repeat(32), configId: '4712' })
    expect(readConfig(base).metaApp).toBeUndefined()
    for (const name of Object.keys(app))
      expect(readConfigError({ ...app, [name]: '' })).toMatch(/^META_APP_ID, .*three/)
  })

  it('are all reported at once if several are wrong', () => {
    expect(
      readConfigError({ PORT: 'x', LOG_LEVEL: 'x', SMTP_URL: 'x' })
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual(['PORT', 'SMTP_URL', 'LOG_LEVEL'])
  })
})

describe('errors of the machine at startup', () => {
  it('name the setting to change: a port in use, an address of another machine, a folder that cannot be created', async () => {
    const other = createServer()
    await new Promise<void>((open) => other.listen(0, '127.0.0.1', open))
    const { port } = other.address() as AddressInfo
    const taken = checkListenAddress({ host: '127.0.0.1', port })
    await expect(taken).rejects.toThrow(ConfigError)
    await expect(taken).rejects.toThrow(`PORT: ${port} is in use already on 127.0.0.1`)
    await new Promise((closed) => other.close(closed))
    await checkListenAddress({ host: '127.0.0.1', port })
    await expect(checkListenAddress({ host: '192.0.2.1', port })).rejects.toThrow(/^HOST, PORT: .*192\.0\.2\.1/)
    expect(readConfigError({ APP_SECRET: '', DATA_DIR: join(import.meta.filename, 'below') })).toMatch(
      /^DATA_DIR: .*ENOTDIR/,
    )
  })
})

describe('the app secret', () => {
  it('is created once, stored beside the data with owner-only permissions, and found again', () => {
    const fresh = join(dir, 'made', 'here')
    const first = readConfig({ DATA_DIR: fresh }).appSecret
    expect(first.length).toBeGreaterThanOrEqual(32)
    expect(readConfig({ DATA_DIR: fresh }).appSecret).toBe(first)
    const file = join(fresh, 'app-secret')
    expect([readFileSync(file, 'utf8').trim(), statSync(file).mode & 0o777]).toEqual([first, 0o600])
    expect(readConfig({ DATA_DIR: join(dir, 'other') }).appSecret).not.toBe(first)
    expect(readConfig({ DATA_DIR: fresh, APP_SECRET: 'y'.repeat(40) }).appSecret).toBe('y'.repeat(40))
  })
})
