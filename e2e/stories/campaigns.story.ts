import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { campaignSettingsApi } from '@recado/contract/campaigns/settings'
import { settingsApi } from '@recado/contract/settings'
import { expect, test } from 'vitest'
import { nextPhoneNumber, openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('imports a list, plans, starts, cancels, edits and restarts a campaign, reports on it, and records an opt-out', async () => {
  const d = await openDesk(desk.server())
  await d.admin.call(settingsApi.update, { params: { key: 'campaignsEnabled' }, body: { value: 'true' } })
  // The first message is sent at once, and the long pause lets even a slow machine cancel before the second.
  const pace = { messageInterval: 20, longerIntervalAfter: 1, greaterInterval: 120 }
  const settings = { ...pace, variables: [{ key: 'promo', value: '12 %' }] }
  await d.admin.call(campaignSettingsApi.save, { body: { settings } })
  const numbers = Array.from({ length: 4 }, nextPhoneNumber)
  const people = numbers.map((number, i) => d.line.customer(number, `Cliente ${i + 1}`))

  // A contact list from a spreadsheet whose columns are guessed.
  const ana = await desk.open(d.admin, '/contact-lists')
  await ana.expectText('Aquí verás tus listas')
  await ana.click('Nueva lista')
  await ana.fill('Nombre', 'Viajeros', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Lista creada')
  await ana.click('Abrir Viajeros')
  await ana.expectHeading('Viajeros')
  await ana.click('Importar')
  const rows = numbers.map((number, i) => `Viajera ${i + 1},${number},v${i + 1}@mail.example`)
  const sheet = ['Nombre,Teléfono,Correo', ...rows, `Repetida,${numbers[0]},`, 'Corta,123,'].join('\n')
  await ana.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'viajeros.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
  await ana.expectText('viajeros.csv', ana.dialog)
  await ana.takeScreenshot('campaign-import')
  await ana.checkAccessibility()
  // Delays the response to the import's start until the import is over and all its events were published.
  await ana.page.route(/\/imports\/\d+\/start$/, async (route) => {
    const response = await route.fetch()
    await ana.expectText(/^4 contactos/)
    await route.fulfill({ response })
  })
  await ana.click('Importar 6 contactos', 'button', ana.dialog)
  await ana.expectText('con error, no entraron', ana.dialog)
  await ana.expectText('1 fila no se importó', ana.dialog)
  await ana.click('Listo', 'button', ana.dialog)
  await ana.expectText('Viajera 4')
  // The line checks every number.
  await expect.poll(() => ana.page.getByText('Con WhatsApp', { exact: true }).count()).toBe(4)
  await ana.takeScreenshot('campaign-items')

  // Write the text, and see its preview and the plan.
  await ana.navigate('/campaigns/new')
  await ana.fill('Nombre', 'Otoño en los lagos')
  await ana.selectOption('Lista de contactos', 'Viajeros')
  await ana.field('Línea').click()
  await ana.byRole('option', /./).first().click()
  await ana.fill('Texto 1', 'Hola {nombre}, {promo} menos con {descuento}')
  await ana.expectText(/^No existe \{descuento\}/)
  await ana.fill('Texto 1', 'Hola {nombre}, {promo} menos')
  await ana.expectText('Hola Viajera 1, 12 % menos')
  await ana.expectText('personas lo reciben')
  await ana.expectText('todas las de la lista')
  await ana.takeScreenshot('campaign-form')
  await ana.checkAccessibility()

  await ana.click('Empezar ahora')
  await ana.confirm('Empezar')
  await ana.expectAndCloseToast('Campaña en curso')
  await ana.expectHeading('Otoño en los lagos')
  await expect
    .poll(async () => (await people[0]?.listMessages())?.map((m) => m.body))
    .toEqual(['Hola Viajera 1, 12 % menos'])

  // The campaign is cancelled, edited and resumed: the remaining recipients get the new text.
  await ana.byRole('button', 'Cancelar campaña').locator('.tabler-icon-player-stop').waitFor()
  await ana.click('Cancelar campaña')
  await ana.confirm('Cancelar campaña')
  await ana.expectAndCloseToast('Campaña cancelada')
  await ana.click('Textos')
  await ana.fill('Texto 1', 'Hola {nome}, última llamada')
  await ana.click('Guardar cambios')
  await ana.expectAndCloseToast('Campaña guardada')
  await d.admin.call(campaignSettingsApi.save, { body: { settings: { messageInterval: 0, longerIntervalAfter: 0 } } })
  // The pause after the first message is already running; skip it.
  desk.server().clock.advance(pace.greaterInterval * 1000)
  await ana.click('Reanudar')
  await ana.expectAndCloseToast('Campaña reanudada')
  await expect
    .poll(async () => (await people[3]?.listMessages())?.map((m) => m.body))
    .toEqual(['Hola Viajera 4, última llamada'])

  // One customer answers, another opts out; the report shows both and lists the people.
  await people[1]?.says('me interesa')
  await people[2]?.says('BAJA')
  await ana.click('Informe')
  await expect.poll(() => ana.byRole('button', /^Pidieron parar 1/).count()).toBe(1)
  await ana.expectText('Finalizada')
  await ana.click(/^Pidieron parar/)
  await ana.expectText('Pidió parar')
  await ana.takeScreenshot('campaign-report')
  await ana.checkAccessibility()

  // The report on a phone.
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('campaign-report-phone')
  await ana.click('Volver')
  await ana.expectHeading('Campañas')
  await ana.expectText('Finalizada')
  await ana.takeScreenshot('campaigns-phone')
  await ana.click('Ajustes de campañas', 'tab')
  await ana.expectText(/^Terminaría el/)
  await ana.takeScreenshot('campaign-config-phone')
  await ana.checkAccessibility()
})

test('asks recipients for confirmation, sends the message after a yes, and records a no as an opt-out on the contact', async () => {
  const d = await openDesk(desk.server())
  await d.admin.call(settingsApi.update, { params: { key: 'campaignsEnabled' }, body: { value: 'true' } })
  const settings = { messageInterval: 0, longerIntervalAfter: 0, dailyLimit: 1 }
  await d.admin.call(campaignSettingsApi.save, { body: { settings } })
  const { id } = await d.admin.call(contactListsApi.create, { body: { name: 'Viajeros' } })
  const names = ['Sol Paz', 'Noé Luz']
  const numbers = names.map(nextPhoneNumber)
  const people = numbers.map((number, i) => d.line.customer(number, names[i]))
  for (const [i, number] of numbers.entries()) {
    const body = { name: names[i] as string, number, email: '', contactListId: id }
    await d.admin.call(contactListItemsApi.create, { body })
  }
  const valid = async () => (await d.admin.call(contactListsApi.show, { params: { id } })).validCount
  await expect.poll(valid).toBe(2)

  const ana = await desk.open(d.admin, '/campaigns/new')
  await ana.fill('Nombre', 'Con permiso')
  await ana.selectOption('Lista de contactos', 'Viajeros')
  await ana.field('Línea').click()
  await ana.byRole('option', /./).first().click()
  await ana.toggleSwitch('Pedir permiso antes')
  await ana.page.getByText('Confirmación', { exact: true }).click()
  await ana.fill('Confirmación 1', '¿Te contamos, {nome}?')
  await ana.expectText('¿Te contamos, Sol Paz?')
  await ana.page.getByText('Mensaje', { exact: true }).click()
  await ana.fill('Texto 1', 'Es esto, {nome}')

  // The plan's numbers open the list of people; a changed limit takes effect at once.
  await ana.click(/^1 persona espera a otro día/)
  await ana.expectText('Noé Luz', ana.dialog)
  await ana.expectHidden('Sol Paz', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.fill('Tope por día', '0')
  await ana.expectHidden(/^1 persona espera a otro día/)
  await ana.click('Ver personas')
  await ana.expectText('Sol Paz', ana.dialog)
  await ana.expectText('Noé Luz', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.click('Empezar ahora')
  await ana.confirm('Empezar')
  await ana.expectAndCloseToast('Campaña en curso')

  const read = async (n: number) => (await people[n]?.listMessages())?.map((m) => m.body)
  await expect.poll(() => read(0)).toEqual(['¿Te contamos, Sol Paz?'])
  await expect.poll(() => read(1)).toEqual(['¿Te contamos, Noé Luz?'])
  // The list of people updates live.
  await ana.byRole('cell', 'Consultado').first().waitFor()
  await people[0]?.says('sí')
  await people[1]?.says('No')
  await expect.poll(() => read(0)).toContain('Es esto, Sol Paz')
  await expect.poll(() => ana.byRole('button', /^Dijeron que sí 1/).count()).toBe(1)
  await expect.poll(() => ana.byRole('button', /^Pidieron parar 1/).count()).toBe(1)
  await ana.click(/^Pidieron parar/)
  await ana.row('Noé Luz').getByText('Pidió no recibir').waitFor()
  expect(await read(1)).not.toContain('Es esto, Noé Luz')
  await ana.takeScreenshot('campaign-confirmation')

  // The opt-out is shown on the contact and can be reverted.
  await ana.navigate('/contacts')
  await ana.click('Editar Noé Luz')
  await ana.expectText('Pidió no recibir campañas', ana.dialog)
  await ana.expectText(/^Escribió “no”/i, ana.dialog)
  await ana.click('Volver a enviarle campañas', 'button', ana.dialog)
  await ana.fill('¿Con qué palabras lo aceptó?', 'Sí, mándenme las ofertas', ana.dialog)
  await ana.click('Volver a enviarle campañas', 'button', ana.dialog)
  await ana.expectAndCloseToast('Volverá a recibir campañas')
  await ana.expectHidden('Pidió no recibir campañas')
})
