import { auditApi } from '@recado/contract/api-access/audit'
import { type User, usersApi } from '@recado/contract/users'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeTestServers, password, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'

let harness: TestServer
let superUser: TestUser
beforeAll(async () => {
  harness = await testServer()
  superUser = await harness.superUser()
})
afterAll(closeTestServers)

let userCount = 0
/** The values of an untouched form. */
const form = (over: object = {}) => ({
  name: 'Ana Torres',
  email: `ana-${++userCount}@desk.test`,
  password: 'a-good-password',
  profile: 'user',
  allTicket: 'desabled',
  whatsappId: false,
  queueIds: [],
  ...over,
})
const create = (who: TestUser, over: object = {}) => who.request<User & { error: string }>('POST', '/users', form(over))
/** Like a client: sends back the whole row with changes. */
const edit = async (who: TestUser, id: number, over: object) => {
  const { body } = await who.request<User>('GET', `/users/${id}`)
  return who.request<User & { error: string }>('PUT', `/users/${id}`, {
    ...body,
    queueIds: body.queues?.map((q) => q.id),
    password: '',
    ...over,
  })
}
const insert = async (table: 'queues' | 'whatsapps', companyId: number, name: string) => {
  const { rows } = await (table === 'queues'
    ? sql<{
        id: number
      }>`insert into queues ("companyId", name, color) values (${companyId}, ${name}, ${`#${String(++userCount).padStart(6, '0')}`}) returning id`
    : sql<{ id: number }>`insert into whatsapps ("companyId", name) values (${companyId}, ${name}) returning id`
  ).execute(harness.wide().db)
  return rows[0]?.id as number
}
const missing = { status: 404, body: { error: 'ERR_NO_USER_FOUND' } }
const denied = { status: 400, body: { error: 'ERR_NO_PERMISSION' } }
const enter = (email: string, secret: string) =>
  harness.anonymous.request('POST', '/auth/login', { email, password: secret })

describe('reading users', () => {
  it('pages the newest first and searches names and addresses, for every profile', async () => {
    const { id: companyId, admin, user } = await harness.createCompany()
    const agent = await user()
    const values = Array.from({ length: 21 }, (_, n) => ({
      companyId,
      name: n === 7 ? 'Zoë 100%' : `Person ${n}`,
      email: `p${n}-${companyId}@list.test`,
      profile: 'user' as const,
      allTicket: 'desabled' as const,
      whatsappId: null,
      language: null,
      passwordHash: 'x',
      createdAt: new Date(Date.now() + 1000 * (n + 1)),
    }))
    await harness.wide().db.insertInto('users').values(values).execute()
    for (const who of [admin, agent]) {
      const first = await who.request<{ users: User[]; count: number; hasMore: boolean }>(
        'GET',
        '/users/?searchParam=&pageNumber=1',
      )
      expect([first.body.users.length, first.body.count, first.body.hasMore, first.body.users[0]?.name]).toEqual([
        20,
        23,
        true,
        'Person 20',
      ])
      const second = await who.call(usersApi.list, { query: { pageNumber: 2 } })
      expect(second).toMatchObject({
        count: 23,
        hasMore: false,
        users: [{ name: 'Person 0' }, { id: agent.id }, { id: admin.id }],
      })
    }
    const found = async (searchParam: string) =>
      (await agent.call(usersApi.list, { query: { searchParam } })).users.map((u) => u.name)
    expect(await found('zoë')).toEqual(['Zoë 100%'])
    expect(await found('0%')).toEqual(['Zoë 100%'])
    expect(await found(`P7-${companyId}@`)).toEqual(['Zoë 100%'])
    expect(await found('_')).toEqual([])
  })

  it('returns a user without secrets and with the user’s queues', async () => {
    const { id: companyId, admin, user } = await harness.createCompany()
    const agent = await user()
    const queueId = await insert('queues', companyId, 'Ventas')
    expect(await admin.request('GET', `/users/${agent.id}`)).toMatchObject({ status: 200 })
    await edit(admin, agent.id, { queueIds: [queueId] })
    const { body } = await agent.request<User>('GET', `/users/${agent.id}`)
    expect(Object.keys(body).sort()).toEqual(
      [
        'active',
        'onShift',
        'shifts',
        'skillIds',
        'allTicket',
        'availability',
        'availabilityCause',
        'availabilityReason',
        'availabilitySince',
        'capacity',
        'companyId',
        'createdAt',
        'email',
        'hasTimeZone',
        'hidesGuide',
        'id',
        'invited',
        'language',
        'name',
        'online',
        'hasLoggedIn',
        'profile',
        'queues',
        'super',
        'timeZone',
        'twoFactor',
        'whatsappId',
        'undoSeconds',
        'weeklyMail',
      ].sort(),
    )
    expect(body.queues).toEqual([{ id: queueId, name: 'Ventas', color: expect.any(String), UserQueue: { queueId } }])
  })

  it('lists all users of the company, oldest first; only the super user may request another company', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    const other = await harness.createCompany()
    const ids = async (who: TestUser, query = '') =>
      (await who.request<User[]>('GET', `/users/list${query}`)).body.map((u) => u.id)
    expect(await ids(agent)).toEqual([company.admin.id, agent.id])
    expect(await ids(agent, `?companyId=${other.id}`)).toEqual([company.admin.id, agent.id])
    expect(await ids(superUser, `?companyId=${other.id}`)).toEqual([other.admin.id])
    expect(await ids(superUser, '?companyId=987654')).toEqual([])
    expect(await ids(superUser)).toContain(superUser.id)
  })
})

describe('creating users', () => {
  it('creates a user who can log in, and publishes it to the company', async () => {
    const { id: companyId, admin } = await harness.createCompany()
    const socketClient = await admin.listen()
    const queueId = await insert('queues', companyId, 'Soporte')
    const whatsappId = await insert('whatsapps', companyId, 'Línea')
    const answer = await create(admin, {
      email: ' Mixed@Case.Test ',
      profile: 'supervisor',
      allTicket: 'enabled',
      whatsappId: String(whatsappId),
      queueIds: [queueId, String(queueId)],
      super: true,
      companyId: 1,
      online: true,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        email: 'mixed@case.test',
        profile: 'supervisor',
        allTicket: 'enabled',
        whatsappId,
        super: false,
        companyId,
        online: false,
        queues: [{ id: queueId }],
      },
    })
    expect(await socketClient.waitFor(`company-${companyId}-user`, { action: 'create' })).toMatchObject({
      user: { ...answer.body, company: { id: companyId } },
    })
    expect((await enter('mixed@case.test', 'a-good-password')).status).toBe(200)
  })

  it('requires an admin and an e-mail address that is not in use', async () => {
    const company = await harness.createCompany()
    for (const profile of ['user', 'supervisor'] as const)
      expect(await create(await company.user(profile))).toMatchObject(denied)
    expect(await create(company.admin, { password: '1234', name: 'x', email: 'x' })).toMatchObject({
      status: 400,
      body: {
        error: 'ERR_VALIDATION',
        fields: { name: 'Too Short!', email: 'Invalid email', password: expect.any(String) },
      },
    })
    const stranger = await harness.createCompany()
    expect(await create(stranger.admin, { email: company.admin.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { error: 'ERR_EMAIL_ALREADY_EXISTS' },
    })
  })

  it('refuses queues and connections of another company, and creates nothing', async () => {
    const company = await harness.createCompany()
    const other = await harness.createCompany()
    const before = await company.admin.call(usersApi.everyone)
    expect(await create(company.admin, { queueIds: [await insert('queues', other.id, 'Theirs')] })).toMatchObject({
      status: 404,
      body: { error: 'ERR_QUEUE_NOT_FOUND' },
    })
    expect(await create(company.admin, { whatsappId: await insert('whatsapps', other.id, 'Theirs') })).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_WAPP_FOUND' },
    })
    expect(await company.admin.call(usersApi.everyone)).toEqual(before)
  })

  it('creates users up to the seats of the plan and no more, also with parallel requests', async () => {
    const { id: companyId, admin } = await harness.createCompany()
    const plan = await harness
      .wide()
      .db.insertInto('plans')
      .values({
        name: `Tiny ${companyId}`,
        users: 6,
        connections: 1,
        queues: 1,
        value: 1,
        useCampaigns: true,
        useKanban: true,
        useOpenAi: true,
        useIntegrations: true,
        useSchedules: true,
        useInternalChat: true,
        useExternalApi: true,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await harness.wide().db.updateTable('companies').set({ planId: plan.id }).where('id', '=', companyId).execute()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(admin)))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(5)
    for (const a of answers)
      if (a.status !== 200) expect(a).toMatchObject({ status: 402, body: { error: 'ERR_PLAN_LIMIT_USERS' } })
    expect(await admin.call(usersApi.everyone)).toHaveLength(6)
    expect(await superUser.request('POST', '/users', form({ companyId }))).toMatchObject({
      status: 402,
      body: { error: 'ERR_PLAN_LIMIT_USERS' },
    })
    const someone = answers.find((a) => a.status === 200)
    await admin.call(usersApi.remove, { params: { id: someone?.body.id ?? 0 } })
    expect((await create(admin)).status).toBe(200)
    expect((await create(admin)).status).toBe(402)
  })
})

describe('changing users', () => {
  it('lets users change their own name, address and password, and ignores their other form fields', async () => {
    const { id: companyId, user } = await harness.createCompany()
    const queueId = await insert('queues', companyId, 'Any')
    const whatsappId = await insert('whatsapps', companyId, 'Any')
    for (const profile of ['user', 'supervisor'] as const) {
      const me = await user(profile)
      const answer = await edit(me, me.id, {
        name: 'My own name',
        email: `own-${me.email}`,
        currentPassword: password,
        profile: 'admin',
        super: true,
        allTicket: 'enabled',
        whatsappId,
        queueIds: [queueId],
        active: false,
        companyId: superUser.companyId,
      })
      expect(answer).toMatchObject({
        status: 200,
        body: {
          name: 'My own name',
          email: `own-${me.email}`,
          profile,
          super: false,
          allTicket: 'desabled',
          whatsappId: null,
          queues: [],
          active: true,
          companyId,
        },
      })
      await edit(me, me.id, { password: 'changed-by-me', currentPassword: password })
      expect((await enter(`own-${me.email}`, password)).status).toBe(401)
      expect((await enter(`own-${me.email}`, 'changed-by-me')).status).toBe(200)
    }
  })

  it('requires the current password to change credentials, for admins and the super user too', async () => {
    const company = await harness.createCompany()
    const refused = (how: string) => ({
      status: 400,
      body: { error: 'ERR_CURRENT_PASSWORD', fields: { currentPassword: how } },
    })
    for (const me of [await company.user(), company.admin]) {
      for (const change of [{ password: 'changed-by-me' }, { email: `other-${me.email}` }]) {
        expect(await edit(me, me.id, change)).toMatchObject(refused('Required'))
        expect(await edit(me, me.id, { ...change, currentPassword: 'not-this-one' })).toMatchObject(refused('Invalid'))
      }
      // Older clients have no field for the current password, so this request changes neither address nor password.
      expect((await edit(me, me.id, { name: 'Another name', email: me.email.toUpperCase() })).status).toBe(200)
      expect((await edit(me, me.id, { password: 'changed-by-me', currentPassword: password })).status).toBe(200)
      // The session that changed the password continues.
      expect((await me.request('GET', '/auth/me')).status).toBe(200)
      expect((await enter(me.email, 'changed-by-me')).status).toBe(200)
    }
    expect((await edit(superUser, superUser.id, { password: 'changed-by-me' })).status).toBe(400)
  })

  it('does not ask an admin for a password to reset a user’s, and ends that user’s sessions', async () => {
    const { admin, user } = await harness.createCompany()
    const agent = await user()
    expect((await edit(admin, agent.id, { password: 'from-the-admin' })).status).toBe(200)
    expect((await agent.request('GET', '/auth/me')).status).toBe(401)
    expect((await edit(superUser, agent.id, { password: 'from-the-super' })).status).toBe(200)
    expect((await enter(agent.email, 'from-the-super')).status).toBe(200)
  })

  it('limits guesses of one’s own password and tries of addresses in use to ten', async () => {
    const { admin, user } = await harness.createCompany()
    const agent = await user()
    const tooMany = { status: 429, body: { error: 'ERR_TOO_MANY_TRIES' } }
    const guess = (currentPassword: string) => edit(agent, agent.id, { password: 'changed-by-me', currentPassword })
    for (let n = 0; n < 10; n++) expect((await guess(`guess-${n}`)).status).toBe(400)
    expect(await guess(password)).toMatchObject(tooMany)

    const ask = (email: string) => edit(admin, admin.id, { email, currentPassword: password })
    for (let n = 0; n < 10; n++) expect((await ask(superUser.email)).body.error).toBe('ERR_EMAIL_ALREADY_EXISTS')
    expect(await ask(superUser.email)).toMatchObject(tooMany)
    expect(await ask('nobody-has-this@desk.test')).toMatchObject(tooMany)
    expect(await create(admin, { email: superUser.email })).toMatchObject(tooMany)
    expect((await edit(admin, admin.id, { name: 'Only the name' })).status).toBe(200)
  })

  it('lets an admin change every field, and publishes the whole session user to the company', async () => {
    const { id: companyId, admin, user } = await harness.createCompany()
    const agent = await user()
    const socketClient = await agent.listen()
    const queueId = await insert('queues', companyId, 'Caja')
    const whatsappId = await insert('whatsapps', companyId, 'Caja')
    const changed = await edit(admin, agent.id, {
      name: 'Renamed',
      profile: 'supervisor',
      allTicket: 'enabled',
      whatsappId,
      queueIds: [queueId],
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Renamed', profile: 'supervisor', allTicket: 'enabled', whatsappId, queues: [{ id: queueId }] },
    })
    const news = () => socketClient.received.filter((e) => e.name === `company-${companyId}-user`).at(-1)?.payload
    await socketClient.whenCaughtUp()
    expect(news()).toMatchObject({
      action: 'update',
      user: { ...changed.body, online: true, company: { id: companyId, settings: expect.any(Array) } },
    })
    for (const none of [false, '', null]) {
      await edit(admin, agent.id, { whatsappId })
      expect((await edit(admin, agent.id, { whatsappId: none })).body.whatsappId).toBeNull()
    }
    expect((await edit(admin, agent.id, { whatsappId: String(whatsappId) })).body.whatsappId).toBe(whatsappId)
    expect((await edit(admin, agent.id, { whatsappId: 'x' })).status).toBe(400)
    expect((await agent.request('GET', '/auth/me')).body).toMatchObject({ profile: 'supervisor' })
  })

  it('allows only admins to change or delete other users', async () => {
    const company = await harness.createCompany()
    const childServer = await company.user()
    for (const profile of ['user', 'supervisor'] as const) {
      const who = await company.user(profile)
      expect(await edit(who, childServer.id, { name: 'Defaced', password: 'stolen-account' })).toMatchObject(denied)
      expect(await who.request('DELETE', `/users/${childServer.id}`)).toMatchObject(denied)
    }
    expect((await company.admin.call(usersApi.show, { params: { id: childServer.id } })).name).toBe('The user')
  })

  it('refuses an e-mail address in use', async () => {
    const { admin, user } = await harness.createCompany()
    const agent = await user()
    expect(await edit(admin, agent.id, { email: superUser.email })).toMatchObject({
      status: 409,
      body: { error: 'ERR_EMAIL_ALREADY_EXISTS' },
    })
    expect((await edit(admin, agent.id, { email: agent.email.toUpperCase() })).body.email).toBe(agent.email)
  })

  it('refuses the login of a disabled user until they are enabled again', async () => {
    const { admin, user } = await harness.createCompany()
    const agent = await user()
    expect((await edit(admin, agent.id, { active: false })).body.active).toBe(false)
    expect((await enter(agent.email, password)).status).toBe(401)
    expect((await edit(admin, agent.id, { name: 'Still away' })).body.active).toBe(false)
    await edit(admin, agent.id, { active: true })
    expect((await enter(agent.email, password)).status).toBe(200)
  })
})

describe('the time zone of a user', () => {
  it('is the company’s until the user chooses one, also when older clients send the company’s value back', async () => {
    const { admin, user } = await harness.createCompany()
    const me = await user()
    const shown = async () => (await me.request<User>('GET', `/users/${me.id}`)).body
    expect(await shown()).toMatchObject({ timeZone: 'America/Sao_Paulo', hasTimeZone: false })
    const write = async (by: TestUser, timeZone: unknown) => (await edit(by, me.id, { email: me.email, timeZone })).body
    const theirs = { timeZone: 'Asia/Tokyo', hasTimeZone: true }
    // First the client sends the received zone back; then the user and an admin choose a zone, and at last the zone is
    // cleared.
    expect(await write(me, 'America/Sao_Paulo')).toMatchObject({ hasTimeZone: false })
    expect(await write(me, 'Asia/Tokyo')).toMatchObject(theirs)
    for (const same of [undefined, 'Nowhere/Land', 7]) expect(await write(admin, same)).toMatchObject(theirs)
    expect(await write(admin, 'Europe/Lisbon')).toMatchObject({ timeZone: 'Europe/Lisbon' })
    expect(await write(me, '')).toMatchObject({ timeZone: 'America/Sao_Paulo', hasTimeZone: false })
    const made = await admin.call(usersApi.create, {
      body: { name: 'Aiko', email: `aiko-${me.email}`, password, timeZone: 'Asia/Tokyo' },
    })
    expect(made).toMatchObject(theirs)
    expect((await harness.login(made.email)).id).toBe(made.id)
  })
})

describe('a demoted admin', () => {
  it('soon receives only what the new profile may see, on the socket that is already open', async () => {
    const { id: companyId, admin, user } = await harness.createCompany()
    const second = await user('admin')
    const socketClient = await second.listen()
    let said = 0
    /** Whether the second admin receives a broadcast as an admin, who may change the message. */
    const hears = async () => {
      socketClient.received.length = 0
      await admin.request('POST', '/quick-messages', { shortcode: `all ${++said}`, message: 'x', geral: true })
      await socketClient.whenCaughtUp()
      return socketClient.received
        .filter((e) => e.name === `company${companyId}-quickemessage`)
        .map((e) => (e.payload.record as { editable: boolean }).editable)
    }
    expect(await hears()).toEqual([false, true])
    await edit(admin, second.id, { profile: 'user' })
    await vi.waitFor(async () => expect(await hears()).toEqual([false]))
    await edit(admin, second.id, { profile: 'admin' })
    await vi.waitFor(async () => expect(await hears()).toEqual([false, true]))
  })
})

describe('deleting users', () => {
  it('removes the user and publishes it to the company', async () => {
    const { id: companyId, admin, user } = await harness.createCompany()
    const agent = await user()
    const socketClient = await admin.listen()
    expect(await admin.request('DELETE', `/users/${agent.id}`)).toMatchObject({
      status: 200,
      body: { message: 'deleted' },
    })
    await socketClient.waitFor(`company-${companyId}-user`, { action: 'delete', userId: agent.id })
    expect(await admin.request('GET', `/users/${agent.id}`)).toMatchObject(missing)
    expect(await admin.request('DELETE', `/users/${agent.id}`)).toMatchObject(missing)
    expect((await enter(agent.email, password)).status).toBe(401)
  })
})

describe('the last admin', () => {
  it('cannot be demoted, disabled or deleted', async () => {
    const { admin, user } = await harness.createCompany()
    const last = { status: 409, body: { error: 'ERR_LAST_ADMIN' } }
    await user('supervisor')
    expect(await edit(admin, admin.id, { profile: 'user' })).toMatchObject(last)
    expect(await edit(admin, admin.id, { active: false })).toMatchObject(last)
    expect(await admin.request('DELETE', `/users/${admin.id}`)).toMatchObject(last)
    expect((await edit(admin, admin.id, { name: 'Still admin' })).status).toBe(200)
    const second = await user('admin')
    expect((await edit(second, admin.id, { active: false })).status).toBe(200)
    expect(await edit(second, second.id, { profile: 'user' })).toMatchObject(last)
  })

  it('remains when two admins demote each other at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, admin, user } = await harness.createCompany()
      const second = await user('admin')
      await Promise.all([edit(admin, second.id, { profile: 'user' }), edit(second, admin.id, { profile: 'user' })])
      const left = (await superUser.call(usersApi.everyone, { query: { companyId: id } })).filter(
        (u) => u.profile === 'admin',
      )
      expect(left).toHaveLength(1)
    }
  })

  it('is not required in a company that never had an admin', async () => {
    const { id } = await harness
      .wide()
      .db.insertInto('companies')
      .values({
        name: 'No admin here',
        email: null,
        planId: 2,
        dueDate: null,
        trialExpiration: null,
        recurrence: null,
        referrerId: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const agent = await harness.createUser(id, 'user')
    expect((await edit(superUser, agent.id, { name: 'Renamed' })).status).toBe(200)
    expect((await superUser.request('DELETE', `/users/${agent.id}`)).status).toBe(200)
  })
})

describe('tenant isolation of users', () => {
  it('refuses an admin access to users of another company, whatever the body says', async () => {
    const { admin } = await harness.createCompany()
    const other = await harness.createCompany()
    const childServer = await other.user()
    for (const id of [childServer.id, other.admin.id, superUser.id]) {
      expect(await admin.request('GET', `/users/${id}`)).toMatchObject(missing)
      for (const companyId of [admin.companyId, other.id, undefined]) {
        expect(await admin.request('PUT', `/users/${id}`, form({ companyId, name: 'Taken over' }))).toMatchObject(
          missing,
        )
      }
      expect(await admin.request('DELETE', `/users/${id}`)).toMatchObject(missing)
    }
    expect((await other.admin.call(usersApi.show, { params: { id: childServer.id } })).name).toBe('The user')
    expect((await create(admin, { companyId: other.id })).body.companyId).toBe(admin.companyId)
  })

  it('keeps a platform admin from changing the super user, and the last super user from leaving', async () => {
    const colleague = await harness.createUser(superUser.companyId, 'admin')
    expect(await edit(colleague, superUser.id, { password: 'taken-over' })).toMatchObject(denied)
    expect(await colleague.request('DELETE', `/users/${superUser.id}`)).toMatchObject(denied)
    const last = { status: 409, body: { error: 'ERR_LAST_ADMIN' } }
    expect(await superUser.request('DELETE', `/users/${superUser.id}`)).toMatchObject(last)
    expect(await edit(superUser, superUser.id, { active: false })).toMatchObject(last)
    expect((await edit(superUser, superUser.id, { name: 'The boss' })).status).toBe(200)
    expect((await superUser.request('GET', '/auth/me')).status).toBe(200)
  })

  it('lets the super user manage users of every company, and publishes to that company', async () => {
    const company = await harness.createCompany()
    const socketClient = await company.admin.listen()
    const own = await superUser.listen()
    const name = `company-${company.id}-user`
    const queueId = await insert('queues', company.id, 'Their queue')
    // The dialog of the companies page does not send allTicket.
    const { allTicket: _, whatsappId: __, ...dialog } = form({ companyId: company.id, queueIds: [queueId] })
    const made = await superUser.request<User>('POST', '/users', dialog)
    expect(made).toMatchObject({
      status: 200,
      body: { companyId: company.id, allTicket: 'desabled', whatsappId: null, queues: [{ id: queueId }] },
    })
    await socketClient.waitFor(name, { action: 'create' })
    expect(await edit(superUser, made.body.id, { name: 'Moved?', companyId: superUser.companyId })).toMatchObject({
      status: 200,
      body: { name: 'Moved?', companyId: company.id, queues: [{ id: queueId }] },
    })
    await socketClient.waitFor(name, { action: 'update' })
    expect((await superUser.request('DELETE', `/users/${made.body.id}`)).status).toBe(200)
    await socketClient.waitFor(name, { action: 'delete', userId: made.body.id })
    await own.whenCaughtUp()
    own.close()
    expect(
      own.received.filter(
        (e) => /-user$/.test(e.name) && (e.payload.userId ?? (e.payload.user as User)?.id) !== superUser.id,
      ),
    ).toEqual([])
    expect(await superUser.request('POST', '/users', form({ companyId: 987654 }))).toMatchObject({
      status: 404,
      body: { error: 'ERR_NO_COMPANY_FOUND' },
    })
    expect(await superUser.request('GET', '/users/987654')).toMatchObject(missing)
  })
})

describe('the language of a user', () => {
  it('is stored for the calling user, and ignored without a session', async () => {
    const { admin } = await harness.createCompany()
    for (const lang of ['pt', 'en', 'es']) {
      expect(await admin.request('POST', `/users/set-language/${lang}`)).toMatchObject({
        status: 200,
        body: { message: lang },
      })
      expect((await admin.call(usersApi.show, { params: { id: admin.id } })).language).toBe(lang)
    }
    expect((await harness.anonymous.request('POST', '/users/set-language/pt')).status).toBe(200)
    expect(
      (await harness.anonymous.request('POST', '/users/set-language/pt', undefined, { authorization: 'Bearer old' }))
        .status,
    ).toBe(200)
    expect((await admin.call(usersApi.show, { params: { id: admin.id } })).language).toBe('es')
    expect(await admin.request('POST', '/users/set-language/tlh')).toMatchObject({
      status: 400,
      body: { error: 'ERR_VALIDATION' },
    })
  })
})

describe('invitations', () => {
  type CreatedUser = User & { invitation?: { delivery: string; url: string | null } }
  const keyIn = (url: string | null | undefined) => url?.split('#')[1] ?? ''
  const invited = async (admin: TestUser, over: object = {}) => {
    const { body } = await admin.request<CreatedUser>('POST', '/users', form({ password: '', ...over }))
    return { ...body, key: keyIn(body.invitation?.url) }
  }
  const accept = (key: string, secret: string) =>
    harness.anonymous.request('POST', '/invitations/accept', { key, password: secret })
  const again = (admin: TestUser, id: number) =>
    admin.request<{ delivery: string; url: string | null; error: string }>('POST', `/users/${id}/invitation`)
  const invalid = { status: 409, body: { error: 'ERR_INVITATION_INVALID' } }

  it('let a user created without a password choose a password once', async () => {
    const company = await harness.createCompany()
    const ana = await invited(company.admin)
    expect(ana).toMatchObject({ invited: true, invitation: { delivery: 'folder' } })
    expect(ana.invitation?.url).toBe(`${harness.server.deps.publicUrl}/invitation#${ana.key}`)
    expect((await enter(ana.email, '')).status).toBe(401)
    const read = () => harness.anonymous.request('POST', '/invitations/read', { key: ana.key })
    expect(await read()).toMatchObject({
      status: 200,
      body: { name: ana.name, email: ana.email, company: company.name },
    })
    expect(await accept(ana.key, '1234')).toMatchObject({ status: 400, body: { fields: { password: 'Too Short!' } } })
    const socketClient = await company.admin.listen()
    // Of two parallel requests, one succeeds.
    const both = await Promise.all([accept(ana.key, 'first-choice'), accept(ana.key, 'other-choice')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    await socketClient.waitFor(`company-${company.id}-user`, { action: 'update' })
    const chosen = both[0]?.status === 200 ? 'first-choice' : 'other-choice'
    expect((await enter(ana.email, chosen)).status).toBe(200)
    const { entries } = await company.admin.call(auditApi.list, { query: { deed: 'user.changed' } })
    expect(entries.map(({ by, changes }) => [by.id, changes.map(({ field }) => field)])).toEqual([
      [ana.id, ['password']],
    ])
    expect(await read()).toMatchObject(invalid)
    expect(await accept(ana.key, 'once-more')).toMatchObject(invalid)
    expect((await company.admin.request<User>('GET', `/users/${ana.id}`)).body.invited).toBe(false)
    expect(await again(company.admin, ana.id)).toMatchObject(invalid)
  })

  it('expire after seven days, with a newer invitation, a changed address or password, or the user’s deletion', async () => {
    const company = await harness.createCompany()
    const [late, renewed, moved, given, gone] = await Promise.all([1, 2, 3, 4, 5].map(() => invited(company.admin)))
    if (!late || !renewed || !moved || !given || !gone) throw new Error('not made')
    const fresh = keyIn((await again(company.admin, renewed.id)).body.url)
    await edit(company.admin, moved.id, { email: `moved-${moved.id}@desk.test` })
    await edit(company.admin, given.id, { password: 'from-the-admin' })
    await edit(company.admin, gone.id, { active: false })
    for (const { key } of [renewed, moved, given, gone]) expect(await accept(key, 'my-choice')).toMatchObject(invalid)
    expect((await accept(fresh, 'my-choice')).status).toBe(200)
    harness.clock.advance(7 * 86_400_000 + 1000)
    expect(await accept(late.key, 'my-choice')).toMatchObject(invalid)
    for (const key of ['', 'x', `${late.id}-`, `${late.id}-AAAA`, '99999999999-x']) {
      expect(await accept(key, 'my-choice')).toMatchObject(invalid)
    }
  })

  it('are limited to five mails an hour per address and sixty per company, independent of other companies', async () => {
    const company = await harness.createCompany()
    const ana = await invited(company.admin)
    const tooMany = { status: 429, body: { error: 'ERR_TOO_MANY_TRIES' } }
    for (let n = 0; n < 4; n++) expect((await again(company.admin, ana.id)).status).toBe(200)
    expect(await again(company.admin, ana.id)).toMatchObject(tooMany)
    // The limit also holds when the user is deleted and created again with the same address.
    await company.admin.request('DELETE', `/users/${ana.id}`)
    expect(await company.admin.request('POST', '/users', form({ password: '', email: ana.email }))).toMatchObject(
      tooMany,
    )
    for (let n = 5; n < 60; n++) {
      const one = await invited(company.admin)
      expect(one.invited).toBe(true)
      await company.admin.request('DELETE', `/users/${one.id}`)
    }
    expect(await company.admin.request('POST', '/users', form({ password: '' }))).toMatchObject(tooMany)
    // No mail is sent when a password is set.
    expect((await company.admin.request('POST', '/users', form({}))).status).toBe(200)
    expect((await invited((await harness.createCompany()).admin)).invited).toBe(true)
    harness.clock.advance(3_600_000 + 1000)
    expect((await invited(await harness.login(company.admin.email))).invited).toBe(true)
  })

  it('are managed by the company’s admins', async () => {
    const company = await harness.createCompany()
    const ana = await invited(company.admin)
    expect(await again(await company.user('supervisor'), ana.id)).toMatchObject(denied)
    expect(await again((await harness.createCompany()).admin, ana.id)).toMatchObject(missing)
  })
})
