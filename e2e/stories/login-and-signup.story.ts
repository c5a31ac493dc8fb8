import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { queuesApi } from '@recado/contract/queues'
import { settingsApi } from '@recado/contract/settings'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { days, minutes } from '../../server/src/kernel/clock.ts'
import { password } from '../../server/test/test-server.ts'
import { createStage, desktopViewport, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const door = 'Tus recados te esperan'

async function login(ana: Visitor, email: string, secret = password) {
  await ana.at(door)
  await ana.write('Correo', email)
  await ana.write('Contraseña', secret)
  await ana.press('Entrar')
}

async function pay(companyId: number, days: number) {
  const dueDate = new Date(Date.now() + days * 86_400_000).toISOString()
  await desk.house().wide().db.updateTable('companies').set({ dueDate }).where('id', '=', companyId).execute()
}

test('refuses a wrong password, and leads to the requested page after the right one', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.arrive('/tags')
  await ana.at(door)
  await ana.press('Entrar')
  await ana.sees('Escribe tu correo')
  await ana.sees('Escribe tu contraseña')
  await ana.page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
  // Masked unless shown on request, and usable with password managers and paste.
  const field = ana.field('Contraseña')
  expect(await field.getAttribute('type')).toBe('password')
  expect(await field.getAttribute('autocomplete')).toBe('current-password')
  await field.evaluate((input: HTMLInputElement) => {
    const pasted = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() })
    if (!input.dispatchEvent(pasted)) throw new Error('pasting is kept out')
  })
  await ana.press('Mostrar contraseña')
  expect(await field.getAttribute('type')).toBe('text')
  await ana.press('Ocultar contraseña')
  desk.excuse('401 POST /auth/login')
  await login(ana, admin.email, 'not-this-one')
  await ana.sees('El correo o la contraseña no coinciden.')
  await ana.shot('login-wrong')
  await ana.scan()
  const sockets: string[] = []
  ana.page.on('websocket', (socket) => sockets.push(socket.url()))
  await login(ana, admin.email)
  await ana.at('Etiquetas')
  await expect.poll(() => sockets.length).toBeGreaterThan(0)
  const before = sockets.length
  await ana.page.reload()
  await ana.at('Etiquetas')
  // URLs end up in proxy logs, so they must contain no credentials.
  await expect.poll(() => sockets.length).toBeGreaterThan(before)
  expect(sockets.filter((address) => /token|ticket|eyJ/.test(address))).toEqual([])
  // Logging out leaves no credentials behind.
  await ana.leaves()
  const left = await ana.page.evaluate(() => ['token', 'companyId', 'userId'].filter((key) => key in localStorage))
  expect(left).toEqual([])
  const cookies = await ana.page.context().cookies(`${desk.house().address}/auth`)
  expect(cookies.filter(({ name }) => name === 'jrt')).toEqual([])
})

test('ends a session ninety days after its login and shows the login page', async () => {
  const h = desk.house()
  const { admin } = await h.company()
  const ana = await desk.open(admin, '/tags')
  await ana.at('Etiquetas')
  const then = new Date(h.clock.now().getTime() - days(90))
  await sql`update sessions set "openedAt" = ${then} where "userId" = ${admin.id}`.execute(h.wide().db)
  h.clock.forward(minutes(16))
  // The page or its socket, whichever is first.
  desk.excuse('403 ')
  desk.excuse('401 POST /auth/refresh_token')
  await ana.page.goto('/contacts')
  await ana.at(door)
  await login(ana, admin.email)
  await ana.at('Contactos')
})

test('offers three languages and a dark theme on the login page', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.arrive()
  await ana.at(door)
  await ana.shot('login')
  await ana.press('Idioma: Español')
  await ana.press('Português', 'menuitemradio')
  await ana.at('Seus recados te esperam')
  await ana.press('Idioma: Português')
  await ana.press('English', 'menuitemradio')
  await ana.at('Your messages are waiting')
  await expect.poll(() => ana.page.locator('html').getAttribute('lang')).toBe('en')

  const scheme = () => ana.page.locator('html').getAttribute('data-mantine-color-scheme')
  await ana.press('Switch to dark theme')
  await ana.the('button', 'Switch to light theme').waitFor()
  await expect.poll(scheme).toBe('dark')
  await ana.page.reload()
  await ana.at('Your messages are waiting')
  await expect.poll(scheme).toBe('dark')
  await ana.shot('login-dark')

  await ana.write('E-mail', admin.email)
  await ana.write('Password', password)
  await ana.press('Log in')
  await ana.at('Tickets')
  await ana.press('Tags', 'link', ana.the('navigation', 'Main menu'))
  await ana.at('Tags')
  await ana.press('Language')
  await ana.press('Português', 'menuitemradio')
  await ana.at('Etiquetas')
  await ana.the('button', 'Nova etiqueta').waitFor()
})

test('signs up a company and logs its admin in', async () => {
  const h = desk.house()
  const friend = await h.company()
  const ana = await desk.arrive(`/signup?companyId=${friend.id}`)
  await ana.at('Prueba Recado 30 días')
  await ana.shot('signup')
  await ana.press('Crear la cuenta')
  await ana.sees('Falta este dato')
  await ana.scan()
  await ana.write('Tu nombre', 'Sol Rivas')
  await ana.write('Nombre de la empresa', friend.name)
  await ana.write('Correo', 'duena@sol.test')
  await ana.field('Teléfono').pressSequentially('11999990000')
  await expect.poll(() => ana.field('Teléfono').inputValue()).toBe('(11) 99999-0000')
  await ana.write('Teléfono', '')
  await ana.field('Teléfono').pressSequentially('+57 300 555 0192')
  await expect.poll(() => ana.field('Teléfono').inputValue()).toBe('+57 300 555 0192')
  await ana.write('Contraseña', password)
  desk.excuse('409 POST /companies/cadastro')
  await ana.press('Crear la cuenta')
  await ana.sees('Ya hay una empresa con ese nombre.')

  await ana.write('Nombre de la empresa', 'Panadería Sol')
  await ana.press('Crear la cuenta')
  // The toast is shown briefly while the screen loads.
  await Promise.all([ana.told('Tu empresa está lista'), ana.at('Tickets')])
  await ana.sees(/Sol Rivas.*· Panadería Sol$/)
  await ana.sees(/^Activa hasta \d\d\/\d\d\/\d{4}$/)
  const made = h
    .wide()
    .db.selectFrom('companies')
    .select(['referrerId', 'planId', 'phone'])
    .where('name', '=', 'Panadería Sol')
  expect(await made.executeTakeFirst()).toEqual({ referrerId: friend.id, planId: 2, phone: '+573005550192' })
})

test('does not reveal on sign-up that an address already has an account', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.arrive('/signup')
  await ana.write('Tu nombre', 'Sol Rivas')
  await ana.write('Nombre de la empresa', 'Otra empresa')
  await ana.write('Correo', admin.email)
  await ana.field('Teléfono').pressSequentially('+57 300 555 0192')
  await ana.write('Contraseña', 'mi perro come pan')
  // The page tries to log in, as after any sign-up.
  desk.excuse('401 POST /auth/login')
  await ana.press('Crear la cuenta')
  await ana.learns('Recibimos tu registro')
  await ana.page.waitForURL(/\/login/)
})

test('ticks off the onboarding steps as they are done, and dismisses the list for good', async () => {
  const company = await desk.house().company()
  const { admin } = company
  const ana = await desk.open(admin, '/tickets')
  const steps = ana.the('region', 'Tres pasos para empezar')
  const done = () => steps.getByRole('img', { name: 'Hecho' }).count()
  await steps.waitFor()
  await ana.shot('first-steps')
  await ana.scan()
  await ana.page.setViewportSize(phoneViewport)
  await steps.waitFor()
  await ana.shot('first-steps-phone')
  await ana.page.setViewportSize(desktopViewport)
  // Without a line no message can be sent: the dialog links to the lines.
  await ana.page.keyboard.press('c')
  await ana.sees('Todavía no hay una línea')
  await ana.shot('new-ticket-no-line')
  await ana.press('Crear una línea', 'button', ana.dialog)
  await ana.at('Líneas')
  await ana.sees('Nueva línea', ana.dialog)
  await ana.press('Cancelar', 'button', ana.dialog)
  await ana.press('Tickets', 'link', ana.the('navigation', 'Menú principal'))
  await ana.press('Probar con el teléfono de prueba', 'button', steps)
  await ana.the('link', 'Escribir como cliente', steps).waitFor()
  await expect.poll(done).toBe(1)
  await ana.press(/^En espera/, 'tab')
  await ana.sees('¿A qué hora abren mañana?')
  await ana.shot('first-steps-line')

  await admin.call(queuesApi.create, { body: { name: 'Ventas', color: '#2f9e44' } as never })
  await expect.poll(done).toBe(2)
  await company.user()
  await ana.page.reload()
  await ana.sees('Elige un ticket para empezar')
  const setting = async () => (await admin.call(settingsApi.list)).find(({ key }) => key === 'firstSteps')?.value
  await expect.poll(setting).toBe('done')
  for (const { id } of await admin.call(queuesApi.list)) await admin.call(queuesApi.remove, { params: { id } })
  await ana.page.reload()
  await ana.sees('Elige un ticket para empezar')
})

test('resets a forgotten password with the code from the mail', async () => {
  const h = desk.house()
  const { admin } = await h.company()
  const ana = await desk.arrive()
  await ana.press('¿La olvidaste?', 'link')
  await ana.at('Recupera tu contraseña')
  await ana.scan()
  await ana.write('Correo', admin.email)
  await ana.press('Enviar el código')
  await ana.told('El código está listo')
  await ana.at('Escribe el código')
  await ana.sees(/^Este servidor aún no envía correos/)
  await ana.shot('reset')
  await ana.write('Contraseña nueva', 'Otra-clave-1')
  await ana.write('Repite la contraseña', 'Otra-clave-2')
  await ana.press('Guardar la contraseña')
  await ana.sees('No es igual a la de arriba')
  await ana.scan()

  await ana.write('Código de verificación', await codeFor(admin.email, h.dataDir))
  await ana.write('Repite la contraseña', 'Otra-clave-1')
  await ana.press('Guardar la contraseña')
  await ana.told('Contraseña guardada')
  await login(ana, admin.email, 'Otra-clave-1')
  await ana.at('Tickets')
})

/** The code from the mail folder of a server without SMTP, once it is written. */
const codeFor = (email: string, dataDir: string): Promise<string> =>
  vi.waitFor(async () => {
    const folder = join(dataDir, 'mail')
    const name = (await readdir(folder)).find((file) => file.includes(email))
    const body = (await readFile(join(folder, `${name}`), 'utf8')).split('\n\n').slice(1).join(' ')
    return /\b[\dA-Z]{6,10}\b/.exec(body)?.[0] ?? Promise.reject(new Error('no code yet'))
  })

test('ends the session when the user logs in elsewhere, with the reason', async () => {
  const { admin } = await desk.house().company()
  const here = await desk.open(admin, '/tags')
  await here.at('Etiquetas')
  await here.hears()
  await here.still()
  const there = await desk.arrive()
  // Shown for a second.
  const notice = here.sees('Tu cuenta se abrió en otro computador')
  await login(there, admin.email)
  await Promise.all([notice, there.at('Tickets')])
  await here.at(door)
  await here.sees('Tu cuenta se abrió en otro computador.')
  await here.shot('login-ended')
  await here.scan()
  await there.press('Etiquetas', 'link', there.the('navigation', 'Menú principal'))
  await there.at('Etiquetas')
})

test('explains an expired session on the login page, but not a logout', async () => {
  const { admin } = await desk.house().company()
  // No page was open to receive the reason.
  const over = await desk.house().login(admin.email)
  const again = await desk.house().login(admin.email)
  desk.excuse('401 POST /auth/refresh_token')
  const here = await desk.open(over, '/tags')
  await here.at(door)
  await here.sees(/^Tu sesión terminó/)
  const there = await desk.open(again, '/tags')
  await there.at('Etiquetas')
  await there.leaves()
  await there.misses(/Tu sesión terminó|otra pestaña/)
})

test('leads users of an unpaid company to the subscription page, and warns beforehand', async () => {
  const { admin, id, user } = await desk.house().company()
  const agent = await user()
  await pay(id, -3)
  const ana = await desk.arrive('/login', { viewport: phoneViewport })
  await login(ana, agent.email)
  await ana.at('La suscripción venció')
  await ana.sees(/Puedes leer lo que está abierto/)
  await ana.press('Cerrar sesión')
  await login(ana, admin.email)
  await ana.at('La suscripción venció')
  await ana.sees(/estaba paga hasta el \d\d\/\d\d\/\d{4}\.$/)
  await ana.sees(/Plan .+: R\$/)
  await ana.shot('expired-phone')
  await ana.scan()
  await ana.press('Ya está renovada')
  await ana.sees('Todavía figura vencida.')
  await ana.page.reload()
  await ana.at('La suscripción venció')
  await ana.press('Cerrar sesión')
  await login(ana, admin.email)
  await ana.at('La suscripción venció')
  // After a payment elsewhere this browser is let in by itself.
  await pay(id, 3.5)
  await ana.sees(/^Tu plan vence en \d días$/)
  await ana.shot('expiry-warning-phone')
  await ana.scan({ toasts: true })

  // The last paid day ends while a user works.
  // Two days: in the company's calendar yesterday may still be today.
  await pay(id, -2)
  desk.excuse('402 ')
  // Unless a refused call of the page has already led there.
  const ended = ana.page.getByRole('heading', { level: 1, name: 'La suscripción venció' })
  const contacts = ana.the('link', 'Contactos')
  await expect
    .poll(async () => {
      // Hold this exact link: it may disappear before it is clicked.
      const [link] = await contacts.elementHandles()
      await link?.click().catch(() => undefined)
      return ended.isVisible()
    })
    .toBe(true)
})
