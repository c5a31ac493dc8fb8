import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { contactsApi } from '@recado/contract/contacts'
import { ticketsApi } from '@recado/contract/tickets'
import { expect, test } from 'vitest'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('restores a deleted contact, and deletes another permanently', async () => {
  const { admin } = await desk.server().createCompany()
  const add = (name: string, number: string) => admin.call(contactsApi.create, { body: { name, number } })
  const rosa = await add('Rosa Paredes', '573005550001')
  const luz = await add('Luz Ferrer', '573005550002')
  const ana = await desk.open(admin, '/contacts')
  await ana.click('Eliminados')
  await ana.expectText('No hay contactos eliminados', ana.dialog)
  await ana.takeScreenshot('deleted-contacts-empty')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.dialog)
  for (const { id } of [rosa, luz]) await admin.call(contactsApi.remove, { params: { id } })
  await ana.click('Eliminados')
  await ana.expectText('Rosa Paredes', ana.dialog)
  await ana.takeScreenshot('deleted-contacts')
  await ana.checkAccessibility()
  await ana.click('Recuperar a Rosa Paredes', 'button', ana.dialog)
  await ana.expectAndCloseToast('Contacto recuperado')
  await ana.click('Eliminar definitivamente a Luz Ferrer', 'button', ana.dialog)
  await ana.confirm('Eliminar definitivamente')
  await ana.expectAndCloseToast('Contacto eliminado definitivamente')
  await ana.expectText('No hay contactos eliminados', ana.dialog)
  expect((await admin.call(contactsApi.list)).contacts.map(({ name }) => name)).toEqual(['Rosa Paredes'])

  await admin.call(contactsApi.remove, { params: { id: rosa.id } })
  const hand = await desk.open(admin, '/contacts', { viewport: phoneViewport, touch: true })
  await hand.click('Importar o exportar')
  await hand.click('Eliminados', 'menuitem')
  await hand.expectText('Rosa Paredes', hand.dialog)
  await hand.takeScreenshot('deleted-contacts-phone')
  await hand.checkAccessibility()
})

test('asks for confirmation of a new number while a ticket is open, and notes the change in the conversation', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const { admin } = company
  await h.wide().db.updateTable('plans').set({ useCampaigns: true }).execute()
  const line = await h.openLine(company, { isDefault: true })
  await line.customer('5491155550031', 'Marta Ríos').says('hola')
  const tickets = () => admin.call(ticketsApi.list, { query: { pageNumber: 1, status: 'pending' } as never })
  await expect.poll(async () => (await tickets()).tickets.length).toBe(1)
  const [ticket] = (await tickets()).tickets
  const id = ticket?.id as number
  await admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } as never })
  const contactId = ticket?.contactId as number
  await admin.call(campaignStopsApi.create, { body: { contactId } })

  const ana = await desk.open(admin, '/contacts')
  desk.allowProblem(`409 PUT /contacts/${contactId}`)
  await ana.click('Editar Marta Ríos')
  await ana.click('Volver a enviarle campañas', 'button', ana.dialog)
  await ana.takeScreenshot('campaign-consent')
  await ana.checkAccessibility()
  await ana.fill('¿Con qué palabras lo aceptó?', 'Sí, mándenme las ofertas', ana.dialog)
  await ana.click('Volver a enviarle campañas', 'button', ana.dialog)
  await ana.expectAndCloseToast('Volverá a recibir campañas')
  await ana.expectText('Volvió a aceptar campañas', ana.dialog)
  await ana.fill('Número', '5491155550099', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('¿Cambiar el número de Marta Ríos?')
  await ana.takeScreenshot('contact-renumber')
  await ana.confirm('Cambiar número')
  await ana.expectAndCloseToast('Contacto guardado')
  const { number } = await admin.call(contactsApi.show, { params: { id: contactId } })
  expect(number).toContain('5550099')

  const hand = await desk.open(admin, `/tickets/${ticket?.uuid}`, { viewport: phoneViewport, touch: true })
  await hand.expectText(/cambió el número de/)
  await hand.takeScreenshot('conversation-renumbered-phone')
  await hand.checkAccessibility()
})
