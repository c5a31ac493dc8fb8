import { platformApi } from '@recado/contract/passwords/passwords'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeHouses, type House, house, type Person } from '../../../test/house.ts'

let h: House
let boss: Person
beforeAll(async () => {
  h = await house()
  boss = await h.superUser()
})
afterAll(closeHouses)

let made = 0
const user = (by: Person, password: string) =>
  by.ask<{ id: number }>('POST', '/users', { name: 'Ana', email: `ana-${++made}@desk.test`, password })
const signup = (password: string) =>
  h.anyone.ask('POST', '/companies/cadastro', { name: `Sol ${++made}`, email: `sol-${made}@desk.test`, password })
const problem = (field: string, how: string) => ({ status: 400, body: { fields: { [field]: how } } })

describe('which passwords are taken', () => {
  it('is the specification’s on a fresh install, and anybody may read it', async () => {
    expect(await h.anyone.call(platformApi.show)).toEqual({ passwords: 'plain' })
    const { admin } = await h.company()
    for (const plain of ['12345', 'x'.repeat(50)]) {
      expect((await user(admin, plain)).status).toBe(200)
      expect((await signup(plain)).status).toBe(200)
    }
    expect(await user(admin, 'x'.repeat(51))).toMatchObject(problem('password', 'Too Long!'))
  })

  it('is the super user’s to raise for everybody, wherever a password is chosen; old ones still open', async () => {
    const { admin } = await h.company()
    const agent = await h.person(admin.companyId, 'user')
    const before = await user(admin, '12345')
    for (const other of [admin, agent])
      expect((await other.ask('PUT', '/platform', { passwords: 'strong' })).body).toEqual({
        error: 'ERR_NO_PERMISSION',
      })
    expect(await boss.call(platformApi.update, { body: { passwords: 'strong' } })).toEqual({ passwords: 'strong' })
    expect(await h.anyone.call(platformApi.show)).toEqual({ passwords: 'strong' })

    for (const [weak, how] of [
      ['kX9#vQ2', 'Too Short!'],
      ['Password1!', 'Too Common!'],
      [`${'x'.repeat(127)}42`, 'Too Long!'],
    ] as const) {
      expect(await user(admin, weak)).toMatchObject(problem('password', how))
      expect(await signup(weak)).toMatchObject(problem('password', how))
      const body = { name: 'Ana', email: `ana-${made}@x.test`, password: weak }
      expect(await admin.ask('PUT', `/users/${before.body.id}`, body)).toMatchObject(problem('password', how))
      const company = { name: `Of the super ${++made}`, email: `a-${made}@x.test`, password: weak }
      expect(await boss.ask('POST', '/companies', company)).toMatchObject(problem('password', how))
      const reset = { email: admin.email, token: '12345678', newPassword: weak }
      expect(await h.anyone.ask('POST', '/resetpasswords', reset)).toMatchObject(problem('newPassword', how))
    }
    const long = `a long sentence ${'about nothing '.repeat(8)}`.slice(0, 128)
    expect((await user(admin, long)).status).toBe(200)
    expect((await h.login(`ana-${made}@desk.test`, long)).id).toBeGreaterThan(0)
    const reset = { email: admin.email, token: '12345678', newPassword: long }
    expect((await h.anyone.ask('POST', '/resetpasswords', reset)).body).toEqual({ error: 'ERR_RESET_CODE_INVALID' })
    expect((await h.login(admin.email)).id).toBe(admin.id)
    await boss.call(platformApi.update, { body: { passwords: 'plain' } })
  })
})
