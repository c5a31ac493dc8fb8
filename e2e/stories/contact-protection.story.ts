import { campaignStopsApi } from '@recado/contract/campaigns/campaigns'
import { contactsApi } from '@recado/contract/contacts'
import { ticketsApi } from '@recado/contract/tickets'
import { expect, test } from 'vitest'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('restores a deleted contact, and deletes another permanently', async () => {
  const { admin } = await desk.house().company()
  const add = (name: string, number: string) => admin.call(contactsApi.create, { body: { name, number } })
  const rosa = await add('Rosa Paredes', '573005550001')
  const luz = await add('Luz Ferrer', '573005550002')
  const ana = await desk.open(admin, '/contacts')
  await ana.press('Eliminados')
  await ana.sees('No hay contactos eliminados', ana.dialog)
  await ana.shot('deleted-contacts-empty')
  await ana.scan()
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.dialog)
  for (const { id } of [rosa, luz]) await admin.call(contactsApi.remove, { params: { id } })
  await ana.press('Eliminados')
  await ana.sees('Rosa Paredes', ana.dialog)
  await ana.shot('deleted-contacts')
  await ana.scan()
  await ana.press('Recuperar a Rosa Paredes', 'button', ana.dialog)
  await ana.told('Contacto recuperado')
  await ana.press('Eliminar para siempre a Luz Ferrer', 'button', ana.dialog)
  await ana.confirm('Eliminar para siempre')
  await ana.told('Contacto eliminado para siempre')
  await ana.sees('No hay contactos eliminados', ana.dialog)
  expect((await admin.call(contactsApi.list)).contacts.map(({ name }) => name)).toEqual(['Rosa Paredes'])

  await admin.call(contactsApi.remove, { params: { id: rosa.id } })
  const hand = await desk.open(admin, '/contacts', { viewport: phoneViewport, touch: true })
  await hand.press('Importar o exportar')
  await hand.press('Eliminados', 'menuitem')
  await hand.sees('Rosa Paredes', hand.dialog)
  await hand.shot('deleted-contacts-phone')
  await hand.scan()
})

test('confirms a change of number while a ticket is open, and notes it in the conversation', async () => {
  const h = desk.house()
  const company = await h.company()
  const { admin } = company
  await h.wide().db.updateTable('plans').set({ useCampaigns: true }).execute()
  const line = await h.line(company, { isDefault: true })
  await line.customer('5491155550031', 'Marta Ríos').says('hola')
  const tickets = () => admin.call(ticketsApi.list, { query: { pageNumber: 1, status: 'pending' } as never })
  await expect.poll(async () => (await tickets()).tickets.length).toBe(1)
  const [ticket] = (await tickets()).tickets
  const id = ticket?.id as number
  await admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } as never })
  const contactId = ticket?.contactId as number
  await admin.call(campaignStopsApi.create, { body: { contactId } })

  const ana = await desk.open(admin, '/contacts')
  desk.excuse(`409 PUT /contacts/${contactId}`)
  await ana.press('Editar Marta Ríos')
  await ana.press('Volver a enviarle', 'button', ana.dialog)
  await ana.shot('campaign-consent')
  await ana.scan()
  await ana.write('¿Con qué palabras lo permitió?', 'Sí, mándenme las ofertas', ana.dialog)
  await ana.press('Volver a enviarle', 'button', ana.dialog)
  await ana.told('Volverá a recibir campañas')
  await ana.sees('Volvió a aceptar campañas', ana.dialog)
  await ana.write('Número', '5491155550099', ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('¿Cambiar el número de Marta Ríos?')
  await ana.shot('contact-renumber')
  await ana.confirm('Cambiar número')
  await ana.told('Contacto guardado')
  const { number } = await admin.call(contactsApi.show, { params: { id: contactId } })
  expect(number).toContain('5550099')

  const hand = await desk.open(admin, `/tickets/${ticket?.uuid}`, { viewport: phoneViewport, touch: true })
  await hand.sees(/cambió el número de/)
  await hand.shot('conversation-renumbered-phone')
  await hand.scan()
})
