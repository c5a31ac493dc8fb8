import { findPasswordProblem } from '@recado/contract/passwords/password-check'
import { platformApi } from '@recado/contract/passwords/passwords'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { commonPasswordWords } from './password-rules.ts'

let harness: TestServer
let superUser: TestUser
beforeAll(async () => {
  harness = await testServer()
  superUser = await harness.superUser()
})
afterAll(closeTestServers)

let userCount = 0
const user = (by: TestUser, password: string) =>
  by.request<{ id: number }>('POST', '/users', { name: 'Ana', email: `ana-${++userCount}@desk.test`, password })
const signup = (password: string) =>
  harness.anonymous.request('POST', '/companies/cadastro', {
    name: `Sol ${++userCount}`,
    email: `sol-${userCount}@desk.test`,
    password,
  })
const problem = (field: string, how: string) => ({ status: 400, body: { fields: { [field]: how } } })

describe('password rules', () => {
  it('are strong on a new install, and public', async () => {
    expect(await harness.anonymous.call(platformApi.show)).toEqual({ passwords: 'strong' })
    const { admin } = await harness.createCompany()
    for (const [weak, how] of [
      ['12345', 'Too Short!'],
      ['password', 'Too Common!'],
      ['trustno1', 'Too Common!'],
      ['Liverpool2024!', 'Too Common!'],
    ] as const) {
      expect(await user(admin, weak)).toMatchObject(problem('password', how))
      expect(await signup(weak)).toMatchObject(problem('password', how))
    }
    expect((await user(admin, 'kX9#vQ2m')).status).toBe(200)
  })

  it('refuse passwords made of the names and addresses of their user', async () => {
    const { admin, id } = await harness.createCompany('Ferretería Montecristo')
    const made = (name: string, email: string, password: string) =>
      admin.request<{ id: number }>('POST', '/users', { name, email, password })
    const personal = problem('password', 'Too Personal!')
    for (const own of ['Montecristo2026', 'ferreteria-1!', 'Robledal.99', 'm0ntecr1sto-robledal'])
      expect(await made('Pia Robledal', `p-${Math.random()}@x.test`, own)).toMatchObject(personal)
    expect(await made('Pia', 'robledal.pia@x.test', 'robledal1234')).toMatchObject(personal)
    const { body } = await made('Pia Robledal', 'pia@x.test', 'montecristo huele a pino')
    const change = { name: 'Pia Robledal', email: 'pia@x.test', password: 'Robledal#2026' }
    expect(await admin.request('PUT', `/users/${body.id}`, change)).toMatchObject(personal)
    const form = { name: 'Zapatería Aurinegra', email: 'a@zapas.test', password: 'Aurinegra-2026' }
    expect(await harness.anonymous.request('POST', '/companies/cadastro', form)).toMatchObject(personal)

    // Personal words are checked only after a correct code, because the refusal would reveal to whom the address
    // belongs.
    const reset = (token: string) =>
      harness.anonymous.request('POST', '/resetpasswords', {
        email: 'pia@x.test',
        token,
        newPassword: 'Montecristo-2026',
      })
    expect((await reset('12345678')).body).toEqual({ error: 'ERR_RESET_CODE_INVALID' })
    const codeHash = harness.server.deps.vault.sign('reset', `${body.id}:87654321`)
    const expiresAt = new Date(harness.clock.now().getTime() + 60_000)
    await harness
      .wide()
      .db.insertInto('passwordResets')
      .values({ userId: body.id, companyId: id, codeHash, expiresAt })
      .execute()
    expect(await reset('87654321')).toMatchObject(problem('newPassword', 'Too Personal!'))
    const good = { email: 'pia@x.test', token: '87654321', newPassword: 'otra cosa con calma' }
    expect((await harness.anonymous.request('POST', '/resetpasswords', good)).status).toBe(200)
  })

  it('refuse thousands of common passwords, including their variants', () => {
    const long = [...commonPasswordWords].filter((word) => word.length >= 8)
    expect(commonPasswordWords.size).toBeGreaterThan(3000)
    expect(long.length).toBeGreaterThan(700)
    for (const word of long)
      for (const dressed of [word, `${word}1`, `${word.toUpperCase()}!`, `123${word}`])
        expect(findPasswordProblem(dressed, 'strong', false, commonPasswordWords), dressed).toBe('Too Common!')
    for (const two of ['sunshinedragon', 'bigdaddy1', 'IloveyouMaria'])
      expect(findPasswordProblem(two, 'strong', false, commonPasswordWords), two).toBe('Too Common!')
    for (const rare of ['kX9#vQ2m', 'mi perro come pan', 'ventana-río-42'])
      expect(findPasswordProblem(rare, 'strong', false, commonPasswordWords), rare).toBeNull()
  })

  it('follow the specification if the super user chose it, and old passwords still work after a stricter choice', async () => {
    const { admin } = await harness.createCompany()
    const agent = await harness.createUser(admin.companyId, 'user')
    for (const other of [admin, agent])
      expect((await other.request('PUT', '/platform', { passwords: 'plain' })).body).toEqual({
        error: 'ERR_NO_PERMISSION',
      })
    expect(await superUser.call(platformApi.update, { body: { passwords: 'plain' } })).toEqual({ passwords: 'plain' })
    for (const plain of ['12345', 'x'.repeat(50)]) {
      expect((await user(admin, plain)).status).toBe(200)
      expect((await signup(plain)).status).toBe(200)
    }
    expect(await user(admin, 'x'.repeat(51))).toMatchObject(problem('password', 'Too Long!'))
    const before = await user(admin, '12345')
    const old = `ana-${userCount}@desk.test`
    expect(await superUser.call(platformApi.update, { body: { passwords: 'strong' } })).toEqual({ passwords: 'strong' })
    expect((await harness.login(old, '12345')).id).toBe(before.body.id)

    for (const [weak, how] of [
      ['kX9#vQ2', 'Too Short!'],
      ['Password1!', 'Too Common!'],
      [`${'x'.repeat(127)}42`, 'Too Long!'],
    ] as const) {
      expect(await user(admin, weak)).toMatchObject(problem('password', how))
      expect(await signup(weak)).toMatchObject(problem('password', how))
      const body = { name: 'Ana', email: `ana-${userCount}@x.test`, password: weak }
      expect(await admin.request('PUT', `/users/${before.body.id}`, body)).toMatchObject(problem('password', how))
      const company = { name: `Of the super ${++userCount}`, email: `a-${userCount}@x.test`, password: weak }
      expect(await superUser.request('POST', '/companies', company)).toMatchObject(problem('password', how))
      const reset = { email: admin.email, token: '12345678', newPassword: weak }
      expect(await harness.anonymous.request('POST', '/resetpasswords', reset)).toMatchObject(
        problem('newPassword', how),
      )
    }
    const long = `a long sentence ${'about nothing '.repeat(8)}`.slice(0, 128)
    expect((await user(admin, long)).status).toBe(200)
    expect((await harness.login(`ana-${userCount}@desk.test`, long)).id).toBeGreaterThan(0)
    const reset = { email: admin.email, token: '12345678', newPassword: long }
    expect((await harness.anonymous.request('POST', '/resetpasswords', reset)).body).toEqual({
      error: 'ERR_RESET_CODE_INVALID',
    })
    expect((await harness.login(admin.email)).id).toBe(admin.id)
  })
})
