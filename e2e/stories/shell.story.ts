import { expect, test } from 'vitest'
import { password } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const menuOf = (ana: Visitor) => ana.byRole('navigation', 'Menú principal').getByRole('link').allInnerTexts()
const forAdmins = ['Líneas', 'Teléfono de prueba', 'Archivos', 'Usuarios', 'Ajustes']
const forEverybody = ['Respuestas rápidas', 'Tareas', 'Etiquetas', 'Ayuda']

test('shows only permitted items in the menu', async () => {
  const company = await desk.server().createCompany()
  const [agent, superUser] = await Promise.all([company.user('user'), desk.server().superUser()])
  const ana = await desk.open(company.admin)
  await ana.expectHeading('Tickets')
  await ana.takeScreenshot('welcome')
  await expect.poll(() => menuOf(ana)).toEqual(expect.arrayContaining([...forEverybody, ...forAdmins]))
  expect(await menuOf(ana)).not.toContain('Comunicados')
  // Everything an admin sees stands in the menu without scrolling.
  const menu = ana.byRole('navigation', 'Menú principal')
  expect(await menu.evaluate((nav) => nav.scrollHeight - nav.clientHeight)).toBe(0)
  await ana.checkAccessibility()

  const beto = await desk.open(agent)
  await beto.expectHeading('Tickets')
  await expect.poll(() => menuOf(beto)).toEqual(expect.arrayContaining(forEverybody))
  expect((await menuOf(beto)).filter((name) => [...forAdmins, 'Comunicados'].includes(name))).toEqual([])
  await beto.page.goto('/users')
  await beto.expectToast('Tu cuenta no tiene acceso a esta página')
  await beto.expectHeading('Tickets')

  const root = await desk.open(superUser)
  await root.expectHeading('Tickets')
  await expect.poll(() => menuOf(root)).toEqual(expect.arrayContaining(['Comunicados', ...forAdmins]))
})

test('scrolls the menu to the current item on a screen of small height', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/settings', { viewport: { width: 1440, height: 560 } })
  await ana.expectHeading('Ajustes')
  const menu = ana.byRole('navigation', 'Menú principal')
  const inSight = async () => {
    const [box, frame] = [await ana.byRole('link', 'Ajustes', menu).boundingBox(), await menu.boundingBox()]
    return box && frame ? frame.y + frame.height - (box.y + box.height) : -1
  }
  await expect.poll(inSight).toBeGreaterThanOrEqual(0)
})

test('collapses the menu and remembers it', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin)
  await ana.expectText('Versión 6.0.0')
  await ana.click('Contraer menú')
  await ana.expectHidden('Versión 6.0.0')
  await ana.page.reload()
  await ana.byRole('button', 'Expandir menú').waitFor()
  await ana.click('Etiquetas', 'link', ana.byRole('navigation', 'Menú principal'))
  await ana.expectHeading('Etiquetas')
  await ana.takeScreenshot('menu-folded')
  await ana.checkAccessibility()
})

test('shows the main screens in a bottom bar on a phone, and the rest in a drawer', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/tickets', { viewport: phoneViewport })
  await ana.expectHeading('Tickets')
  await ana.takeScreenshot('welcome-phone')
  await ana.checkAccessibility()
  const bar = ana.byRole('navigation', 'Menú')
  await expect.poll(() => bar.getByRole('link').count()).toBe(3)
  await ana.click('Contactos', 'link', bar)
  await ana.expectHeading('Contactos')
  await ana.click('Menú', 'button', bar)
  await ana.click('Cambiar a tema oscuro', 'button', ana.dialog)
  await ana.expectText('Cambiar a tema claro', ana.dialog)
  await ana.click('Cambiar a tema claro', 'button', ana.dialog)
  await ana.takeScreenshot('menu-phone')
  await ana.click('Ajustes', 'link', ana.dialog)
  await ana.expectHeading('Ajustes')
  await ana.expectHidden(ana.page.getByRole('dialog'))
})

test('finds screens with Ctrl K', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin)
  await ana.expectHeading('Tickets')
  await ana.page.keyboard.press('Control+k')
  await ana.dialog.getByPlaceholder('Buscar o ir a…').fill('rapidas')
  await ana.expectText('Respuestas rápidas', ana.dialog)
  await ana.expectHidden('Etiquetas', ana.dialog)
  await ana.takeScreenshot('command')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Enter')
  await ana.expectHeading('Respuestas rápidas')
})

test('lets users change their own name and password, keeps the session, and logs out', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/todolist')
  await ana.click('TA Disponible, The admin, Tu cuenta')
  await ana.expectText(/^Administrador · Company/)
  await ana.click('Perfil', 'menuitem')
  await ana.fill('Nombre', 'Ana Lucía Prado', ana.dialog)
  await ana.takeScreenshot('profile')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Perfil guardado')
  await ana.page.locator('header').getByText('Ana Lucía Prado').waitFor()

  await ana.click('AP Disponible, Ana Lucía Prado, Tu cuenta')
  await ana.click('Perfil', 'menuitem')
  await ana.expectHidden('Contraseña actual')
  await ana.fill('Nueva contraseña', 'contraseña1', ana.dialog)
  await ana.expectText('Seguridad: muy común', ana.dialog)
  await ana.fill('Nueva contraseña', 'mi perro come pan', ana.dialog)
  await ana.expectText(/^Seguridad: (buena|fuerte)$/, ana.dialog)
  await ana.fill('Contraseña actual', 'no-es-esta', ana.dialog)
  await ana.takeScreenshot('profile-password')
  await ana.checkAccessibility()
  for (const refused of [`400 PUT /users/${admin.id}`, '403 ']) desk.allowProblem(refused)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Escribe tu contraseña actual.', ana.dialog)
  await ana.fill('Contraseña actual', password, ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Perfil guardado')

  await ana.click('Volumen de avisos')
  await ana.byRole('slider', 'Volumen de avisos').press('Home')
  await ana.expectText('0,0')
  await ana.page.keyboard.press('Escape')
  await ana.logOut()
})

test('redirects an unknown path to the home page', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/no-existe')
  await ana.expectHeading('Esta página no existe')
  await ana.takeScreenshot('not-found')
  await ana.checkAccessibility()
  await ana.click('Ir al inicio')
  await ana.expectHeading('Panel')
})

test('offers a newer version of the app, and loads it on request', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/tags', { serviceWorker: true })
  await ana.expectHeading('Etiquetas')
  const offer = ana.page.getByText('Hay una versión nueva')
  // Another worker takes control of the page, as after a server update.
  await expect
    .poll(async () => {
      await ana.page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
      return offer.count()
    })
    .toBe(1)
  await ana.takeScreenshot('new-build')
  await ana.checkAccessibility({ toasts: true })
  await ana.click('Recargar')
  await ana.expectHidden(offer)
  await ana.expectHeading('Etiquetas')
})
