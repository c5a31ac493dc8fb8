import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { settingsApi } from '@recado/contract/settings'
import { ticketsApi } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { days, minutes } from '../../server/src/kernel/clock.ts'
import { password } from '../../server/test/test-server.ts'
import { createStage, desktopViewport, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const loginPageText = 'Tus recados te esperan'

async function login(ana: Visitor, email: string, secret = password) {
  await ana.expectHeading(loginPageText)
  await ana.fill('Correo', email)
  await ana.fill('Contraseña', secret)
  await ana.click('Entrar')
}

async function pay(companyId: number, days: number) {
  const dueDate = new Date(Date.now() + days * 86_400_000).toISOString()
  await desk.server().wide().db.updateTable('companies').set({ dueDate }).where('id', '=', companyId).execute()
}

test('refuses a wrong password, and opens the requested page after the right one', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.openAnonymous('/tags')
  await ana.expectHeading(loginPageText)
  await ana.click('Entrar')
  await ana.expectText('Escribe tu correo')
  await ana.expectText('Escribe tu contraseña')
  await ana.page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
  // The password is masked unless shown on request, and works with password managers and paste.
  const field = ana.field('Contraseña')
  expect(await field.getAttribute('type')).toBe('password')
  expect(await field.getAttribute('autocomplete')).toBe('current-password')
  await field.evaluate((input: HTMLInputElement) => {
    const pasted = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() })
    if (!input.dispatchEvent(pasted)) throw new Error('pasting is kept out')
  })
  await ana.click('Mostrar contraseña')
  expect(await field.getAttribute('type')).toBe('text')
  await ana.click('Ocultar contraseña')
  desk.allowProblem('401 POST /auth/login')
  await login(ana, admin.email, 'not-this-one')
  await ana.expectText('El correo o la contraseña no son correctos.')
  await ana.takeScreenshot('login-wrong')
  await ana.checkAccessibility()
  const sockets: string[] = []
  ana.page.on('websocket', (socket) => sockets.push(socket.url()))
  // From the address to the password is one Tab: the link to reset it comes after the button.
  await ana.fill('Correo', admin.email)
  await ana.field('Correo').press('Tab')
  await ana.page.keyboard.press('Control+a')
  await ana.page.keyboard.type(password)
  await ana.page.keyboard.press('Enter')
  await ana.expectHeading('Etiquetas')
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  const before = sockets.length
  await ana.page.reload()
  await ana.expectHeading('Etiquetas')
  // URLs end up in proxy logs, so they must contain no credentials.
  await expect.poll(() => sockets.length).toBeGreaterThan(before)
  expect(sockets.filter((address) => /token|ticket|eyJ/.test(address))).toEqual([])
  // Logging out leaves no credentials behind.
  await ana.logOut()
  const left = await ana.page.evaluate(() => ['token', 'companyId', 'userId'].filter((key) => key in localStorage))
  expect(left).toEqual([])
  const cookies = await ana.page.context().cookies(`${desk.server().address}/auth`)
  expect(cookies.filter(({ name }) => name === 'jrt')).toEqual([])
})

test('ends a session ninety days after its login and shows the login page', async () => {
  const h = desk.server()
  const { admin } = await h.createCompany()
  const ana = await desk.open(admin, '/tags')
  await ana.expectHeading('Etiquetas')
  const then = new Date(h.clock.now().getTime() - days(90))
  await sql`update sessions set "openedAt" = ${then} where "userId" = ${admin.id}`.execute(h.wide().db)
  h.clock.advance(minutes(16))
  // Either the page or its socket is refused first.
  desk.allowProblem('403 ')
  desk.allowProblem('401 POST /auth/refresh_token')
  await ana.page.goto('/contacts')
  await ana.expectHeading(loginPageText)
  await login(ana, admin.email)
  await ana.expectHeading('Contactos')
})

test('offers three languages and a dark theme on the login page', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.openAnonymous()
  await ana.expectHeading(loginPageText)
  await ana.takeScreenshot('login')
  await ana.click('Idioma: Español')
  await ana.click('Português', 'menuitemradio')
  await ana.expectHeading('Seus recados esperam por você')
  await ana.click('Idioma: Português')
  await ana.click('English', 'menuitemradio')
  await ana.expectHeading('Your messages are waiting')
  await expect.poll(() => ana.page.locator('html').getAttribute('lang')).toBe('en')

  const scheme = () => ana.page.locator('html').getAttribute('data-mantine-color-scheme')
  await ana.click('Switch to dark theme')
  await ana.byRole('button', 'Switch to light theme').waitFor()
  await expect.poll(scheme).toBe('dark')
  await ana.page.reload()
  await ana.expectHeading('Your messages are waiting')
  await expect.poll(scheme).toBe('dark')
  await ana.takeScreenshot('login-dark')

  await ana.fill('Email', admin.email)
  await ana.fill('Password', password)
  await ana.click('Log in')
  await ana.expectHeading('Tickets')
  await ana.click('Tags', 'link', ana.byRole('navigation', 'Main menu'))
  await ana.expectHeading('Tags')
  await ana.click('Language')
  await ana.click('Português', 'menuitemradio')
  await ana.expectHeading('Etiquetas')
  await ana.byRole('button', 'Nova etiqueta').waitFor()
})

test('signs up a company and logs its admin in', async () => {
  const h = desk.server()
  const friend = await h.createCompany()
  const ana = await desk.openAnonymous(`/signup?companyId=${friend.id}`)
  await ana.expectHeading('Prueba Recado 30 días')
  await ana.takeScreenshot('signup')
  await ana.click('Crear cuenta')
  await ana.expectText('Campo obligatorio')
  await ana.checkAccessibility()
  await ana.fill('Tu nombre', 'Sol Rivas')
  await ana.fill('Nombre de la empresa', friend.name)
  await ana.fill('Correo', 'duena@sol.test')
  await ana.page.getByLabel('País del teléfono').selectOption('AR')
  await ana.field('Teléfono').pressSequentially('1155551234')
  await expect.poll(() => ana.field('Teléfono').inputValue()).toBe('11 5555-1234')
  await ana.page.getByLabel('País del teléfono').selectOption('BR')
  await expect.poll(() => ana.field('Teléfono').inputValue()).toBe('(11) 5555-1234')
  await ana.fill('Teléfono', '')
  await ana.field('Teléfono').pressSequentially('+57 300 555 0192')
  await expect.poll(() => ana.field('Teléfono').inputValue()).toBe('+57 300 555 0192')
  await ana.fill('Contraseña', password)
  desk.allowProblem('409 POST /companies/cadastro')
  await ana.click('Crear cuenta')
  await ana.expectText('Ya hay una empresa con ese nombre.')

  await ana.fill('Nombre de la empresa', 'Panadería Sol')
  await ana.click('Crear cuenta')
  // The toast is shown briefly while the screen loads.
  await Promise.all([ana.expectAndCloseToast('Tu empresa está lista'), ana.expectHeading('Tickets')])
  await ana.expectText(/Sol Rivas.*· Panadería Sol$/)
  await ana.expectText(/^Activa hasta \d\d\/\d\d\/\d{4}$/)
  const made = h
    .wide()
    .db.selectFrom('companies')
    .select(['referrerId', 'planId', 'phone'])
    .where('name', '=', 'Panadería Sol')
  expect(await made.executeTakeFirst()).toEqual({ referrerId: friend.id, planId: 2, phone: '+573005550192' })
})

test('does not reveal on sign-up that an address already has an account', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.openAnonymous('/signup')
  await ana.fill('Tu nombre', 'Sol Rivas')
  await ana.fill('Nombre de la empresa', 'Otra empresa')
  await ana.fill('Correo', admin.email)
  await ana.field('Teléfono').pressSequentially('+57 300 555 0192')
  await ana.fill('Contraseña', 'mi perro come pan')
  // The page tries to log in, as it does after every sign-up.
  desk.allowProblem('401 POST /auth/login')
  await ana.click('Crear cuenta')
  await ana.expectToast('Recibimos tu registro')
  await ana.page.waitForURL(/\/login/)
})

test('ticks off an onboarding step once it works for customers, and keeps a chip until a colleague has answered', async () => {
  const company = await desk.server().createCompany()
  const { admin } = company
  const ana = await desk.open(admin, '/tickets')
  const steps = ana.byRole('region', 'Tres pasos para empezar')
  const done = () => steps.getByRole('img', { name: 'Hecho' }).count()
  await steps.waitFor()
  await ana.takeScreenshot('first-steps')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await steps.waitFor()
  await ana.takeScreenshot('first-steps-phone')
  await ana.page.setViewportSize(desktopViewport)
  // Without a line no message can be sent: the dialog links to the lines.
  await ana.click('Nuevo ticket')
  await ana.expectText('Todavía no hay una línea')
  await ana.takeScreenshot('new-ticket-no-line')
  await ana.click('Crear una línea', 'button', ana.dialog)
  await ana.expectHeading('Líneas')
  await ana.expectText('Nueva línea', ana.dialog)
  await ana.click('Cancelar', 'button', ana.dialog)
  await ana.click('Tickets', 'link', ana.byRole('navigation', 'Menú principal'))
  await ana.click('Probar con el teléfono de prueba', 'button', steps)
  await ana.byRole('link', 'Escribir como cliente', steps).waitFor()
  await expect.poll(done).toBe(1)
  await ana.click(/^En espera/, 'tab')
  await ana.expectText('¿A qué hora abren mañana?')
  await ana.takeScreenshot('first-steps-line')
  // On a phone the list leaves no room for the card: a chip below it opens the steps.
  const remaining = ana.byRole('button', 'Primeros pasos · 1 de 3')
  await ana.expectHidden(remaining)
  await ana.page.setViewportSize(phoneViewport)
  await remaining.waitFor()
  await ana.takeScreenshot('first-steps-line-phone')
  await ana.page.setViewportSize(desktopViewport)
  await steps.waitFor()

  // A queue that no customer reaches, and a colleague who sees no ticket, do not count.
  const beto = await company.user()
  await ana.click('Invitar a alguien', 'link', steps)
  await ana.expectText('Invitar a alguien', ana.dialog)
  await ana.byRole('button', 'Invitar', ana.dialog).waitFor()
  await ana.expectHidden(ana.dialog.getByLabel('Contraseña'))
  await ana.takeScreenshot('first-steps-invite')
  await ana.click('Cancelar', 'button', ana.dialog)
  await ana.click('Tickets', 'link', ana.byRole('navigation', 'Menú principal'))
  const unreached = await admin.request('POST', '/queue', { name: 'Depósito', color: '#3388cc' })
  await ana.click('Elegir sus líneas', 'link', steps)
  await expect.poll(() => ana.dialog.getByLabel('Nombre').inputValue()).toBe('Depósito')
  await ana.click('Cancelar', 'button', ana.dialog)
  expect((await admin.request('DELETE', `/queue/${unreached.body.id}`)).status).toBe(200)
  await ana.click('Tickets', 'link', ana.byRole('navigation', 'Menú principal'))
  await ana.click('Crear una cola', 'link', steps)
  await ana.fill('Nombre', 'Ventas', ana.dialog)
  await ana.expectText('Teléfono de prueba', ana.dialog)
  await ana.expectText(/^Verán sus tickets: .* y los administradores\.$/, ana.dialog)
  // The sample customers move into the queue, so that a colleague sees them.
  expect(await ana.dialog.getByLabel('Pasar a esta cola a los 4 clientes que esperan sin cola').isChecked()).toBe(true)
  await ana.takeScreenshot('first-steps-queue')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola creada')
  await ana.click('Tickets', 'link', ana.byRole('navigation', 'Menú principal'))
  const chip = ana.byRole('button', 'Falta que alguien más responda')
  await chip.waitFor()
  await ana.expectText('Elige un ticket para empezar')
  await chip.click()
  await expect.poll(() => ana.dialog.getByRole('img', { name: 'Hecho' }).count()).toBe(3)
  await ana.expectText(/^Los tres pasos están hechos\. Falta que otra persona/, ana.dialog)
  await ana.takeScreenshot('first-steps-chip')
  await ana.checkAccessibility()
  await ana.click('No mostrar más', 'button', ana.dialog)
  await chip.waitFor({ state: 'detached' })
  await ana.page.reload()
  await ana.expectText('Elige un ticket para empezar')
  await ana.expectHidden(chip)
  const own = { name: 'The admin', email: admin.email, profile: 'admin', allTicket: 'enabled' }
  expect((await admin.request('PUT', `/users/${admin.id}`, { ...own, hidesGuide: false })).status).toBe(200)
  await chip.waitFor()

  const { tickets } = await beto.call(ticketsApi.list, { query: { pageNumber: 1, status: 'pending' } as never })
  expect(tickets).toHaveLength(4)
  const waiting = tickets[0]?.id ?? 0
  await beto.request('PUT', `/tickets/${waiting}`, { status: 'open', userId: beto.id })
  expect((await beto.request('POST', `/messages/${waiting}`, { body: 'Hola' })).status).toBe(200)
  const setting = async () => (await admin.call(settingsApi.list)).find(({ key }) => key === 'firstSteps')?.value
  await expect.poll(setting).toBe('done')
  await ana.expectText('Elige un ticket para empezar')
  await chip.waitFor({ state: 'detached' })
})

test('resets a forgotten password with the code from the mail', async () => {
  const h = desk.server()
  const { admin } = await h.createCompany()
  const ana = await desk.openAnonymous()
  await ana.click('¿La olvidaste?', 'link')
  await ana.expectHeading('Recupera tu contraseña')
  await ana.checkAccessibility()
  await ana.fill('Correo', admin.email)
  await ana.click('Enviar el código')
  await ana.expectAndCloseToast('El código está listo')
  await ana.expectHeading('Escribe el código')
  await ana.expectText(/^Este servidor aún no envía correos/)
  await ana.takeScreenshot('reset')
  await ana.fill('Contraseña nueva', 'Otra-clave-1')
  await ana.fill('Repite la contraseña', 'Otra-clave-2')
  await ana.click('Guardar la contraseña')
  await ana.expectText('Las contraseñas no coinciden')
  await ana.checkAccessibility()

  await ana.fill('Código de verificación', await codeFor(admin.email, h.dataDir))
  await ana.fill('Repite la contraseña', 'Otra-clave-1')
  await ana.click('Guardar la contraseña')
  await ana.expectAndCloseToast('Contraseña guardada')
  await login(ana, admin.email, 'Otra-clave-1')
  await ana.expectHeading('Tickets')
})

/** Reads the code from the mail folder of a server without SMTP, once the mail is written. */
const codeFor = (email: string, dataDir: string): Promise<string> =>
  vi.waitFor(async () => {
    const folder = join(dataDir, 'mail')
    const name = (await readdir(folder)).find((file) => file.includes(email))
    const body = (await readFile(join(folder, `${name}`), 'utf8')).split('\n\n').slice(1).join(' ')
    return /\b[\dA-Z]{6,10}\b/.exec(body)?.[0] ?? Promise.reject(new Error('no code yet'))
  })

test('ends the session when the user logs in elsewhere, with the reason', async () => {
  const { admin } = await desk.server().createCompany()
  const here = await desk.open(admin, '/tags')
  await here.expectHeading('Etiquetas')
  await here.waitUntilLive()
  await here.waitForStartup()
  const there = await desk.openAnonymous()
  // The page loads again after a second: it waits here until the notice was seen.
  const seen = Promise.withResolvers<void>()
  await here.page.route('**/*', async (route) => {
    if (route.request().isNavigationRequest()) await seen.promise
    await route.fallback()
  })
  await login(there, admin.email)
  await here.expectText('Tu cuenta se abrió en otra computadora')
  seen.resolve()
  await there.expectHeading('Tickets')
  await here.expectHeading(loginPageText)
  await here.expectText('Tu cuenta se abrió en otra computadora.')
  await here.takeScreenshot('login-ended')
  await here.checkAccessibility()
  await there.click('Etiquetas', 'link', there.byRole('navigation', 'Menú principal'))
  await there.expectHeading('Etiquetas')
})

test('explains an expired session on the login page, but not a logout', async () => {
  const { admin } = await desk.server().createCompany()
  // No page was open that could receive the reason.
  const over = await desk.server().login(admin.email)
  const again = await desk.server().login(admin.email)
  desk.allowProblem('401 POST /auth/refresh_token')
  const here = await desk.open(over, '/tags')
  await here.expectHeading(loginPageText)
  await here.expectText(/^Tu sesión terminó/)
  const there = await desk.open(again, '/tags')
  await there.expectHeading('Etiquetas')
  await there.logOut()
  await there.expectHidden(/Tu sesión terminó|otra pestaña/)
})

test('leads users of an unpaid company to the subscription page, and warns them beforehand', async () => {
  const { admin, id, user } = await desk.server().createCompany()
  const agent = await user()
  await pay(id, -3)
  const ana = await desk.openAnonymous('/login', { viewport: phoneViewport })
  await login(ana, agent.email)
  await ana.expectHeading('La suscripción venció')
  await ana.expectText(/Puedes leer lo que está abierto/)
  await ana.click('Cerrar sesión')
  await login(ana, admin.email)
  await ana.expectHeading('La suscripción venció')
  await ana.expectText(/estaba paga hasta el \d\d\/\d\d\/\d{4}\.$/)
  await ana.expectText(/Plan .+: R\$/)
  await ana.takeScreenshot('expired-phone')
  await ana.checkAccessibility()
  await ana.click('Ya está renovada')
  await ana.expectText('Todavía figura vencida.')
  await ana.page.reload()
  await ana.expectHeading('La suscripción venció')
  await ana.click('Cerrar sesión')
  await login(ana, admin.email)
  await ana.expectHeading('La suscripción venció')
  // After a payment elsewhere, this browser gets access again without a reload.
  await pay(id, 3.5)
  await ana.expectText(/^Tu plan vence en \d días$/)
  await ana.takeScreenshot('expiry-warning-phone')
  await ana.checkAccessibility({ toasts: true })

  // The last paid day ends while a user works. It is set two days back, because yesterday in UTC may still be today in
  // the company's calendar.
  await pay(id, -2)
  desk.allowProblem('402 ')
  // A refused call of the page may already have opened the subscription page.
  const ended = ana.page.getByRole('heading', { level: 1, name: 'La suscripción venció' })
  const contacts = ana.byRole('link', 'Contactos')
  await expect
    .poll(async () => {
      // Keeps a handle to this exact link, because it may disappear before it is clicked.
      const [link] = await contacts.elementHandles()
      await link?.click().catch(() => undefined)
      return ended.isVisible()
    })
    .toBe(true)
})
