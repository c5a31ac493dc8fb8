import { tagsApi } from '@recado/contract/tags'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('creates, changes, finds and deletes a first tag', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/tags')
  await ana.sees('Aquí verás tus etiquetas')
  await ana.shot('tags-empty')

  await ana.press('Nueva etiqueta')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Falta 1 dato por corregir', ana.dialog)
  await ana.write('Nombre', 'VI', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Escribe al menos 3 caracteres', ana.dialog)
  await ana.write('Nombre', 'Cliente VIP', ana.dialog)
  await ana
    .the('radio', /^Color #/, ana.dialog)
    .nth(3)
    .check({ force: true })
  await ana.flip('Mostrar como columna del kanban', ana.dialog)
  await ana.shot('tags-form')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Etiqueta creada')
  await ana.row('Cliente VIP').getByText('Columna del kanban').waitFor()

  await ana.press('Editar Cliente VIP')
  await ana.write('Nombre', 'Mayorista', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Etiqueta guardada')
  await ana.sees('Mayorista')
  await ana.misses('Cliente VIP')

  // Closing a form with unsaved changes asks for confirmation.
  await ana.press('Editar Mayorista')
  await ana.write('Nombre', 'Otra cosa', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.sees('¿Salir sin guardar?')
  await ana.confirm('Salir sin guardar')
  await ana.misses(ana.page.getByRole('dialog'))

  await ana.press('Eliminar Mayorista')
  await ana.sees('Ningún ticket la usa.', ana.dialog)
  await ana.shot('tags-delete')
  await ana.scan()
  await ana.press('Cancelar', 'button', ana.dialog)
  await ana.sees('Mayorista')
  await ana.press('Eliminar Mayorista')
  await ana.confirm('Eliminar etiqueta')
  await ana.told('Etiqueta eliminada')
  await ana.sees('Aquí verás tus etiquetas')
  await ana.scan()
})

test('loads a long list page by page, and filters it by search', async () => {
  const { admin } = await desk.house().company()
  const names = Array.from({ length: 45 }, (_, i) => `Etiqueta ${String(i + 1).padStart(2, '0')}`)
  for (const name of [...names, 'Única']) await admin.call(tagsApi.create, { body: { name, color: '#2e7d6b' } })
  const ana = await desk.open(admin, '/tags')
  await ana.sees('Etiqueta 01')
  await ana.sees(/^\d+ de 46 etiquetas$/)
  const list = ana.page.getByRole('region', { name: 'Etiquetas' })
  await expect
    .poll(async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
      return ana.page.getByText('46 etiquetas · no hay más').count()
    })
    .toBe(1)
  await ana.sees('Etiqueta 45')
  await ana.shot('tags-long')
  await ana.scan()

  await ana.page.keyboard.press('/')
  await ana.field('Buscar por nombre').and(ana.page.locator(':focus')).waitFor()
  await ana.page.keyboard.type('única')
  await ana.sees('1 etiqueta · no hay más')
  await ana.sees('Única')
  await ana.write('Buscar por nombre', 'nada de esto')
  await ana.sees('Nada coincide con “nada de esto”')
  await ana.shot('tags-nothing-found')
  await ana.press('Borrar la búsqueda', 'button', list)
  await ana.sees('Etiqueta 01')
})

test('reports a list that failed to load, with a retry', async () => {
  const { admin } = await desk.house().company()
  await admin.call(tagsApi.create, { body: { name: 'Garantía', color: '#2e7d6b' } })
  const ana = await desk.open(admin, '/helps')
  await ana.at('Ayuda')
  desk.excuse('500 GET /tags')
  let broken = true
  await ana.page.route(/\/tags\?/, (route) => (broken ? route.fulfill({ status: 500, json: {} }) : route.fallback()))
  await ana.press('Etiquetas', 'link')
  await ana.sees('No pudimos cargar la lista')
  await ana.sees('Algo falló en el servidor. Prueba de nuevo.')
  await ana.shot('tags-error')
  await ana.scan()
  broken = false
  await ana.press('Reintentar')
  await ana.sees('Garantía')
})

test('shows a tag on a phone as a card with a menu', async () => {
  const { admin } = await desk.house().company()
  await admin.call(tagsApi.create, { body: { name: 'Garantía', color: '#2e7d6b' } })
  const ana = await desk.open(admin, '/tags', { viewport: phoneViewport })
  await ana.sees('Garantía')
  await ana.shot('tags-phone')
  await ana.scan()
  await ana.press('Más acciones de Garantía')
  await ana.press('Editar', 'menuitem')
  await ana.write('Nombre', 'Devolución', ana.dialog)
  await ana.shot('tags-phone-form')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Etiqueta guardada')
  await ana.sees('Devolución')
})

test('adds several tags to a ticket by keyboard, and creates missing ones in place', async () => {
  const d = await openDesk(desk.house())
  for (const name of ['Urgente', 'Mayorista']) await d.admin.call(tagsApi.create, { body: { name, color: '#d73434' } })
  const agent = await d.person('user', [], 'enabled')
  const { id } = await d.openTicket(agent)
  const { uuid } = await d.show(id)
  const ana = await desk.open(agent, `/tickets/${uuid}`)
  await ana.press('Añadir etiqueta')
  await expect.poll(() => ana.page.locator(':focus').getAttribute('aria-label')).toBe('Buscar etiqueta')
  for (const typed of ['urg', 'mayo', 'Frágil']) {
    await ana.page.keyboard.type(typed)
    await ana.dialog
      .getByRole('button', { name: new RegExp(typed, 'i') })
      .first()
      .waitFor()
    await ana.page.keyboard.press('Enter')
    await expect.poll(() => ana.field('Buscar etiqueta').inputValue()).toBe('')
  }
  await ana.shot('tags-picker')
  await ana.scan()
  const names = async () => (await d.show(id)).tags.map((tag) => tag.name).sort()
  await expect.poll(names).toEqual(['Frágil', 'Mayorista', 'Urgente'])
})
