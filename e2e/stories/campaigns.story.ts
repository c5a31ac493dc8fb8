import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { campaignSettingsApi } from '@recado/contract/campaigns/settings'
import { settingsApi } from '@recado/contract/settings'
import { expect, test } from 'vitest'
import { nextPhoneNumber, openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('imports a list, plans, starts, cancels, edits and restarts a campaign, reports on it, and records an opt-out', async () => {
  const d = await openDesk(desk.house())
  await d.admin.call(settingsApi.update, { params: { key: 'campaignsEnabled' }, body: { value: 'true' } })
  // The first message goes out at once, and even a slow machine can cancel before the second.
  const pace = { messageInterval: 20, longerIntervalAfter: 1, greaterInterval: 120 }
  const settings = { ...pace, variables: [{ key: 'promo', value: '12 %' }] }
  await d.admin.call(campaignSettingsApi.save, { body: { settings } })
  const numbers = Array.from({ length: 4 }, nextPhoneNumber)
  const people = numbers.map((number, i) => d.line.customer(number, `Cliente ${i + 1}`))

  // A contact list from a spreadsheet whose columns are guessed.
  const ana = await desk.open(d.admin, '/contact-lists')
  await ana.sees('Aquí verás tus listas')
  await ana.press('Nueva lista')
  await ana.write('Nombre', 'Viajeros', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Lista creada')
  await ana.press('Abrir Viajeros')
  await ana.at('Viajeros')
  await ana.press('Importar')
  const rows = numbers.map((number, i) => `Viajera ${i + 1},${number},v${i + 1}@mail.example`)
  const sheet = ['Nombre,Teléfono,Correo', ...rows, `Repetida,${numbers[0]},`, 'Corta,123,'].join('\n')
  await ana.dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'viajeros.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) })
  await ana.sees('viajeros.csv', ana.dialog)
  await ana.shot('campaign-import')
  await ana.scan()
  // Delays the response to the start until the import is over and all its events were published.
  await ana.page.route(/\/imports\/\d+\/start$/, async (route) => {
    const response = await route.fetch()
    await ana.sees(/^4 contactos/)
    await route.fulfill({ response })
  })
  await ana.press('Importar 6 contactos', 'button', ana.dialog)
  await ana.sees('con error, no entraron', ana.dialog)
  await ana.sees('1 fila no entró', ana.dialog)
  await ana.press('Listo', 'button', ana.dialog)
  await ana.sees('Viajera 4')
  // The line checks every number.
  await expect.poll(() => ana.page.getByText('Con WhatsApp', { exact: true }).count()).toBe(4)
  await ana.shot('campaign-items')

  // The text, its preview, and the plan.
  await ana.goes('/campaigns/new')
  await ana.write('Nombre', 'Otoño en los lagos')
  await ana.choose('Lista de contactos', 'Viajeros')
  await ana.field('Línea').click()
  await ana.the('option', /./).first().click()
  await ana.write('Texto 1', 'Hola {nome}, {promo} menos con {descuento}')
  await ana.sees(/^Nadie conoce \{descuento\}/)
  await ana.write('Texto 1', 'Hola {nome}, {promo} menos')
  await ana.sees('Hola Viajera 1, 12 % menos')
  await ana.sees('personas lo reciben')
  await ana.sees('todas las de la lista')
  await ana.shot('campaign-form')
  await ana.scan()

  await ana.press('Empezar ahora')
  await ana.confirm('Empezar')
  await ana.told('Campaña en curso')
  await ana.at('Otoño en los lagos')
  await expect.poll(async () => (await people[0]?.sees())?.map((m) => m.body)).toEqual(['Hola Viajera 1, 12 % menos'])

  // Cancelled, edited and resumed: the remaining recipients get the new text.
  await ana.press('Cancelar campaña')
  await ana.confirm('Cancelar campaña')
  await ana.told('Campaña cancelada')
  await ana.press('Textos')
  await ana.write('Texto 1', 'Hola {nome}, última llamada')
  await ana.press('Guardar cambios')
  await ana.told('Campaña guardada')
  await d.admin.call(campaignSettingsApi.save, { body: { settings: { messageInterval: 0, longerIntervalAfter: 0 } } })
  // The pause after the first message started earlier; skip it.
  desk.house().clock.forward(pace.greaterInterval * 1000)
  await ana.press('Reanudar')
  await ana.told('Campaña reanudada')
  await expect
    .poll(async () => (await people[3]?.sees())?.map((m) => m.body))
    .toEqual(['Hola Viajera 4, última llamada'])

  // One customer answers, another opts out; the report shows both and lists the people.
  await people[1]?.says('me interesa')
  await people[2]?.says('BAJA')
  await ana.press('Informe')
  await expect.poll(() => ana.the('button', /^Pidieron parar 1/).count()).toBe(1)
  await ana.sees('Finalizada')
  await ana.press(/^Pidieron parar/)
  await ana.sees('Pidió parar')
  await ana.shot('campaign-report')
  await ana.scan()

  // The same on a phone.
  await ana.page.setViewportSize(phoneViewport)
  await ana.shot('campaign-report-phone')
  await ana.press('Volver')
  await ana.at('Campañas')
  await ana.sees('Finalizada')
  await ana.shot('campaigns-phone')
  await ana.press('Ajustes de campañas', 'tab')
  await ana.sees(/^Terminaría el/)
  await ana.shot('campaign-config-phone')
  await ana.scan()
})

test('asks for confirmation first, sends the message after a yes, and records a no as an opt-out on the contact', async () => {
  const d = await openDesk(desk.house())
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
  await ana.write('Nombre', 'Con permiso')
  await ana.choose('Lista de contactos', 'Viajeros')
  await ana.field('Línea').click()
  await ana.the('option', /./).first().click()
  await ana.flip('Pedir permiso antes')
  await ana.page.getByText('Confirmación', { exact: true }).click()
  await ana.write('Confirmación 1', '¿Te contamos, {nome}?')
  await ana.sees('¿Te contamos, Sol Paz?')
  await ana.page.getByText('Mensaje', { exact: true }).click()
  await ana.write('Texto 1', 'Es esto, {nome}')

  // The people behind the plan's numbers; a limit takes effect at once.
  await ana.press(/^1 persona espera a otro día/)
  await ana.sees('Noé Luz', ana.dialog)
  await ana.misses('Sol Paz', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.write('Tope por día', '0')
  await ana.misses(/^1 persona espera a otro día/)
  await ana.press('Ver personas')
  await ana.sees('Sol Paz', ana.dialog)
  await ana.sees('Noé Luz', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.press('Empezar ahora')
  await ana.confirm('Empezar')
  await ana.told('Campaña en curso')

  const read = async (n: number) => (await people[n]?.sees())?.map((m) => m.body)
  await expect.poll(() => read(0)).toEqual(['¿Te contamos, Sol Paz?'])
  await expect.poll(() => read(1)).toEqual(['¿Te contamos, Noé Luz?'])
  // The list of people updates live.
  await ana.the('cell', 'Consultado').first().waitFor()
  await people[0]?.says('sí')
  await people[1]?.says('No')
  await expect.poll(() => read(0)).toContain('Es esto, Sol Paz')
  await expect.poll(() => ana.the('button', /^Dijeron que sí 1/).count()).toBe(1)
  await expect.poll(() => ana.the('button', /^Pidieron parar 1/).count()).toBe(1)
  await ana.press(/^Pidieron parar/)
  await ana.row('Noé Luz').getByText('Pidió no recibir').waitFor()
  expect(await read(1)).not.toContain('Es esto, Noé Luz')
  await ana.shot('campaign-confirmation')

  // The opt-out is shown on the contact and can be reverted.
  await ana.goes('/contacts')
  await ana.press('Editar Noé Luz')
  await ana.sees('Pidió no recibir campañas', ana.dialog)
  await ana.sees(/^Escribió “no”/i, ana.dialog)
  await ana.press('Volver a enviarle', 'button', ana.dialog)
  await ana.write('¿Con qué palabras lo permitió?', 'Sí, mándenme las ofertas', ana.dialog)
  await ana.press('Volver a enviarle', 'button', ana.dialog)
  await ana.told('Volverá a recibir campañas')
  await ana.misses('Pidió no recibir campañas')
})
