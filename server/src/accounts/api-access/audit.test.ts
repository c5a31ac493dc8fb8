import { auditApi } from '@recado/contract/api-access/audit'
import { webhooksApi } from '@recado/contract/api-access/webhooks'
import { companiesApi } from '@recado/contract/companies'
import { connectionsApi } from '@recado/contract/connections'
import { defaultHours } from '@recado/contract/hours/hours'
import { queuesApi } from '@recado/contract/queues'
import { settingsApi } from '@recado/contract/settings'
import { usersApi } from '@recado/contract/users'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const changesIn = async (admin: TestUser, action: string) =>
  (await admin.call(auditApi.list, { query: { deed: action } })).entries.map(({ name, changes }) => ({ name, changes }))

it('records the old and new values of a user, and for a password only that it changed', async () => {
  const company = await harness.createCompany()
  const { admin } = company
  const { id, email } = await company.user()
  const { name } = await admin.call(usersApi.show, { params: { id } })
  const queue = await admin.call(queuesApi.create, { body: { name: 'Ventas', color: '#112233' } as never })
  const said = { name, email, profile: 'supervisor' as const, queueIds: [queue.id] }
  const body = { ...said, password: 'Otra-clave-larga-9' }
  await admin.call(usersApi.update, { params: { id }, body })
  await admin.call(usersApi.update, { params: { id }, body: said })
  expect(await changesIn(admin, 'user.changed')).toEqual([
    {
      name,
      changes: [
        { field: 'profile', from: 'user', to: 'supervisor' },
        { field: 'queues', from: '', to: 'Ventas' },
        { field: 'password', from: '', to: '' },
      ],
    },
  ])
})

it('records the old and new value of a setting, and nothing if it is unchanged', async () => {
  const { admin } = await harness.createCompany()
  const set = (key: string, value: string) => admin.call(settingsApi.update, { params: { key }, body: { value } })
  await set('timezone', 'America/Montevideo')
  await set('timezone', 'America/Montevideo')
  await set('asaas', '')
  await set('asaas', 'a-secret-key')
  await set('asaas', '••••••••')
  const holidays = [{ day: '2030-12-25', name: 'Navidad', closed: true }]
  await admin.call(settingsApi.setHolidays, { body: { holidays } as never })
  const entries = await changesIn(admin, 'setting')
  expect(entries).toEqual([
    { name: 'holidays', changes: [{ field: 'holidays', from: '', to: '2030-12-25 Navidad' }] },
    { name: 'asaas', changes: [{ field: 'value', from: '', to: '' }] },
    { name: 'timezone', changes: [{ field: 'value', from: 'America/Sao_Paulo', to: 'America/Montevideo' }] },
  ])
  // Search by the label shown on the screen.
  const { entries: found } = await admin.call(auditApi.list, { query: { searchParam: 'zona', named: 'timezone,call' } })
  expect(found.map((entry) => entry.name)).toEqual(['timezone'])
  // An entry without a name matches no search.
  const nameless = await harness.createCompany()
  await nameless.admin.request(
    'GET',
    `/contacts/${(await nameless.admin.request<{ id: number }>('POST', '/contacts', { name: 'Beto', number: '5511987650001' })).body.id}/export`,
  )
  expect(await changesIn(nameless.admin, 'contact')).toEqual([{ name: '', changes: [] }])
  expect((await nameless.admin.call(auditApi.list, { query: { searchParam: 'nobody' } })).entries).toEqual([])
  const { body } = await admin.request<string>('GET', '/audit/export?deed=setting')
  expect(body).toContain('value: America/Sao_Paulo → America/Montevideo')
  expect(body).not.toContain('a-secret-key')
})

it('records changed opening hours, and nothing when the same hours are saved again', async () => {
  const company = await harness.createCompany()
  const { admin } = company
  const schedules = defaultHours.map((day) => ({ ...day, startTime: '07:30' }))
  for (let n = 0; n < 2; n++)
    await admin.call(companiesApi.schedules, { params: { id: company.id }, body: { schedules } })
  expect(await changesIn(admin, 'setting')).toEqual([
    { name: 'schedules', changes: [{ field: 'schedules', from: '', to: '' }] },
  ])
})

it('records changes of a line and a webhook without their secrets, and who unlinked a phone', async () => {
  const company = await harness.createCompany()
  const { admin } = company
  const { id } = await harness.openLine(company, { name: 'Recepción' })
  const line = await admin.call(connectionsApi.show, { params: { id } })
  const token = 'a-token-of-our-own-choosing-0123456789'
  await admin.call(connectionsApi.update, {
    params: { id },
    body: { ...line, greetingMessage: 'Hola', token } as never,
  })
  expect(await changesIn(admin, 'line.changed')).toEqual([
    {
      name: 'Recepción',
      changes: [
        { field: 'greetingMessage', from: line.greetingMessage, to: 'Hola' },
        { field: 'token', from: '', to: '' },
      ],
    },
  ])
  await admin.call(connectionsApi.disconnect, { params: { whatsappId: id } })
  expect(await changesIn(admin, 'line.unlinked')).toEqual([{ name: 'Recepción', changes: [] }])

  const hook = { name: 'Cuentas', url: 'https://one.example/x', events: ['ticket.opened' as const], active: true }
  const made = await admin.call(webhooksApi.create, { body: hook })
  await admin.call(webhooksApi.update, { params: { id: made.id }, body: { ...hook, url: 'https://two.example/x' } })
  expect(await changesIn(admin, 'webhook.changed')).toEqual([
    { name: 'Cuentas', changes: [{ field: 'url', from: 'https://one.example/x', to: 'https://two.example/x' }] },
  ])
})

it('records file exports and who made them', async () => {
  const company = await harness.createCompany()
  const { admin } = company
  const agent = await company.user()
  for (const [n, name] of ['Ana', 'Beto'].entries())
    await admin.request('POST', '/contacts', { name, number: `551198765100${n}` })
  await agent.request('GET', '/contacts/export')
  await admin.request('GET', '/contacts/export?searchParam=Beto')
  const campaign = await admin.request<{ id: number }>('POST', '/campaigns', { name: 'Otoño', message1: 'hola' })
  for (const way of ['export', 'export-sheet']) await admin.request('GET', `/campaigns/${campaign.body.id}/${way}`)
  await admin.request('GET', '/audit/export')
  const { entries } = await admin.call(auditApi.list, { query: { deed: 'export' } })
  expect(entries.map(({ deed: action, about, name, by }) => [action, about, name, by.id])).toEqual([
    ['export.audit', company.id, '', admin.id],
    ['export.campaign', campaign.body.id, 'Otoño', admin.id],
    ['export.campaign', campaign.body.id, 'Otoño', admin.id],
    ['export.contacts', company.id, '1', admin.id],
    ['export.contacts', company.id, '2', agent.id],
  ])
})
