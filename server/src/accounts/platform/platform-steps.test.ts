import { settingsApi } from '@recado/contract/settings'
import { afterAll, expect, it } from 'vitest'
import { closeTestServers, password, testServer } from '../../../test/test-server.ts'

afterAll(closeTestServers)

it('tells the super user of a new server what is left to do, and ticks off what was done', async () => {
  const harness = await testServer()
  const superUser = await harness.superUser()
  const before = await superUser.call(settingsApi.platformSteps)
  expect(before).toMatchObject({ passwordChanged: false, company: false, mail: false })
  await harness.createCompany()
  const changed = await superUser.request('PUT', `/users/${superUser.id}`, {
    name: 'Admin',
    email: superUser.email,
    profile: 'admin',
    password: 'una clave bien larga',
    currentPassword: password,
  })
  expect(changed.status).toBe(200)
  expect(await superUser.call(settingsApi.platformSteps)).toEqual({ ...before, passwordChanged: true, company: true })
})
