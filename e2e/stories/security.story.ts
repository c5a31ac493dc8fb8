import { tagsApi } from '@recado/contract/tags'
import { expect, test } from 'vitest'
import { totpCodeAt, totpStepAt } from '../../server/src/accounts/two-factor/totp.ts'
import { makeCaller, password } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()

/** The current code of this person's app. Each call moves half a minute on, because no code is accepted twice. */
function shows(secret: string): string {
  desk.house().clock.forward(30_000)
  return totpCodeAt(secret, totpStepAt(desk.house().clock.now()))
}
const secretOf = async (ana: Visitor) => {
  const typed = ana.page.locator('code').filter({ hasText: /^[A-Z2-7 ]{39}$/ })
  return ((await typed.textContent()) ?? '').replaceAll(' ', '')
}
async function comesTo(ana: Visitor, email: string) {
  await ana.write('Correo', email)
  await ana.write('Contraseña', password)
  await ana.press('Entrar')
}

test('asks for the second factor once it is enabled, on a phone too, and can require it of the whole company', async () => {
  const company = await desk.house().company()
  const agent = await company.user()
  const ana = await desk.open(company.admin, '/tags')
  // Each change of the second factor renews the session: the page refreshes it by itself.
  desk.excuse('403 ')
  await ana.press(/cuenta$/)
  await ana.press('Seguridad', 'menuitem')
  await ana.sees('Sin activar', ana.dialog)
  await ana.sees('Ahora', ana.dialog)
  await ana.shot('security')
  await ana.scan()
  await ana.press('Activar', 'button', ana.dialog)
  await ana.write('Contraseña actual', 'no es esta', ana.dialog)
  desk.excuse('400 POST /auth/two-factor')
  await ana.press('Seguir', 'button', ana.dialog)
  await ana.sees('Escribe tu contraseña actual.', ana.dialog)
  await ana.write('Contraseña actual', password, ana.dialog)
  await ana.press('Seguir', 'button', ana.dialog)
  const secret = await secretOf(ana)
  await ana.page.getByRole('img', { name: 'Código para la app de autenticación' }).waitFor()
  await ana.shot('security-enrol')
  await ana.scan()
  await ana.write('Código de la app', shows(secret), ana.dialog)
  await ana.press('Confirmar', 'button', ana.dialog)
  const codes = ana.dialog.getByRole('list', { name: 'Guarda tus códigos de recuperación' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  const [recovery = ''] = await codes.allTextContents()
  await ana.press('Ya los guardé', 'button', ana.dialog)
  await ana.sees(/Te quedan 10 códigos de recuperación/, ana.dialog)
  await ana.page.keyboard.press('Escape')

  await ana.page.goto('/settings')
  await ana.flip('Verificación en dos pasos')
  await ana.told('Opción guardada')
  await ana.press('Registro', 'tab')
  await ana.sees(/cambió el ajuste «Verificación en dos pasos»/)
  await ana.sees(/No → Sí/)
  await ana.write('Buscar por persona o nombre', 'nadie así')
  await ana.sees('Nada coincide.')
  await ana.shot('audit')
  await ana.scan()

  // A user without one sets it up at login.
  const beto = await desk.arrive('/login', { viewport: phoneViewport })
  for (const refused of ['401 POST /auth/login', '400 POST /auth/login']) desk.excuse(refused)
  await comesTo(beto, agent.email)
  await beto.at('Protege tu cuenta')
  const theirs = await secretOf(beto)
  await beto.shot('login-second-step-new-phone')
  await beto.scan()
  await beto.write('Código de la app', shows(theirs))
  await beto.press('Entrar')
  await beto.at('Guarda tus códigos de recuperación')
  await beto.press('Ya los guardé, entrar')
  await beto.page.waitForURL(/\/tickets/)

  // A user with one is asked for it; a recovery code replaces a lost phone.
  const again = await desk.arrive('/login')
  await comesTo(again, company.admin.email)
  await again.at('Un paso más')
  await again.write('Código de la app', '000000')
  await again.press('Entrar')
  await again.sees(/^El código no es correcto/)
  await again.shot('login-second-step')
  await again.scan()
  await again.write('Código de la app', recovery)
  await again.press('Entrar')
  await again.page.waitForURL(/\/tickets/)
})

test('creates, names, logs in with and removes a passkey, also as the second factor', async () => {
  const h = desk.house()
  const { admin } = await h.company()
  const ana = await desk.arrive('/login')
  desk.excuse('403 ')
  // Browsers accept passkeys for host names, not for IP addresses.
  const home = h.address.replace('127.0.0.1', 'localhost')
  await ana.page.goto(`${home}/login`)
  const browser = await ana.page.context().newCDPSession(ana.page)
  await browser.send('WebAuthn.enable')
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  await ana.sees('Entrar con llave de acceso')
  await comesTo(ana, admin.email)
  await ana.press(/cuenta$/)
  await ana.press('Seguridad', 'menuitem')
  await ana.press('Agregar llave de acceso', 'button', ana.dialog)
  await ana.write('Nombre de la llave', 'Portátil de Ana', ana.dialog)
  await ana.write('Contraseña actual', password, ana.dialog)
  await ana.scan()
  await ana.press('Crear llave', 'button', ana.dialog)
  await ana.told('Llave de acceso guardada')
  await ana.press('Cambiar el nombre de Portátil de Ana', 'button', ana.dialog)
  await ana.write('Nombre de la llave', 'Portátil nuevo', ana.dialog)
  await ana.press('Guardar nombre', 'button', ana.dialog)
  await ana.sees('Portátil nuevo', ana.dialog)
  await ana.shot('security-passkey')
  await ana.page.keyboard.press('Escape')

  await ana.press(/cuenta$/)
  await ana.press('Salir', 'menuitem')
  await ana.sees('Entrar con llave de acceso')
  await ana.shot('login-passkey')
  await ana.scan()
  await ana.press('Entrar con llave de acceso')
  await ana.the('button', /cuenta$/).waitFor()

  // The company requires two factors: a passkey counts as both, the password alone does not.
  await ana.page.goto(`${home}/settings`)
  await ana.flip('Verificación en dos pasos')
  await ana.told('Opción guardada')
  await ana.press(/cuenta$/)
  await ana.press('Salir', 'menuitem')
  desk.excuse(`401 POST ${home}/auth/login`)
  await comesTo(ana, admin.email)
  await ana.sees('Un paso más')
  await ana.press('Usar llave de acceso')
  await ana.the('button', /cuenta$/).waitFor()

  await ana.press(/cuenta$/)
  await ana.press('Seguridad', 'menuitem')
  await ana.sees(/usada el/, ana.dialog)
  await ana.press('Quitar Portátil nuevo', 'button', ana.dialog)
  await ana.write('Contraseña actual', password, ana.dialog)
  await ana.press('Quitar', 'button', ana.dialog)
  await ana.told('Llave de acceso quitada')
})

test('keeps both tabs working after a password change, and invalidates credentials copied before', async () => {
  const h = desk.house()
  const company = await h.company()
  const agent = await company.user()
  const beto = await desk.open(agent, '/tags')
  const tab = await beto.page.context().newPage()
  await tab.goto(`${h.address}/todolist`)
  await tab.getByRole('button', { name: /cuenta$/ }).waitFor()
  const cookie = (await beto.page.context().cookies(`${h.address}/auth`)).map((c) => `${c.name}=${c.value}`).join('; ')
  const token = await beto.page.evaluate(() => JSON.parse(localStorage.getItem('token') ?? '""') as string)
  for (const page of [beto.page, tab]) await page.evaluate(() => Object.assign(window, { sameLoad: true }))
  desk.excuse('403 ')

  await beto.press(/cuenta$/)
  await beto.press('Perfil', 'menuitem')
  await beto.write('Nueva contraseña', 'mi perro come pan', beto.dialog)
  await beto.write('Contraseña actual', password, beto.dialog)
  await beto.press('Guardar', 'button', beto.dialog)
  await beto.told('Perfil guardado')

  const copied = makeCaller(h.address, token)
  expect((await copied.ask('GET', '/tags')).status).toBe(403)
  expect((await makeCaller(h.address).ask('POST', '/auth/refresh_token', undefined, { cookie })).status).toBe(401)

  // Their work continues, and the sockets of both tabs reconnect without a reload.
  await beto.press('Nueva etiqueta')
  await beto.write('Nombre', 'Después del cambio', beto.dialog)
  await beto.press('Guardar', 'button', beto.dialog)
  await beto.sees('Después del cambio')
  await company.admin.call(tagsApi.create, { body: { name: 'De la colega', color: '' } })
  await beto.sees('De la colega')
  for (const page of [beto.page, tab]) expect(await page.evaluate(() => 'sameLoad' in window)).toBe(true)
  await tab.close()
})
