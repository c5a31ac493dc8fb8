import { tagsApi } from '@recado/contract/tags'
import { expect, test } from 'vitest'
import { totpCodeAt, totpStepAt } from '../../server/src/accounts/two-factor/totp.ts'
import { makeCaller, password } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()

/**
 * The current code of this user's authenticator app. Each call advances the clock by half a minute, because no code is
 * accepted twice.
 */
function currentTotpCode(secret: string): string {
  desk.server().clock.advance(30_000)
  return totpCodeAt(secret, totpStepAt(desk.server().clock.now()))
}
const secretOf = async (ana: Visitor) => {
  const typed = ana.page.locator('code').filter({ hasText: /^[A-Z2-7 ]{39}$/ })
  return ((await typed.textContent()) ?? '').replaceAll(' ', '')
}
async function comesTo(ana: Visitor, email: string) {
  await ana.fill('Correo', email)
  await ana.fill('Contraseña', password)
  await ana.click('Entrar')
}

test('asks for the second factor once it is enabled, on a phone too, and lets an admin require it of the whole company', async () => {
  const company = await desk.server().createCompany()
  const agent = await company.user()
  const ana = await desk.open(company.admin, '/tags')
  // Each change of the second factor invalidates the session token: the page refreshes it automatically.
  desk.allowProblem('403 ')
  await ana.click(/cuenta$/)
  await ana.click('Seguridad', 'menuitem')
  await ana.expectText('Sin activar', ana.dialog)
  await ana.expectText('Ahora', ana.dialog)
  await ana.takeScreenshot('security')
  await ana.checkAccessibility()
  await ana.click('Activar', 'button', ana.dialog)
  await ana.fill('Contraseña actual', 'no es esta', ana.dialog)
  desk.allowProblem('400 POST /auth/two-factor')
  await ana.click('Continuar', 'button', ana.dialog)
  await ana.expectText('Escribe tu contraseña actual.', ana.dialog)
  await ana.fill('Contraseña actual', password, ana.dialog)
  await ana.click('Continuar', 'button', ana.dialog)
  const secret = await secretOf(ana)
  await ana.page.getByRole('img', { name: 'Código para la app de autenticación' }).waitFor()
  await ana.takeScreenshot('security-enrol')
  await ana.checkAccessibility()
  await ana.fill('Código de la app', currentTotpCode(secret), ana.dialog)
  await ana.click('Confirmar', 'button', ana.dialog)
  const codes = ana.dialog.getByRole('list', { name: 'Guarda tus códigos de recuperación' }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(10)
  const [recovery = ''] = await codes.allTextContents()
  await ana.click('Ya los guardé', 'button', ana.dialog)
  await ana.expectText(/Te quedan 10 códigos de recuperación/, ana.dialog)
  await ana.page.keyboard.press('Escape')

  await ana.page.goto('/settings')
  await ana.toggleSwitch('Verificación en dos pasos')
  await ana.expectAndCloseToast('Opción guardada')
  await ana.click('Registro', 'tab')
  await ana.expectText(/cambió el ajuste «Verificación en dos pasos»/)
  await ana.expectText(/No → Sí/)
  await ana.fill('Buscar por persona o nombre', 'nadie así')
  await ana.expectText('Sin resultados.')
  await ana.takeScreenshot('audit')
  await ana.checkAccessibility()

  // A user without a second factor sets it up at login.
  const beto = await desk.openAnonymous('/login', { viewport: phoneViewport })
  for (const refused of ['401 POST /auth/login', '400 POST /auth/login']) desk.allowProblem(refused)
  await comesTo(beto, agent.email)
  await beto.expectHeading('Protege tu cuenta')
  const theirs = await secretOf(beto)
  await beto.takeScreenshot('login-second-step-new-phone')
  await beto.checkAccessibility()
  await beto.fill('Código de la app', currentTotpCode(theirs))
  await beto.click('Entrar')
  await beto.expectHeading('Guarda tus códigos de recuperación')
  await beto.click('Ya los guardé, entrar')
  await beto.page.waitForURL(/\/tickets/)

  // A user with a second factor is asked for it; a recovery code replaces a lost phone.
  const again = await desk.openAnonymous('/login')
  await comesTo(again, company.admin.email)
  await again.expectHeading('Un paso más')
  await again.fill('Código de la app', '000000')
  await again.click('Entrar')
  await again.expectText(/^El código no es correcto/)
  await again.takeScreenshot('login-second-step')
  await again.checkAccessibility()
  await again.fill('Código de la app', recovery)
  await again.click('Entrar')
  await again.page.waitForURL(/\/tickets/)
})

test('creates, names, logs in with and removes a passkey, also as the second factor', async () => {
  const h = desk.server()
  const { admin } = await h.createCompany()
  const ana = await desk.openAnonymous('/login')
  desk.allowProblem('403 ')
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
  await ana.expectText('Entrar con llave de acceso')
  await comesTo(ana, admin.email)
  await ana.click(/cuenta$/)
  await ana.click('Seguridad', 'menuitem')
  await ana.click('Agregar llave de acceso', 'button', ana.dialog)
  await ana.fill('Nombre de la llave', 'Portátil de Ana', ana.dialog)
  await ana.fill('Contraseña actual', password, ana.dialog)
  await ana.checkAccessibility()
  await ana.click('Crear llave', 'button', ana.dialog)
  await ana.expectAndCloseToast('Llave de acceso guardada')
  await ana.click('Cambiar el nombre de Portátil de Ana', 'button', ana.dialog)
  await ana.fill('Nombre de la llave', 'Portátil nuevo', ana.dialog)
  await ana.click('Guardar nombre', 'button', ana.dialog)
  await ana.expectText('Portátil nuevo', ana.dialog)
  await ana.takeScreenshot('security-passkey')
  await ana.page.keyboard.press('Escape')

  await ana.click(/cuenta$/)
  await ana.click('Salir', 'menuitem')
  await ana.expectText('Entrar con llave de acceso')
  await ana.takeScreenshot('login-passkey')
  await ana.checkAccessibility()
  await ana.click('Entrar con llave de acceso')
  await ana.byRole('button', /cuenta$/).waitFor()

  // The company requires two factors: a passkey counts as both, the password alone does not.
  await ana.page.goto(`${home}/settings`)
  await ana.toggleSwitch('Verificación en dos pasos')
  await ana.expectAndCloseToast('Opción guardada')
  await ana.click(/cuenta$/)
  await ana.click('Salir', 'menuitem')
  desk.allowProblem(`401 POST ${home}/auth/login`)
  await comesTo(ana, admin.email)
  await ana.expectText('Un paso más')
  await ana.click('Usar llave de acceso')
  await ana.byRole('button', /cuenta$/).waitFor()

  await ana.click(/cuenta$/)
  await ana.click('Seguridad', 'menuitem')
  await ana.expectText(/usada el/, ana.dialog)
  await ana.click('Quitar Portátil nuevo', 'button', ana.dialog)
  await ana.fill('Contraseña actual', password, ana.dialog)
  await ana.click('Quitar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Llave de acceso quitada')
})

test('keeps both tabs working after a password change, and invalidates credentials copied before', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const agent = await company.user()
  const beto = await desk.open(agent, '/tags')
  const tab = await beto.page.context().newPage()
  await tab.goto(`${h.address}/todolist`)
  await tab.getByRole('button', { name: /cuenta$/ }).waitFor()
  const cookie = (await beto.page.context().cookies(`${h.address}/auth`)).map((c) => `${c.name}=${c.value}`).join('; ')
  const token = await beto.page.evaluate(() => JSON.parse(localStorage.getItem('token') ?? '""') as string)
  for (const page of [beto.page, tab]) await page.evaluate(() => Object.assign(window, { sameLoad: true }))
  desk.allowProblem('403 ')

  await beto.click(/cuenta$/)
  await beto.click('Perfil', 'menuitem')
  await beto.fill('Nueva contraseña', 'mi perro come pan', beto.dialog)
  await beto.fill('Contraseña actual', password, beto.dialog)
  await beto.click('Guardar', 'button', beto.dialog)
  await beto.expectAndCloseToast('Perfil guardado')

  const copied = makeCaller(h.address, token)
  expect((await copied.request('GET', '/tags')).status).toBe(403)
  expect((await makeCaller(h.address).request('POST', '/auth/refresh_token', undefined, { cookie })).status).toBe(401)

  // Users can continue working after the password change, and the sockets of both tabs reconnect without a reload.
  await beto.click('Nueva etiqueta')
  await beto.fill('Nombre', 'Después del cambio', beto.dialog)
  await beto.click('Guardar', 'button', beto.dialog)
  await beto.expectText('Después del cambio')
  await company.admin.call(tagsApi.create, { body: { name: 'De la colega', color: '' } })
  await beto.expectText('De la colega')
  for (const page of [beto.page, tab]) expect(await page.evaluate(() => 'sameLoad' in window)).toBe(true)
  await tab.close()
})
