import { pushApi } from '@recado/contract/push'
import type { SettingKey } from '@recado/contract/settings'
import { settingsApi } from '@recado/contract/settings'
import { usersApi } from '@recado/contract/users'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  closeTestServers,
  makeCaller,
  password,
  type TestServer,
  type TestUser,
  testServer,
} from '../../test/test-server.ts'
import { maxSessionsPerUser } from './session-limit.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const userAgents = {
  computer: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  phone:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  iPhone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  program: '',
}
type Session = { me: () => Promise<number>; refresh: () => Promise<number>; cookie: string; token: string }

async function loginOn(userAgent: keyof typeof userAgents, email: string): Promise<Session> {
  const headers: Record<string, string> = userAgents[userAgent] ? { 'user-agent': userAgents[userAgent] } : {}
  const answer = await harness.anonymous.request<{ token: string }>('POST', '/auth/login', { email, password }, headers)
  expect(answer.status).toBe(200)
  const { token } = answer.body
  const cookie = answer.cookies.find((one) => one.startsWith('jrt='))?.split(';')[0] ?? ''
  return {
    ...{ token, cookie },
    me: async () =>
      (await harness.anonymous.request('GET', '/tags', undefined, { authorization: `Bearer ${token}` })).status,
    refresh: async () => (await harness.anonymous.request('POST', '/auth/refresh_token', undefined, { cookie })).status,
  }
}
const statuses = (sessions: Session[]) => Promise.all(sessions.map((one) => one.me()))
const choose = (admin: TestUser, value: string) =>
  admin.call(settingsApi.update, { params: { key: 'sessionsPerUser' satisfies SettingKey }, body: { value } })

describe('sessions of one user', () => {
  it('are limited by default to one on a computer and one on a phone; a login ends only the session of its own kind', async () => {
    const { email } = await (await harness.createCompany()).user()
    const computer = await loginOn('computer', email)
    const phone = await loginOn('phone', email)
    expect(await statuses([computer, phone])).toEqual([200, 200])
    expect([await computer.refresh(), await phone.refresh()]).toEqual([200, 200])
    const otherPhone = await loginOn('iPhone', email)
    expect(await statuses([computer, phone, otherPhone])).toEqual([200, 401, 200])
    const otherComputer = await loginOn('program', email)
    expect(await statuses([computer, otherPhone, otherComputer])).toEqual([401, 200, 200])
    expect([await phone.refresh(), await computer.refresh()]).toEqual([401, 401])
  })

  it('are notified of their end only on their own sockets, with the event that older clients know', async () => {
    const company = await harness.createCompany()
    const agent = await company.user()
    const onComputer = await agent.listen()
    await loginOn('phone', agent.email)
    await onComputer.whenCaughtUp()
    expect(onComputer.received.map((event) => event.name)).not.toContain(`company-${company.id}-auth`)
    await loginOn('computer', agent.email)
    await onComputer.waitFor(`company-${company.id}-auth`, { action: 'update' })
  })

  it('end one by one on logout, and all together when an admin changes the password', async () => {
    const company = await harness.createCompany()
    const { id, email } = await company.user()
    const [computer, phone] = [await loginOn('computer', email), await loginOn('phone', email)]
    await harness.anonymous.request('DELETE', '/auth/logout', undefined, { cookie: computer.cookie })
    expect(await statuses([computer, phone])).toEqual([401, 200])
    const again = await loginOn('computer', email)
    const body = { whatsappId: null, name: 'They', email, password: 'another-1' }
    await company.admin.call(usersApi.update, { params: { id }, body })
    expect(await statuses([again, phone])).toEqual([401, 401])
  })

  it('are limited to a single one if the company chose so, also for logins at the same moment', async () => {
    const company = await harness.createCompany()
    const { email } = await company.user()
    const before = [await loginOn('computer', email), await loginOn('phone', email)]
    await choose(company.admin, 'one')
    expect(await statuses(before)).toEqual([401, 200])
    expect((await company.admin.request('GET', '/tags')).status).toBe(200)
    const both = await Promise.all([loginOn('computer', email), loginOn('phone', email)])
    expect((await statuses(both)).sort()).toEqual([200, 401])
    expect(await statuses(before)).toEqual([401, 401])
  })

  it('are allowed in parallel, up to a limit, if the company chose so', async () => {
    const company = await harness.createCompany()
    const { email } = await company.user()
    await choose(company.admin, 'several')
    const all: Session[] = []
    for (let i = 0; i <= maxSessionsPerUser; i++) {
      harness.clock.advance(1)
      all.push(await loginOn('computer', email))
    }
    expect(await statuses(all)).toEqual(all.map((_one, i) => (i ? 200 : 401)))
    await choose(company.admin, 'device')
    expect((await statuses(all)).filter((status) => status === 200)).toHaveLength(1)
    expect(await all.at(-1)?.me()).toBe(200)
  })

  it('have their own push subscriptions', async () => {
    const company = await harness.createCompany()
    const { id, email } = await company.user()
    const [computer, phone] = [await loginOn('computer', email), await loginOn('phone', email)]
    const subscribe = ({ token }: Session, name: string) =>
      makeCaller(harness.address, token).call(pushApi.subscribe, {
        body: { endpoint: `https://push.example/${name}`, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } },
      })
    const endpoints = async () => {
      const rows = harness.wide().db.selectFrom('pushSubscriptions').select('endpoint').where('userId', '=', id)
      return (await rows.orderBy('id').execute()).map((row) => row.endpoint.split('/').at(-1))
    }
    await subscribe(computer, 'computer')
    await subscribe(phone, 'phone')
    expect(await endpoints()).toEqual(['computer', 'phone'])
    await loginOn('phone', email)
    expect(await endpoints()).toEqual(['computer'])
  })
})
