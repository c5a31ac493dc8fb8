import { type Setting, type SettingKey, secretMask, settingDefinitions, settingsApi } from '@recado/contract/settings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'

let h: TestServer
beforeAll(async () => {
  h = await testServer()
})
afterAll(closeTestServers)

const put = (who: TestUser, key: string, value: unknown) =>
  who.request<Setting & { error: string }>('PUT', `/settings/${key}`, { key, value })
const all = async (who: TestUser) =>
  Object.fromEntries((await who.request<Setting[]>('GET', '/settings/')).body.map((s) => [s.key, s.value]))
const stored = (companyId: number, key: string) =>
  h
    .wide()
    .db.selectFrom('settings')
    .select('value')
    .where('companyId', '=', companyId)
    .where('key', '=', key)
    .executeTakeFirst()
const refused = { status: 400, body: { error: 'ERR_VALIDATION', fields: { value: expect.any(String) } } }

describe('settings', () => {
  it('returns every key with its default, for every profile', async () => {
    const company = await h.createCompany()
    const defaults = Object.fromEntries(Object.entries(settingDefinitions).map(([key, kind]) => [key, kind.default]))
    for (const who of [company.admin, await company.user()]) expect(await all(who)).toEqual(defaults)
    expect(defaults).toMatchObject({
      userRating: 'disabled',
      scheduleType: 'disabled',
      CheckMsgIsGroup: 'enabled',
      call: 'disabled',
      chatBotType: 'text',
      sendGreetingAccepted: 'disabled',
      campaignsEnabled: 'false',
      language: 'es',
      asaas: '',
    })
  })

  it('accepts every documented value and no other', async () => {
    const { admin } = await h.createCompany()
    // An admin who requires the second step must have set up their own.
    const own = { userId: admin.id, companyId: admin.companyId, secretSealed: 'x', confirmedAt: h.clock.now() }
    await h.wide().db.insertInto('secondFactors').values(own).execute()
    for (const [key, kind] of Object.entries(settingDefinitions)) {
      const known: readonly string[] =
        'values' in kind
          ? kind.values
          : 'zone' in kind
            ? ['America/Bogota', 'Asia/Tokyo', 'UTC']
            : 'whole' in kind
              ? ['0', '250000']
              : 'lines' in kind
                ? ['', 'Almuerzo', Array.from({ length: kind.lines }, (_, n) => `${n}`.repeat(20)).join('\n')]
                : ['', 'anything']
      for (const value of known)
        expect(await put(admin, key, value), `${key} ${value}`).toMatchObject({ status: 200, body: { key } })
      expect(await put(admin, key, undefined), key).toMatchObject(refused)
      expect(await put(admin, key, null), key).toMatchObject(refused)
      expect(await put(admin, key, { a: 1 }), key).toMatchObject(refused)
      expect(await put(admin, key, 'x'.repeat('words' in kind ? 4097 : 501)), key).toMatchObject(refused)
      if (key === 'asaas' || 'words' in kind) continue
      if ('lines' in kind) {
        const tooMany = Array.from({ length: kind.lines + 1 }, (_, n) => `${n}`).join('\n')
        for (const value of ['a\n\nb', 'a\na', ' a', 'x'.repeat(kind.lineLength + 1), tooMany])
          expect(await put(admin, key, value), `${key} ${value}`).toMatchObject(refused)
        continue
      }
      for (const value of ['', 'perhaps', 'ENABLED', 'Mars/Olympus', '-1', '1.5', '1e9'])
        expect(await put(admin, key, value), `${key} ${value}`).toMatchObject(refused)
      expect((await all(admin))[key]).toBe(known.at(-1))
    }
    expect(await admin.request('PUT', '/settings/call')).toMatchObject(refused)
    expect(await put(admin, 'campaignsEnabled', true)).toMatchObject({ status: 200, body: { value: 'true' } })
  })

  it('refuses an unknown key', async () => {
    const { admin, id } = await h.createCompany()
    for (const key of ['nonsense', 'constructor', '__proto__', 'toString', 'userrating', 'x'.repeat(60)]) {
      expect(await put(admin, key, 'enabled'), key).toMatchObject({
        status: 404,
        body: { error: 'ERR_NO_SETTING_FOUND' },
      })
    }
    expect(await h.wide().db.selectFrom('settings').selectAll().where('companyId', '=', id).execute()).toEqual([])
  })

  it('are changed by admins only, and published to the whole company and to no other', async () => {
    const company = await h.createCompany()
    const agent = await company.user()
    const stranger = (await h.createCompany()).admin
    const [socketClient, far] = [await agent.listen(), await stranger.listen()]
    for (const who of [agent, await company.user('supervisor')]) {
      expect(await put(who, 'call', 'enabled')).toMatchObject({ status: 400, body: { error: 'ERR_NO_PERMISSION' } })
    }
    await put(company.admin, 'call', 'enabled')
    expect(await socketClient.waitFor(`company-${company.id}-settings`)).toEqual({
      action: 'update',
      setting: { key: 'call', value: 'enabled' },
    })
    await far.whenCaughtUp()
    expect(far.received.filter((e) => e.name.endsWith('-settings'))).toEqual([])
    expect((await all(stranger)).call).toBe('disabled')
    expect((await all(agent)).call).toBe('enabled')
  })
})

it('returns single settings, and before the login those that clients of ticketz read there', async () => {
  const { admin, user } = await h.createCompany()
  await admin.call(settingsApi.update, { params: { key: 'asaas' }, body: { value: 'a secret' } })
  const one = async (key: string) => (await user()).call(settingsApi.show, { params: { key } })
  expect(await one('userRating')).toEqual({ key: 'userRating', value: 'disabled' })
  expect(await one('asaas')).toEqual({ key: 'asaas', value: expect.not.stringContaining('secret') })
  expect(await one('primaryColorLight')).toEqual({ key: 'primaryColorLight', value: '' })
  const asked = (key: string) => h.anonymous.call(settingsApi.showPublic, { params: { key } })
  expect([await asked('allowSignup'), await asked('appLogoLight'), await asked('asaas')]).toEqual(['enabled', '', ''])
})

describe('a secret', () => {
  const key: SettingKey = 'asaas'

  it('is write-only: not readable by its own admin, in live events or in the database', async () => {
    const company = await h.createCompany()
    const socketClient = await company.admin.listen()
    expect((await put(company.admin, key, 'top-secret-token')).body).toEqual({ key, value: secretMask })
    expect(await socketClient.waitFor(`company-${company.id}-settings`)).toEqual({
      action: 'update',
      setting: { key, value: secretMask },
    })
    expect((await all(company.admin))[key]).toBe(secretMask)
    const again = await h.login(company.admin.email)
    const me = await again.request('POST', '/auth/refresh_token')
    expect(JSON.stringify(me.body)).not.toContain('top-secret-token')
    const { value } = (await stored(company.id, key)) ?? { value: '' }
    expect(value).not.toContain('top-secret-token')
    expect(h.server.deps.vault.unseal(value)).toBe('top-secret-token')
    const boss = await h.superUser()
    expect(JSON.stringify((await boss.request('GET', '/companies/list')).body)).not.toContain('top-secret-token')
  })

  it('is kept when its mask is sent back, and removed when it is emptied', async () => {
    const { admin, id } = await h.createCompany()
    await put(admin, key, 'keep-me')
    const before = await stored(id, key)
    expect(await put(admin, key, secretMask)).toMatchObject({ status: 200, body: { value: secretMask } })
    // Older clients show the mask in the field and save on every key press.
    for (const typed of [`${secretMask}x`, secretMask.slice(1), `new${secretMask}`])
      expect(await put(admin, key, typed)).toMatchObject({ status: 200, body: { value: secretMask } })
    expect(await stored(id, key)).toEqual(before)
    expect(await put(admin, key, '')).toMatchObject({ status: 200, body: { value: '' } })
    expect((await all(admin))[key]).toBe('')
    expect(await put(admin, key, secretMask)).toMatchObject({ body: { value: '' } })
  })
})

describe('the setting that turns campaigns on', () => {
  it('can be turned on only if the plan has campaigns, and turned off by any company', async () => {
    const { id, admin } = await h.createCompany()
    const { db } = h.wide()
    const {
      id: _,
      createdAt: __,
      prices: ___,
      ...usual
    } = await db.selectFrom('plans').selectAll().where('id', '=', 2).executeTakeFirstOrThrow()
    const plan = await db
      .insertInto('plans')
      .values({ ...usual, name: `Sin campañas ${id}`, useCampaigns: false })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await put(admin, 'campaignsEnabled', true)).toMatchObject({ status: 200 })
    await db.updateTable('companies').set({ planId: plan.id }).where('id', '=', id).execute()
    expect(await put(admin, 'campaignsEnabled', false)).toMatchObject({ status: 200 })
    expect(await put(admin, 'campaignsEnabled', 'true')).toMatchObject({
      status: 402,
      body: { error: 'ERR_PLAN_FEATURE' },
    })
    expect((await all(admin)).campaignsEnabled).toBe('false')
  })
})

describe('holidays', () => {
  it('are stored once each and in order, published to everybody, and changed by admins', async () => {
    const company = await h.createCompany()
    const agent = await company.user()
    const holidays = [
      { day: '2026-12-25', name: 'Navidad', yearly: true },
      { day: '2026-05-01', name: 'Trabajo' },
      { day: '2026-12-25', name: 'Navidad otra vez', yearly: 'true' },
    ]
    const kept = [
      { day: '2026-05-01', name: 'Trabajo', yearly: false },
      { day: '2026-12-25', name: 'Navidad otra vez', yearly: true },
    ]
    const socketClient = await agent.listen()
    expect(await company.admin.request('PUT', '/holidays', { holidays })).toMatchObject({ status: 200, body: kept })
    expect(await socketClient.waitFor(`company-${company.id}-holidays`)).toEqual({ action: 'update', holidays: kept })
    socketClient.close()
    expect((await agent.request<object[]>('GET', '/holidays')).body).toHaveLength(2)
    expect(await agent.request('PUT', '/holidays', { holidays: [] })).toMatchObject({
      body: { error: 'ERR_NO_PERMISSION' },
    })
    for (const day of ['2026-02-30', 'mañana', '', 5])
      expect(await company.admin.request('PUT', '/holidays', { holidays: [{ day }] })).toMatchObject({ status: 400 })
  })
})
