import { chatsApi } from '@recado/contract/chats'
import { expect, test } from 'vitest'
import { tinyPdf } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('lets three users chat with a mention and a file, one of them on a phone', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const named = async (name: string) => {
    const email = `${name.split(' ')[0]}@chats.test`
    const { id } = await h.createUser(company.id, 'user', email)
    await h.wide().db.updateTable('users').set({ name }).where('id', '=', id).execute()
    return h.login(email)
  }
  const [ana, beto, carla] = [await named('Ana Ríos'), await named('Beto Luna'), await named('Carla Sosa')]
  const onDesk = await desk.open(ana, '/chats')
  await onDesk.expectText('Escribe al equipo sin salir de Recado')
  const { page } = onDesk
  await page.getByRole('button', { name: 'Nuevo chat' }).first().click()
  await onDesk.fill('Nombre del chat', 'Recepción', onDesk.dialog)
  await onDesk.field('Personas').click()
  for (const name of ['Beto Luna', 'Carla Sosa']) await onDesk.click(name, 'option')
  await onDesk.field('Nombre del chat').press('Enter')
  await onDesk.expectText('Todavía no hay mensajes')

  const onPhone = await desk.open(beto, '/chats', { viewport: phoneViewport, touch: true })
  await onPhone.expectText('Recepción')
  const words = page.getByRole('textbox', { name: 'Mensaje al equipo' })
  await words.fill('Hola @be')
  await page.getByRole('option', { name: 'Beto Luna' }).click()
  await words.press('End')
  await page.keyboard.type('mira esto')
  await page
    .locator('input[data-files]')
    .setInputFiles({ name: 'Parte.pdf', mimeType: 'application/pdf', buffer: tinyPdf })
  await onDesk.click('Enviar')
  await onDesk.expectText('Parte.pdf')
  await onDesk.takeScreenshot('chats-desk')

  // The phone shows the chat as unread with a mention, and marks it read when opened.
  await onPhone.page.getByText('1 sin leer').first().waitFor({ state: 'attached' })
  await onPhone.page.getByRole('link', { name: /Recepción/ }).click()
  await onPhone.expectText('Parte.pdf')
  await onPhone.takeScreenshot('chats-phone')
  await page.getByText('Visto por').waitFor()
  await onPhone.page.getByRole('textbox', { name: 'Mensaje al equipo' }).fill('Listo')
  await onPhone.page.getByRole('button', { name: 'Enviar' }).click()
  await page.getByRole('log').getByText('Listo').waitFor()
  expect((await carla.call(chatsApi.list)).records[0]?.users.find((one) => one.userId === carla.id)?.unreads).toBe(2)
  // The side panel has members and files. Mentioned names are highlighted.
  const beside = page.getByRole('complementary', { name: 'Detalles' })
  await onDesk.expectText('Carla Sosa', beside)
  await onDesk.expectText('Parte.pdf', beside)
  await page
    .getByRole('log')
    .locator('span', { hasText: /^@Beto Luna$/ })
    .waitFor()
  await onDesk.checkAccessibility()
  await onPhone.checkAccessibility()

  // A reply links to the quoted message even if its page is not loaded yet; the command palette opens the chat.
  const [talk] = (await ana.call(chatsApi.list)).records
  const params = { id: talk?.id as number }
  const [first] = (await ana.call(chatsApi.messages, { params })).records
  const from = { companyId: company.id, chatId: params.id, senderId: beto.id, senderName: 'Beto Luna' }
  const rows = Array.from({ length: 70 }, (_, n) => ({ ...from, message: `Paso ${n}`, createdAt: new Date() }))
  await h
    .wide()
    .db.insertInto('chatMessages')
    .values(rows as never)
    .execute()
  await beto.call(chatsApi.send, { params, body: { message: 'Va por lo primero', quotedId: first?.id } })
  await page.goto('/tickets')
  await onDesk.click(/^Buscar o ir a…/)
  await onDesk.dialog.getByRole('combobox').fill('recepc')
  await onDesk.click(/^Recepción/, 'option')
  await onDesk.expectText(/^Va por lo primero/, page.getByRole('log'))
  const source = page.locator(`[data-message="${first?.id}"]`)
  expect(await source.count()).toBe(0)
  await page.getByRole('log').getByRole('button', { name: /^Tú/ }).click()
  await expect.poll(() => source.evaluate((one) => document.activeElement === one)).toBe(true)

  // A removed member no longer sees the chat.
  const [chat] = (await ana.call(chatsApi.list)).records
  desk.allowProblem('404 GET /chats/u/')
  await ana.call(chatsApi.update, {
    params: { id: chat?.id as number },
    body: { title: 'Dos', users: [{ id: carla.id }] },
  })
  await onPhone.expectText('Ya no estás en ese chat')
  await onPhone.expectHidden('Listo')
})

test('keeps older messages reachable on a tall screen, and keeps unsent messages for a retry', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const [ana, beto] = [await company.user('user'), await company.user('user')]
  const talk = await ana.call(chatsApi.create, { body: { title: 'Bodega', users: [{ id: beto.id }] } })
  const other = await ana.call(chatsApi.create, { body: { title: 'Turnos', users: [{ id: beto.id }] } })
  const from = { companyId: company.id, chatId: talk.id, senderId: beto.id, senderName: 'Beto' }
  const rows = Array.from({ length: 45 }, (_, n) => ({ ...from, message: `Caja ${n}`, createdAt: new Date() }))
  await h
    .wide()
    .db.insertInto('chatMessages')
    .values(rows as never)
    .execute()
  const onDesk = await desk.open(ana, `/chats/${talk.uuid}`, { viewport: { width: 1280, height: 3000 } })
  const { page } = onDesk
  const log = page.getByRole('log')
  await onDesk.expectText(/^Caja 44/, log)
  await onDesk.expectText(/^Caja 0/, log)

  desk.allowProblem('console: Failed to load resource')
  await page.route('**/chats/*/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.getByRole('textbox', { name: 'Mensaje al equipo' }).fill('Falta la 46')
  await page.keyboard.press('Enter')
  await onDesk.expectAndCloseToast('El servidor no respondió')
  await onDesk.navigate(`/chats/${other.uuid}`)
  await onDesk.expectText('Todavía no hay mensajes', log)
  await onDesk.navigate(`/chats/${talk.uuid}`)
  await onDesk.expectText(/^Falta la 46/, log)
  await page.unroute('**/chats/*/messages')
  await onDesk.click('Reintentar', 'button', log)
  await expect
    .poll(async () => (await beto.call(chatsApi.messages, { params: { id: talk.id } })).records.at(-1)?.message)
    .toBe('Falta la 46')
})
