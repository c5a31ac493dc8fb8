import { readdir, readFile, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { auditApi } from '@recado/contract/api-access/audit'
import { usersApi } from '@recado/contract/users'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeTestServers, password, type TestServer, testServer } from '../../test/test-server.ts'
import { minutes } from '../kernel/clock.ts'
import { openPool } from '../kernel/data/database.ts'
import { makeLog } from '../kernel/log.ts'

type Letter = { to: string; from: string; subject: string; text: string }

/** A real SMTP server. With `refuse` it answers "try again later" that many times, after reading the mail. */
async function postOffice() {
  const letters: Letter[] = []
  const office = { letters, refuse: 0, url: '', close: () => new Promise<void>((resolve) => server.close(resolve)) }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onData(stream, session, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const { mailFrom, rcptTo } = session.envelope
      letters.push({
        ...read(Buffer.concat(chunks).toString('utf8')),
        to: rcptTo.map((r) => r.address).join(),
        from: mailFrom ? mailFrom.address : '',
      })
      if (office.refuse-- > 0)
        done(Object.assign(new Error('the office is full, come back later'), { responseCode: 451 }))
      else done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  office.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return office
}

const decodeQuotedPrintable = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
function read(raw: string): { subject: string; text: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const header = (name: string) => new RegExp(`^${name}: ((?:.*)(?:\\r\\n[ \\t].*)*)`, 'im').exec(head)?.[1] ?? ''
  const subject = header('subject')
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuotedPrintable(text.replaceAll('_', ' ')),
    )
  const encoding = header('content-transfer-encoding').toLowerCase()
  const body = rest.join('\r\n\r\n')
  return {
    subject,
    text:
      encoding === 'base64'
        ? Buffer.from(body, 'base64').toString('utf8')
        : encoding === 'quoted-printable'
          ? decodeQuotedPrintable(body)
          : body,
  }
}

let harness: TestServer
/** A server that trusts the proxy in front of it, so that callers can have many addresses. */
let proxiedServer: TestServer
let office: Awaited<ReturnType<typeof postOffice>>
let logOutput = ''
const appendToLog = (line: string) => {
  logOutput += line
}
beforeAll(async () => {
  office = await postOffice()
  harness = await testServer({ smtpUrl: office.url }, makeLog('trace', { write: appendToLog }))
  proxiedServer = await testServer({ smtpUrl: office.url, trustProxy: true })
  // Freeze the clock, so that a code does not expire while a test runs.
  harness.clock.freeze()
})
// Limits count per address and 15 minutes, and all tests share one address: move past the limits.
beforeEach(() => harness.clock.advance(minutes(16)))
afterAll(async () => {
  await closeTestServers()
  await office.close()
})

const requestResetCode = (email: string) =>
  harness.anonymous.request('POST', `/forgetpassword/${encodeURIComponent(email)}`)
const reset = (email: string, token: string, newPassword = 'My-New-Secret-1') =>
  harness.anonymous.request('POST', '/resetpasswords', { email, token, newPassword })
const invalid = { status: 400, body: { error: 'ERR_RESET_CODE_INVALID' } }
const enter = (email: string, secret: string) =>
  harness.anonymous.request('POST', '/auth/login', { email, password: secret })
const lettersTo = (email: string) => office.letters.filter((l) => l.to === email)
const codeIn = (letter: Letter | undefined) => /\b\d{8}\b/.exec(letter?.text ?? '')?.[0] ?? ''
async function jobsDone(of: TestServer): Promise<void> {
  const owner = openPool(of.databaseUrl, makeLog('silent'), { max: 1 })
  await vi.waitFor(async () => expect((await owner.query('select 1 from graphile_worker.jobs')).rowCount).toBe(0), {
    timeout: 10_000,
  })
  await owner.end()
}
async function codeFor(email: string, request = () => requestResetCode(email)): Promise<string> {
  const before = lettersTo(email).length
  expect(await request()).toMatchObject({ status: 200, body: { status: 200, delivery: 'mail' } })
  return codeIn(
    await vi.waitFor(() => lettersTo(email)[before] ?? expect.unreachable('no letter yet'), {
      timeout: 10_000,
      interval: 20,
    }),
  )
}
const wrongFor = (code: string) => String((Number(code) + 1) % 100_000_000).padStart(8, '0')

describe('the reset mail', () => {
  it('is in the language of the user, or else of the company', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const agent = await company.user()
    await agent.request('POST', '/users/set-language/pt')
    expect(await codeFor(admin.email)).toMatch(/^\d{8}$/)
    await codeFor(agent.email)
    await admin.request('PUT', '/settings/language', { value: 'en' })
    await codeFor(admin.email)
    const [es, en] = lettersTo(admin.email)
    const [pt] = lettersTo(agent.email)
    expect(es).toMatchObject({
      subject: 'Tu código para cambiar la contraseña',
      from: 'no-reply@recado.test',
      text: expect.stringContaining('Hola, The admin:'),
    })
    expect(pt).toMatchObject({
      subject: 'Seu código para trocar a senha',
      text: expect.stringContaining('Olá, The user!'),
    })
    expect(en).toMatchObject({
      subject: 'Your password reset code',
      text: expect.stringContaining('Hi The admin,'),
    })
  })

  it('is not sent for an unknown or disabled address, and the answer does not reveal it', async () => {
    const company = await harness.createCompany()
    const left = await company.user()
    await company.admin.call(usersApi.update, {
      params: { id: left.id },
      body: { whatsappId: null, name: 'Left', email: left.email, active: false },
    })
    const [unknown, disabled] = [await requestResetCode('nobody@nowhere.test'), await requestResetCode(left.email)]
    const before = office.letters.length
    await codeFor(company.admin.email)
    const known = await requestResetCode(company.admin.email.toUpperCase())
    for (const answer of [unknown, disabled]) expect([answer.status, answer.body]).toEqual([known.status, known.body])
    await jobsDone(harness)
    expect(office.letters.slice(before).map((l) => l.to)).toEqual([company.admin.email, company.admin.email])
  })
})

describe('the reset code', () => {
  it('sets a new password once, and ends open sessions', async () => {
    const { admin } = await harness.createCompany()
    const socketClient = await admin.listen()
    const code = await codeFor(admin.email)
    expect(await reset(` ${admin.email.toUpperCase()}`, ` ${code} `, 'Brand-New-Word-7')).toMatchObject({
      status: 200,
      body: { message: 'changed' },
    })
    expect(await socketClient.waitFor(`company-${admin.companyId}-session`)).toMatchObject({
      action: 'update',
      user: { id: admin.id },
    })
    expect((await admin.request('GET', '/auth/me')).status).toBe(401)
    expect(
      (await harness.anonymous.request('POST', '/auth/refresh_token', undefined, { cookie: admin.cookie })).status,
    ).toBe(401)
    expect((await enter(admin.email, password)).status).toBe(401)
    const back = await harness.login(admin.email, 'Brand-New-Word-7')
    expect(await reset(admin.email, code, 'Once-More-Please-1')).toMatchObject(invalid)
    // The audit shows the change to a user whose mailbox was stolen.
    const { entries } = await back.call(auditApi.list, { query: { deed: 'user' } })
    expect(entries.map(({ deed: action, by, changes }) => [action, by.id, changes])).toEqual([
      ['user.changed', admin.id, [{ field: 'password', from: '', to: '' }]],
    ])
  })

  it('is also accepted in the path, as older clients send it, with every character a password may have', async () => {
    const { admin } = await harness.createCompany()
    const code = await codeFor(admin.email)
    const hard = 'Aa1 %/?#&+ñ漢'
    const path = ['/resetpasswords', admin.email, code, hard].map((p, n) => (n ? encodeURIComponent(p) : p)).join('/')
    expect(await harness.anonymous.request('POST', path)).toMatchObject({ status: 200, body: { message: 'changed' } })
    expect((await enter(admin.email, hard)).status).toBe(200)
  })

  it('expires after 15 minutes', async () => {
    const { admin } = await harness.createCompany()
    const early = await codeFor(admin.email)
    harness.clock.advance(minutes(15) - 5000)
    expect((await reset(admin.email, early)).status).toBe(200)
    const late = await codeFor(admin.email)
    harness.clock.advance(minutes(15) + 1000)
    expect(await reset(admin.email, late)).toMatchObject(invalid)
    expect((await enter(admin.email, 'My-New-Secret-1')).status).toBe(200)
  })

  it('stays valid after four wrong tries and is refused after the fifth, even if the tries are parallel', async () => {
    const { admin, user } = await harness.createCompany()
    const code = await codeFor(admin.email)
    for (let n = 0; n < 4; n++) expect(await reset(admin.email, wrongFor(code))).toMatchObject(invalid)
    expect((await reset(admin.email, code)).status).toBe(200)
    const agent = await user()
    const other = await codeFor(agent.email)
    await Promise.all([1, 2, 3, 4, 5].map(() => reset(agent.email, wrongFor(other))))
    expect(await reset(agent.email, other)).toMatchObject(invalid)
    expect((await reset(agent.email, await codeFor(agent.email))).status).toBe(200)
  })

  it('works once, even if it is used several times in parallel', async () => {
    const { admin } = await harness.createCompany()
    const code = await codeFor(admin.email)
    const answers = await Promise.all([1, 2, 3].map((n) => reset(admin.email, code, `My-New-Secret-${n}`)))
    expect(answers.map((a) => a.status).sort()).toEqual([200, 400, 400])
  })

  it('is invalid for other users, and after the password or the address has changed', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const agent = await company.user()
    const fresh = await codeFor(agent.email)
    expect(await reset(admin.email, fresh)).toMatchObject(invalid)
    await agent.call(usersApi.update, {
      params: { id: agent.id },
      body: { whatsappId: null, name: 'The user', email: `new-${agent.email}`, currentPassword: password },
    })
    expect(await reset(`new-${agent.email}`, fresh)).toMatchObject(invalid)
    const last = await codeFor(`new-${agent.email}`)
    await admin.call(usersApi.update, {
      params: { id: agent.id },
      body: { whatsappId: null, name: 'The user', email: agent.email, password: 'from-the-admin' },
    })
    expect(await reset(agent.email, last)).toMatchObject(invalid)
    expect((await enter(agent.email, 'from-the-admin')).status).toBe(200)
  })

  it('stays valid when a newer code is requested, and all codes become invalid once one was used', async () => {
    const { admin } = await harness.createCompany()
    const [first, second, third] = [
      await codeFor(admin.email),
      await codeFor(admin.email),
      await codeFor(admin.email),
    ] as const
    expect((await reset(admin.email, second)).status).toBe(200)
    for (const code of [first, second, third]) expect(await reset(admin.email, code)).toMatchObject(invalid)
  })

  it('requires a strong password', async () => {
    const { admin } = await harness.createCompany()
    for (const weak of ['Short-1', 'Password1', 'Barcelona2024!', '12121212', `${'x'.repeat(128)}A1`]) {
      expect(await reset(admin.email, '12345678', weak), weak).toMatchObject({
        status: 400,
        body: { error: 'ERR_VALIDATION', fields: { newPassword: expect.any(String) } },
      })
    }
    expect(await harness.anonymous.request('POST', '/resetpasswords')).toMatchObject({
      status: 400,
      body: { fields: { email: 'Required', token: 'Required', newPassword: 'Required' } },
    })
  })
})

describe('reset limits', () => {
  it('accept five requests for an address from one caller in 15 minutes', async () => {
    const { admin, user } = await harness.createCompany()
    for (let n = 0; n < 5; n++) expect((await requestResetCode(admin.email)).status).toBe(200)
    expect(await requestResetCode(admin.email)).toMatchObject({ status: 429, body: { error: 'ERR_TOO_MANY_TRIES' } })
    expect(await requestResetCode(` ${admin.email.toUpperCase()}`)).toMatchObject({ status: 429 })
    expect((await requestResetCode((await user()).email)).status).toBe(200)
    harness.clock.advance(minutes(15) + 1000)
    expect((await requestResetCode(admin.email)).status).toBe(200)
  })

  it('lock nobody else out: requests and wrong codes of another caller do not count, however many', async () => {
    const { admin } = await proxiedServer.createCompany()
    const ask = (path: string, ip: string, body?: object) =>
      proxiedServer.anonymous.request('POST', path, body, { 'x-forwarded-for': ip })
    const stranger = '203.0.113.66'
    const childServer = '198.51.100.7'
    const code = await codeFor(admin.email, () => ask(`/forgetpassword/${admin.email}`, childServer))
    for (let n = 0; n < 8; n++) await ask(`/forgetpassword/${admin.email}`, stranger)
    for (let n = 0; n < 20; n++)
      await ask('/resetpasswords', stranger, {
        email: admin.email,
        token: wrongFor(code),
        newPassword: 'Not-For-You-1',
      })
    // The user may request a code again, and the mailbox was not filled: at most five codes are valid at once.
    expect((await ask(`/forgetpassword/${admin.email}`, childServer)).status).toBe(200)
    await jobsDone(proxiedServer)
    expect(lettersTo(admin.email)).toHaveLength(5)
    expect(
      await ask('/resetpasswords', childServer, { email: admin.email, token: code, newPassword: 'My-New-Secret-1' }),
    ).toMatchObject({ status: 200 })
  })

  it('stop the tries of all callers together before they can guess a code', async () => {
    const { admin } = await proxiedServer.createCompany()
    const code = await codeFor(admin.email, () =>
      proxiedServer.anonymous.request('POST', `/forgetpassword/${admin.email}`),
    )
    const guess = (token: string, ip: string) =>
      proxiedServer.anonymous.request(
        'POST',
        '/resetpasswords',
        { email: admin.email, token, newPassword: 'My-New-Secret-1' },
        { 'x-forwarded-for': ip },
      )
    for (let n = 0; n < 200; n += 5)
      await Promise.all([1, 2, 3, 4, 5].map(() => guess(wrongFor(code), `198.51.100.${n}`)))
    expect(await guess(code, '192.0.2.1')).toMatchObject(invalid)
  })

  it('accept requests for sixty addresses, and twenty codes, from one sender in 15 minutes', async () => {
    const asked = await Promise.all(Array.from({ length: 61 }, (_, n) => requestResetCode(`many-${n}@nowhere.test`)))
    expect(asked.map((a) => a.status).filter((s) => s === 200)).toHaveLength(60)
    expect(asked.filter((a) => a.status === 429)).toHaveLength(1)
    for (let n = 0; n < 20; n++) expect((await reset(`many-${n}@nowhere.test`, '00000000')).status).toBe(400)
    expect(await reset('one-more@nowhere.test', '00000000')).toMatchObject({ status: 429 })
    expect(await harness.anonymous.request('POST', '/resetpasswords/a@b.test/00000000/My-New-Secret-1')).toMatchObject({
      status: 429,
    })
  })
})

describe('reset secrets', () => {
  it('are never stored in plain text: not in waiting jobs, the database or the log', async () => {
    const owner = openPool(harness.databaseUrl, makeLog('silent'), { max: 1 })
    const { admin } = await harness.createCompany()
    office.refuse = 1
    const code = await codeFor(admin.email)
    const failed = await vi.waitFor(
      async () =>
        (
          await owner.query<{ last_error: string }>(
            'select * from graphile_worker._private_jobs where last_error is not null',
          )
        ).rows[0] ?? expect.unreachable('not failed yet'),
      { timeout: 10_000 },
    )
    expect(failed.last_error).toContain('the office is full')
    const { rows: tables } = await owner.query<{ t: string }>(
      `select format('%I.%I', schemaname, tablename) as t from pg_tables where schemaname in ('public', 'graphile_worker')`,
    )
    let everything = ''
    for (const { t } of tables)
      everything += (await owner.query(`select coalesce(json_agg(x), '[]')::text as rows from ${t} x`)).rows[0].rows
    expect(everything).toContain(admin.email)

    // The SMTP server was only temporarily busy: the mail is retried.
    await vi.waitFor(() => expect(lettersTo(admin.email).map(codeIn)).toEqual([code, code]), { timeout: 15_000 })
    const path = `/resetpasswords/${admin.email}/${code}/Hidden-In-Path-1`
    for (const spelled of [
      path.replace(code, wrongFor(code)),
      `/${path.replace(code, wrongFor(code))}`,
      path.replace('reset', '%72eset').replace(code, wrongFor(code)),
      path,
    ])
      await harness.anonymous.request('POST', spelled)
    const back = await harness.login(admin.email, 'Hidden-In-Path-1')
    await back.listen()
    await reset(admin.email, code, 'Hidden-In-Body-1')
    await enter(admin.email, 'Hidden-Wrong-One-1')
    await harness.anonymous.request('POST', '/companies/cadastro', {
      name: 'Secretive',
      email: 'secret@sol.test',
      password: 'Hidden-Signup-1',
    })
    await back.request('POST', '/users', { name: 'Someone', email: 'someone@sol.test', password: 'Hidden-User-1' })
    await back.request('PUT', '/settings/asaas', { value: 'Hidden-Api-Key-1' })
    for (const { t } of tables)
      everything += (await owner.query(`select coalesce(json_agg(x), '[]')::text as rows from ${t} x`)).rows[0].rows
    await owner.end()

    expect(logOutput).toContain('/resetpasswords/[hidden]')
    expect(logOutput).toContain('the office is full')
    expect(logOutput).toContain('/companies/cadastro')
    const secrets = [
      code,
      wrongFor(code),
      'Hidden-',
      password,
      back.token,
      back.cookie.slice(4),
      admin.token,
      admin.cookie.slice(4),
    ]
    for (const secret of secrets) {
      expect(everything.includes(secret), `${secret} in the database`).toBe(false)
      expect(logOutput.includes(secret), `${secret} in the log`).toBe(false)
    }
  })
})

describe('the reset mail without an SMTP server', () => {
  it('writes the mail to a folder that only the operator can read, and says so in the answer', async () => {
    const offline = await testServer()
    const { admin } = await offline.createCompany()
    expect(await offline.anonymous.request('POST', `/forgetpassword/${admin.email}`)).toMatchObject({
      status: 200,
      body: { status: 200, delivery: 'folder' },
    })
    const folder = join(offline.dataDir, 'mail')
    const file = await vi.waitFor(
      async () => join(folder, (await readdir(folder))[0] ?? expect.unreachable('no letter yet')),
      { timeout: 10_000 },
    )
    await vi.waitFor(async () =>
      expect(await readFile(file, 'utf8')).toMatch(new RegExp(`^To: ${admin.email}\nSubject: Tu código`)),
    )
    expect([(await stat(folder)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600])
    // Search only the body: an address in the headers may have eight digits, too.
    const letter = await readFile(file, 'utf8')
    const code = /\b\d{8}\b/.exec(letter.slice(letter.indexOf('\n\n')))?.[0]
    expect(
      (
        await offline.anonymous.request('POST', '/resetpasswords', {
          email: admin.email,
          token: code,
          newPassword: 'From-The-Folder-1',
        })
      ).status,
    ).toBe(200)
  })
})
