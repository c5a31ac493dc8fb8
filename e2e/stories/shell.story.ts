import { expect, test } from 'vitest'
import { password } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const menuOf = (ana: Visitor) => ana.the('navigation', 'Menú principal').getByRole('link').allInnerTexts()
const forAdmins = ['Líneas', 'Teléfono de prueba', 'Archivos', 'Usuarios', 'Ajustes']
const forEverybody = ['Respuestas rápidas', 'Tareas', 'Etiquetas', 'Ayuda']

test('shows only permitted items in the menu', async () => {
  const company = await desk.house().company()
  const [agent, superUser] = await Promise.all([company.user('user'), desk.house().superUser()])
  const ana = await desk.open(company.admin)
  await ana.at('Tickets')
  await ana.shot('welcome')
  await expect.poll(() => menuOf(ana)).toEqual(expect.arrayContaining([...forEverybody, ...forAdmins]))
  expect(await menuOf(ana)).not.toContain('Comunicados')
  await ana.scan()

  const beto = await desk.open(agent)
  await beto.at('Tickets')
  await expect.poll(() => menuOf(beto)).toEqual(expect.arrayContaining(forEverybody))
  expect((await menuOf(beto)).filter((name) => [...forAdmins, 'Comunicados'].includes(name))).toEqual([])
  await beto.page.goto('/users')
  await beto.learns('Esta página no es para tu cuenta')
  await beto.at('Tickets')

  const root = await desk.open(superUser)
  await root.at('Tickets')
  await expect.poll(() => menuOf(root)).toEqual(expect.arrayContaining(['Comunicados', ...forAdmins]))
})

test('scrolls the menu to the current item on a low screen', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/settings', { viewport: { width: 1440, height: 560 } })
  await ana.at('Ajustes')
  const menu = ana.the('navigation', 'Menú principal')
  const inSight = async () => {
    const [box, frame] = [await ana.the('link', 'Ajustes', menu).boundingBox(), await menu.boundingBox()]
    return box && frame ? frame.y + frame.height - (box.y + box.height) : -1
  }
  await expect.poll(inSight).toBeGreaterThanOrEqual(0)
})

test('folds the menu and remembers it', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin)
  await ana.sees('Versión 6.0.0')
  await ana.press('Contraer menú')
  await ana.misses('Versión 6.0.0')
  await ana.page.reload()
  await ana.the('button', 'Expandir menú').waitFor()
  await ana.press('Etiquetas', 'link', ana.the('navigation', 'Menú principal'))
  await ana.at('Etiquetas')
  await ana.shot('menu-folded')
  await ana.scan()
})

test('shows the main screens in a bottom bar on a phone, and the rest in a drawer', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/tickets', { viewport: phoneViewport })
  await ana.at('Tickets')
  await ana.shot('welcome-phone')
  await ana.scan()
  const bar = ana.the('navigation', 'Menú')
  await expect.poll(() => bar.getByRole('link').count()).toBe(3)
  await ana.press('Contactos', 'link', bar)
  await ana.at('Contactos')
  await ana.press('Menú', 'button', bar)
  await ana.press('Cambiar a tema oscuro', 'button', ana.dialog)
  await ana.sees('Cambiar a tema claro', ana.dialog)
  await ana.press('Cambiar a tema claro', 'button', ana.dialog)
  await ana.shot('menu-phone')
  await ana.press('Ajustes', 'link', ana.dialog)
  await ana.at('Ajustes')
  await ana.misses(ana.page.getByRole('dialog'))
})

test('finds screens with Ctrl K', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin)
  await ana.at('Tickets')
  await ana.page.keyboard.press('Control+k')
  await ana.dialog.getByPlaceholder('Buscar o ir a…').fill('rapidas')
  await ana.sees('Respuestas rápidas', ana.dialog)
  await ana.misses('Etiquetas', ana.dialog)
  await ana.shot('command')
  await ana.scan()
  await ana.page.keyboard.press('Enter')
  await ana.at('Respuestas rápidas')
})

test('changes one’s own name and password, keeps the session, and logs out', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/todolist')
  await ana.press('TA, The admin, Tu cuenta')
  await ana.sees(/^Admin · Company/)
  await ana.press('Perfil', 'menuitem')
  await ana.write('Nombre', 'Ana Lucía Prado', ana.dialog)
  await ana.shot('profile')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Perfil guardado')
  await ana.page.locator('header').getByText('Ana Lucía Prado').waitFor()

  await ana.press('AP, Ana Lucía Prado, Tu cuenta')
  await ana.press('Perfil', 'menuitem')
  await ana.misses('Contraseña actual')
  await ana.write('Nueva contraseña', 'contraseña1', ana.dialog)
  await ana.sees('Seguridad: muy común', ana.dialog)
  await ana.write('Nueva contraseña', 'mi perro come pan', ana.dialog)
  await ana.sees(/^Seguridad: (buena|fuerte)$/, ana.dialog)
  await ana.write('Contraseña actual', 'no-es-esta', ana.dialog)
  await ana.shot('profile-password')
  await ana.scan()
  for (const refused of [`400 PUT /users/${admin.id}`, '403 ']) desk.excuse(refused)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Escribe tu contraseña actual.', ana.dialog)
  await ana.write('Contraseña actual', password, ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Perfil guardado')

  await ana.press('Volumen de avisos')
  await ana.the('slider', 'Volumen de avisos').press('Home')
  await ana.sees('0,0')
  await ana.page.keyboard.press('Escape')
  await ana.leaves()
})

test('redirects an unknown path home', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/no-existe')
  await ana.at('Esta página no existe')
  await ana.shot('not-found')
  await ana.scan()
  await ana.press('Ir al inicio')
  await ana.at('Panel')
})

test('offers a newer version of the app, and loads it on request', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/tags', { worker: true })
  await ana.at('Etiquetas')
  const offer = ana.page.getByText('Hay una versión nueva')
  // Another worker takes control of the page, as after a server update.
  await expect
    .poll(async () => {
      await ana.page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
      return offer.count()
    })
    .toBe(1)
  await ana.shot('new-build')
  await ana.scan({ toasts: true })
  await ana.press('Recargar')
  await ana.misses(offer)
  await ana.at('Etiquetas')
})
