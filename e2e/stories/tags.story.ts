import { tagsApi } from '@recado/contract/tags'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('creates, changes, finds and deletes a first tag', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/tags')
  await ana.expectText('Aquí verás tus etiquetas')
  await ana.takeScreenshot('tags-empty')

  await ana.click('Nueva etiqueta')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Hay 1 campo por corregir', ana.dialog)
  await ana.fill('Nombre', 'VI', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Escribe al menos 3 caracteres', ana.dialog)
  await ana.fill('Nombre', 'Cliente VIP', ana.dialog)
  await ana
    .byRole('radio', /^Color #/, ana.dialog)
    .nth(3)
    .check({ force: true })
  await ana.toggleSwitch('Mostrar como columna del tablero', ana.dialog)
  await ana.takeScreenshot('tags-form')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Etiqueta creada')
  await ana.row('Cliente VIP').getByText('Columna del tablero').waitFor()
  // The colour is shown as such beside its code.
  const color = ana.row('Cliente VIP').locator('td', { hasText: /#[0-9a-f]{6}/i })
  const swatch = await color.locator('.rc-dot').evaluate((dot) => ({
    color: getComputedStyle(dot).getPropertyValue('--c'),
    ...dot.getBoundingClientRect().toJSON(),
  }))
  expect(swatch).toMatchObject({ color: (await color.textContent())?.trim(), width: 14, height: 14 })

  await ana.click('Editar Cliente VIP')
  await ana.fill('Nombre', 'Mayorista', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Etiqueta guardada')
  await ana.expectText('Mayorista')
  await ana.expectHidden('Cliente VIP')

  // Closing a form with unsaved changes asks for confirmation.
  await ana.click('Editar Mayorista')
  await ana.fill('Nombre', 'Otra cosa', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.expectText('¿Salir sin guardar?')
  await ana.confirm('Salir sin guardar')
  await ana.expectHidden(ana.page.getByRole('dialog'))

  await ana.click('Eliminar Mayorista')
  await ana.expectText('Ningún ticket la usa.', ana.dialog)
  await ana.takeScreenshot('tags-delete')
  await ana.checkAccessibility()
  await ana.click('Cancelar', 'button', ana.dialog)
  await ana.expectText('Mayorista')
  await ana.click('Eliminar Mayorista')
  await ana.confirm('Eliminar etiqueta')
  await ana.expectAndCloseToast('Etiqueta eliminada')
  await ana.expectText('Aquí verás tus etiquetas')
  await ana.checkAccessibility()
})

test('loads a long list page by page, and filters it by search', async () => {
  const { admin } = await desk.server().createCompany()
  const names = Array.from({ length: 45 }, (_, i) => `Etiqueta ${String(i + 1).padStart(2, '0')}`)
  for (const name of [...names, 'Única']) await admin.call(tagsApi.create, { body: { name, color: '#2e7d6b' } })
  const ana = await desk.open(admin, '/tags')
  await ana.expectText('Etiqueta 01')
  await ana.expectText(/^\d+ de 46 etiquetas$/)
  const list = ana.page.getByRole('region', { name: 'Etiquetas' })
  await expect
    .poll(async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
      return ana.page.getByText('46 etiquetas · no hay más').count()
    })
    .toBe(1)
  await ana.expectText('Etiqueta 45')
  await ana.takeScreenshot('tags-long')
  await ana.checkAccessibility()

  await ana.page.keyboard.press('/')
  await ana.field('Buscar por nombre').and(ana.page.locator(':focus')).waitFor()
  await ana.page.keyboard.type('única')
  await ana.expectText('1 etiqueta · no hay más')
  await ana.expectText('Única')
  await ana.fill('Buscar por nombre', 'nada de esto')
  await ana.expectText('Nada coincide con “nada de esto”')
  await ana.takeScreenshot('tags-nothing-found')
  await ana.click('Borrar la búsqueda', 'button', list)
  await ana.expectText('Etiqueta 01')
})

test('reports a list that failed to load, with a retry', async () => {
  const { admin } = await desk.server().createCompany()
  await admin.call(tagsApi.create, { body: { name: 'Garantía', color: '#2e7d6b' } })
  const ana = await desk.open(admin, '/helps')
  await ana.expectHeading('Ayuda')
  desk.allowProblem('500 GET /tags')
  let broken = true
  await ana.page.route(/\/tags\?/, (route) => (broken ? route.fulfill({ status: 500, json: {} }) : route.fallback()))
  await ana.click('Etiquetas', 'link')
  await ana.expectText('No pudimos cargar la lista')
  await ana.expectText('Algo falló en el servidor. Prueba de nuevo.')
  await ana.takeScreenshot('tags-error')
  await ana.checkAccessibility()
  broken = false
  await ana.click('Reintentar')
  await ana.expectText('Garantía')
})

test('shows a tag on a phone as a card with a menu', async () => {
  const { admin } = await desk.server().createCompany()
  await admin.call(tagsApi.create, { body: { name: 'Garantía', color: '#2e7d6b' } })
  const ana = await desk.open(admin, '/tags', { viewport: phoneViewport })
  await ana.expectText('Garantía')
  await ana.takeScreenshot('tags-phone')
  await ana.checkAccessibility()
  await ana.click('Más acciones de Garantía')
  await ana.click('Editar', 'menuitem')
  await ana.fill('Nombre', 'Devolución', ana.dialog)
  await ana.takeScreenshot('tags-phone-form')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Etiqueta guardada')
  await ana.expectText('Devolución')
})

test('adds several tags to a ticket by keyboard, and creates missing tags in place', async () => {
  const d = await openDesk(desk.server())
  for (const name of ['Urgente', 'Mayorista']) await d.admin.call(tagsApi.create, { body: { name, color: '#d73434' } })
  const agent = await d.createUser('user', [], 'enabled')
  const { id } = await d.openTicket(agent)
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(agent, `/tickets/${uuid}`)
  await ana.click('Agregar etiqueta')
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
  await ana.takeScreenshot('tags-picker')
  await ana.checkAccessibility()
  const names = async () => (await d.showTicket(id)).tags.map((tag) => tag.name).sort()
  await expect.poll(names).toEqual(['Frágil', 'Mayorista', 'Urgente'])
})
