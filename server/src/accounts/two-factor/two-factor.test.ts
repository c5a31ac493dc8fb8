import { auditApi } from '@recado/contract/api-access/audit'
import { twoFactorApi } from '@recado/contract/passwords/two-factor'
import { settingsApi } from '@recado/contract/settings'
import { usersApi } from '@recado/contract/users'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  closeTestServers,
  password as currentPassword,
  makeCaller,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { totpCodeAt, totpStepAt } from './totp.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const halfMinuteMs = 30_000
/** The current code of the user's app. Each call moves the clock by 30 seconds, because no code is accepted twice. */
const currentTotpCode = (secret: string) => {
  harness.clock.advance(halfMinuteMs)
  return totpCodeAt(secret, totpStepAt(harness.clock.now()))
}
const login = (who: { email: string }, code?: string, password = currentPassword) =>
  harness.anonymous.request<{ token: string; recoveryCodes?: string[]; error?: string }>('POST', '/auth/login', {
    ...{ email: who.email, password },
    ...(code !== undefined && { code }),
  })
async function turnOn(who: TestUser) {
  const { secret, address } = await who.call(twoFactorApi.begin, { body: { currentPassword } })
  const { recoveryCodes } = await who.call(twoFactorApi.confirm, { body: { code: currentTotpCode(secret) } })
  return { secret, address, recoveryCodes }
}

describe('a second login step', () => {
  it('is requested after the password, and accepts each code once', async () => {
    const { admin: ana } = await harness.createCompany()
    expect(await ana.call(twoFactorApi.show)).toEqual({ since: null, required: false, recoveryCodesLeft: 0 })
    const { secret, address, recoveryCodes } = await turnOn(ana)
    expect(address).toContain(`secret=${secret}`)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await ana.call(twoFactorApi.show)).toMatchObject({ since: expect.any(String), recoveryCodesLeft: 10 })

    expect(await login(ana, undefined, 'wrong')).toMatchObject({ body: { error: 'ERR_INVALID_CREDENTIALS' } })
    expect(await login(ana)).toMatchObject({ status: 401, body: { error: 'ERR_TWO_FACTOR_REQUIRED' } })
    expect(await login(ana, '000000')).toMatchObject({ status: 400, body: { error: 'ERR_TWO_FACTOR_CODE' } })
    const code = currentTotpCode(secret)
    const [one, two] = await Promise.all([login(ana, code), login(ana, code)])
    expect([one.status, two.status].sort()).toEqual([200, 400])
    expect((await login(ana, code)).status).toBe(400)
    // A code older than the last used one is refused, too.
    expect((await login(ana, totpCodeAt(secret, totpStepAt(harness.clock.now()) - 1))).status).toBe(400)
    expect((await login(ana, ` ${currentTotpCode(secret).replace(/^.../, '$& ')}`)).status).toBe(200)
  })

  it('accepts each recovery code once, in any notation, when the phone is lost', async () => {
    const { admin: ana } = await harness.createCompany()
    const { secret, recoveryCodes } = await turnOn(ana)
    const [first = '', second = ''] = recoveryCodes
    expect((await login(ana, first)).status).toBe(200)
    expect((await login(ana, first)).status).toBe(400)
    const again = await login(ana, second.toUpperCase().replace('-', ' '))
    expect(again.status).toBe(200)
    const back = makeCaller(harness.address, again.body.token)
    expect(await back.call(twoFactorApi.show)).toMatchObject({ recoveryCodesLeft: 8 })
    await expect(back.call(twoFactorApi.renew, { body: { code: '000000' } })).rejects.toThrow('ERR_TWO_FACTOR_CODE')
    const { recoveryCodes: fresh } = await back.call(twoFactorApi.renew, { body: { code: currentTotpCode(secret) } })
    expect((await login(ana, recoveryCodes[2])).status).toBe(400)
    expect((await login(ana, fresh[2])).status).toBe(200)
  })

  it('limits the number of guessed codes', async () => {
    const { admin: ana } = await harness.createCompany()
    const { secret } = await turnOn(ana)
    for (let n = 0; n < 10; n++) expect((await login(ana, '000000')).status).toBe(400)
    expect(await login(ana, currentTotpCode(secret))).toMatchObject({
      status: 429,
      body: { error: 'ERR_TOO_MANY_TRIES' },
    })
    harness.clock.advance(15 * 60_000)
    expect((await login(ana, currentTotpCode(secret))).status).toBe(200)
  })

  it('is set up and removed with the password, and confirmed with a code', async () => {
    const { admin: ana } = await harness.createCompany()
    await expect(ana.call(twoFactorApi.begin, { body: { currentPassword: 'wrong' } })).rejects.toThrow(
      'ERR_CURRENT_PASSWORD',
    )
    await expect(ana.call(twoFactorApi.confirm, { body: { code: '123456' } })).rejects.toThrow('ERR_TWO_FACTOR_CODE')
    const { secret: dropped } = await ana.call(twoFactorApi.begin, { body: { currentPassword } })
    expect((await login(ana)).status).toBe(200)
    const { admin: bea } = await harness.createCompany()
    const begun = await bea.call(twoFactorApi.begin, { body: { currentPassword } })
    await expect(bea.call(twoFactorApi.confirm, { body: { code: currentTotpCode(dropped) } })).rejects.toThrow(
      'ERR_TWO_FACTOR_CODE',
    )
    await bea.call(twoFactorApi.confirm, { body: { code: currentTotpCode(begun.secret) } })
    await expect(bea.call(twoFactorApi.begin, { body: { currentPassword } })).rejects.toThrow('ERR_TWO_FACTOR_ON')
    const end = (currentPassword: string, code: string) =>
      bea.call(twoFactorApi.end, { body: { currentPassword, code } })
    await expect(end('wrong', currentTotpCode(begun.secret))).rejects.toThrow('ERR_CURRENT_PASSWORD')
    await expect(end(currentPassword, '000000')).rejects.toThrow('ERR_TWO_FACTOR_CODE')
    await end(currentPassword, currentTotpCode(begun.secret))
    expect((await login(bea)).status).toBe(200)
  })

  it('is requested after a password reset by mail, too', async () => {
    const { admin: ana, id: companyId } = await harness.createCompany()
    const { secret } = await turnOn(ana)
    const codeHash = harness.server.deps.vault.sign('reset', `${ana.id}:87654321`)
    const expiresAt = new Date(harness.clock.now().getTime() + 60_000)
    await harness
      .wide()
      .db.insertInto('passwordResets')
      .values({ userId: ana.id, companyId, codeHash, expiresAt })
      .execute()
    const newPassword = 'otra cosa con calma'
    const reset = await harness.anonymous.request('POST', '/resetpasswords', {
      email: ana.email,
      token: '87654321',
      newPassword,
    })
    expect(reset).toMatchObject({ status: 200, cookies: [], body: { message: 'changed' } })
    expect(await login(ana, undefined, newPassword)).toMatchObject({ body: { error: 'ERR_TWO_FACTOR_REQUIRED' } })
    expect((await login(ana, currentTotpCode(secret), newPassword)).status).toBe(200)
  })

  it('never shows its secret and codes again', async () => {
    const { admin: ana } = await harness.createCompany()
    const { secret, recoveryCodes } = await turnOn(ana)
    const row = await harness
      .wide()
      .db.selectFrom('secondFactors')
      .selectAll()
      .where('userId', '=', ana.id)
      .executeTakeFirst()
    expect(JSON.stringify(row)).not.toContain(secret)
    for (const code of recoveryCodes) expect(JSON.stringify(row)).not.toContain(code)
    expect(JSON.stringify(await ana.call(usersApi.show, { params: { id: ana.id } }))).not.toMatch(/ecret|recovery/)
  })
})

describe('a company that requires the second step', () => {
  it('refuses a login without it; users who have not set one up do so at login', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const ask = () => admin.call(settingsApi.update, { params: { key: 'twoFactor' }, body: { value: 'enabled' } })
    await expect(ask()).rejects.toThrow('ERR_TWO_FACTOR_OWN')
    const { secret } = await turnOn(admin)
    const agent = await company.user()
    const socketClient = await agent.listen()
    await ask()
    expect(await socketClient.waitFor(`company-${company.id}-session`)).toMatchObject({ reason: 'two-factor-asked' })
    expect((await agent.request('GET', '/auth/me')).status).toBe(401)
    expect((await admin.request('GET', '/auth/me')).status).toBe(200)

    const door = (password: string) =>
      harness.anonymous.request<{ secret: string }>('POST', '/auth/login/two-factor', { email: agent.email, password })
    expect(await login(agent)).toMatchObject({ status: 401, body: { error: 'ERR_TWO_FACTOR_SETUP' } })
    expect((await login(agent, '123456')).status).toBe(400)
    expect((await door('wrong')).status).toBe(401)
    const { secret: theirs } = (await door(currentPassword)).body
    const entered = await login(agent, currentTotpCode(theirs))
    expect(entered).toMatchObject({ status: 200, body: { recoveryCodes: expect.any(Array) } })
    const second = await login(agent, currentTotpCode(theirs))
    expect([second.status, second.body.recoveryCodes]).toEqual([200, undefined])
    // Once the second step is set up, the login offers no other secret.
    expect(await door(currentPassword)).toMatchObject({ status: 409, body: { error: 'ERR_TWO_FACTOR_ON' } })
    await expect(
      admin.call(twoFactorApi.end, { body: { currentPassword, code: currentTotpCode(secret) } }),
    ).rejects.toThrow('ERR_TWO_FACTOR_KEPT')
  })

  it('gives no secret at login to users of a company that does not require the second step', async () => {
    const { admin } = await harness.createCompany()
    const door = await harness.anonymous.request('POST', '/auth/login/two-factor', {
      email: admin.email,
      password: currentPassword,
    })
    expect(door).toMatchObject({ status: 400, body: { error: 'ERR_NO_PERMISSION' } })
  })
})

describe('a user who lost all second factors', () => {
  it('gets access again from their admin or the super user only, and the change is audited', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const [agent, colleague] = [await company.user(), await company.user()]
    const { admin: stranger } = await harness.createCompany()
    await turnOn(agent)
    const { users } = await admin.call(usersApi.list)
    expect(users.filter((user) => user.twoFactor).map((user) => user.id)).toEqual([agent.id])
    const endFor = (by: TestUser, id: number) => by.request('POST', `/users/${id}/two-factor/end`)
    expect((await endFor(colleague, agent.id)).status).toBe(400)
    expect((await endFor(stranger, agent.id)).status).toBe(404)
    expect((await endFor(admin, admin.id)).status).toBe(400)
    expect((await login(agent)).status).toBe(401)
    expect((await endFor(admin, agent.id)).status).toBe(200)
    expect((await login(agent)).status).toBe(200)
    const { entries } = await admin.call(auditApi.list, { query: { deed: 'two-factor' } })
    expect(entries.map(({ deed: action, about, by }) => [action, about, by.id])).toEqual([
      ['two-factor.off', agent.id, admin.id],
      ['two-factor.on', agent.id, agent.id],
    ])
    await turnOn(admin)
    const boss = await harness.superUser()
    expect((await endFor(boss, admin.id)).status).toBe(200)
    const back = await harness.login(admin.email)
    const [last] = (await back.call(auditApi.list, { query: { deed: 'two-factor' } })).entries
    expect(last?.by).toEqual({ id: 0, name: expect.any(String) })
  })
})

describe('the login audit', () => {
  it('records logins and attempts with their origin', async () => {
    const { admin: ana } = await harness.createCompany()
    await login(ana, undefined, 'wrong')
    await login(ana)
    const back = makeCaller(harness.address, (await login(ana)).body.token)
    const { logins } = await back.call(twoFactorApi.logins)
    expect(logins.map((one) => one.current)).toEqual([true, false, false])
    expect(logins[0]?.from).toContain('127.0.0.1')
    // A refused login is recorded after its response was sent.
    await vi.waitFor(async () => {
      const { entries } = await back.call(auditApi.list, { query: { deed: 'login' } })
      expect(entries.map(({ deed: action, about }) => [action, about]).sort()).toEqual([
        ['login.done', ana.id],
        ['login.done', ana.id],
        ['login.done', ana.id],
        ['login.refused', ana.id],
      ])
    }, 10_000)
  })

  it('records a refused second step after a correct password', async () => {
    const { admin: ana } = await harness.createCompany()
    await turnOn(ana)
    // A login that is asked for the second step does not count as refused.
    expect((await login(ana)).status).toBe(401)
    expect((await login(ana, '000000')).status).toBe(400)
    await vi.waitFor(async () => {
      const { entries } = await ana.call(auditApi.list, { query: { deed: 'login.refused' } })
      expect(entries.map(({ about, name }) => [about, name])).toEqual([[ana.id, expect.stringContaining('127.0.0.1')]])
    }, 10_000)
  })

  it('is searchable, exportable and immutable', async () => {
    const company = await harness.createCompany()
    const { admin } = company
    const agent = await company.user()
    await admin.call(settingsApi.update, { params: { key: 'userRating' }, body: { value: 'enabled' } })
    // The onboarding guide closes itself: this is not an action of a user.
    await admin.call(settingsApi.update, { params: { key: 'firstSteps' }, body: { value: 'done' } })
    const found = async (query: object) =>
      (await admin.call(auditApi.list, { query: query as never })).entries.map((entry) => entry.deed)
    expect(await found({ searchParam: 'USERRAT' })).toEqual(['setting.changed'])
    expect(await found({ searchParam: '%' })).toEqual([])
    expect(await found({ deed: 'setting', dateTo: '2001-01-01' })).toEqual([])
    expect(await found({ deed: 'setting', dateFrom: '2001-01-01' })).toEqual(['setting.changed'])
    expect(await found({ userId: agent.id })).toEqual(['login.done'])
    const { body } = await admin.request<string>('GET', '/audit/export?deed=setting')
    expect(body).toContain('setting.changed')
    const { admin: stranger } = await harness.createCompany()
    expect(JSON.stringify(await stranger.call(auditApi.list))).not.toContain('userRating')
    expect((await agent.request('GET', '/audit')).status).toBe(400)
    for (const { db } of [new Scope(harness.server.deps, { companyId: company.id }), harness.wide()]) {
      await expect(db.updateTable('audit').set({ name: 'x' }).execute()).rejects.toThrow(/permission denied/)
      await expect(db.deleteFrom('audit').execute()).rejects.toThrow(/permission denied/)
    }
  })
})
