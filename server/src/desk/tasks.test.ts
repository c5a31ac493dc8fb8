import { maxTasksPerUser, tasksApi } from '@recado/contract/schedules/tasks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../test/test-server.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

const list = async (who: TestUser) => (await who.call(tasksApi.list)).map((task) => task.text)
const add = (who: TestUser, text: string, createdAt?: string) =>
  who.call(tasksApi.create, { body: { text, ...(createdAt && { createdAt }) } })

it('keeps the tasks of each user on the server, for all of their devices and for nobody else', async () => {
  const { id: companyId, admin, user } = await harness.createCompany()
  const ana = await user()
  const [device, other] = [await ana.listen(), await admin.listen()]
  const task = await add(ana, 'Llamar a Lucía')
  await device.waitFor(`company-${companyId}-tasks`, { action: 'update' })
  await other.whenCaughtUp()
  expect(other.received.map((event) => event.name)).not.toContain(`company-${companyId}-tasks`)
  expect(await list(ana)).toEqual(['Llamar a Lucía'])
  expect(await list(admin)).toEqual([])

  // Even an admin of the company cannot change or delete the task of another user.
  const path = `/tasks/${task.id}`
  expect(await admin.request('PUT', path, { text: 'x' })).toMatchObject({ status: 404 })
  expect(await admin.request('DELETE', path)).toMatchObject({ status: 404, body: { error: 'ERR_NO_TASK_FOUND' } })
  const changed = await ana.call(tasksApi.update, {
    params: { id: task.id },
    body: { text: 'Llamar a Lucía el lunes' },
  })
  expect(changed).toMatchObject({ text: 'Llamar a Lucía el lunes', createdAt: task.createdAt })
  expect((await ana.request('POST', '/tasks', { text: '   ' })).status).toBe(400)

  await ana.call(tasksApi.remove, { params: { id: task.id } })
  expect(await list(ana)).toEqual([])
})

it('imports a task from an older client’s browser once, at the position of its date', async () => {
  const { admin } = await harness.createCompany()
  await add(admin, 'Hoy')
  const earlier = '2026-01-02T03:04:05.678Z'
  const [first, second] = await Promise.all([add(admin, 'De antes', earlier), add(admin, 'De antes', earlier)])
  expect(first).toEqual(second)
  expect(first.createdAt).toBe(earlier)
  expect(await list(admin)).toEqual(['De antes', 'Hoy'])
})

it('refuses more tasks than a user can have', async () => {
  const { admin } = await harness.createCompany()
  const rows = Array.from({ length: maxTasksPerUser }, (_, i) => ({
    ...{ companyId: admin.companyId, userId: admin.id, text: `Tarea ${i}` },
    ...{ createdAt: harness.clock.now(), updatedAt: harness.clock.now() },
  }))
  await harness.wide().db.insertInto('tasks').values(rows).execute()
  expect((await admin.request('POST', '/tasks', { text: 'Una más' })).status).toBe(400)
})
