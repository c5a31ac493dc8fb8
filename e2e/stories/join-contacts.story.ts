import { contactsApi } from '@recado/contract/contacts'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import type { TestUser } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()
const createContact = (by: TestUser, name: string, number: string, more: object) =>
  by.call(contactsApi.create, { body: { name, number, ...more } })

async function createPair(admin: TestUser) {
  const email = 'carolina@mail.example'
  const one = await createContact(admin, 'Carolina Ferrer de la Fuente', '5491155550001', {
    email,
    extraInfo: [
      { name: 'Ciudad', value: 'Rosario' },
      { name: 'CUIT', value: '27-28456789-2' },
    ],
  })
  const two = await createContact(admin, 'Caro F.', '5491155550002', {
    email,
    extraInfo: [
      { name: 'Ciudad', value: 'Villa del Lago' },
      { name: 'Talle', value: 'M' },
    ],
  })
  return { one, two }
}

test('lists likely duplicates, joins two with the chosen values, and separates them again', async () => {
  const company = await desk.server().createCompany()
  const { admin } = company
  const { one, two } = await createPair(admin)
  const ana = await desk.open(admin, '/contacts')
  await ana.click('Repetidos')
  await ana.expectText('mismo correo (carolina@mail.example)', ana.dialog)
  await ana.takeScreenshot('duplicates')
  await ana.checkAccessibility()
  await ana.click('Comparar a Carolina Ferrer de la Fuente con Caro F.')
  const dialog = ana.page.getByRole('dialog', { name: '¿La misma persona?' })
  await ana.expectText('igual en los dos', dialog)
  await ana.byRole('radio', 'Villa del Lago', dialog).check()
  await ana.takeScreenshot('join-contacts')
  await ana.checkAccessibility()
  await ana.click('Juntar', 'button', dialog)
  await ana.expectToast('Contactos juntados')
  await ana.expectText('No hay contactos repetidos')
  const joined = await admin.call(contactsApi.show, { params: { id: one.id } })
  expect(joined.name).toBe('Carolina Ferrer de la Fuente')
  expect(joined.extraInfo.map(({ value }) => value).toSorted()).toEqual(['27-28456789-2', 'M', 'Villa del Lago'])
  await ana.click('Separar')
  await ana.expectAndCloseToast('Contactos separados')
  expect((await admin.call(contactsApi.show, { params: { id: two.id } })).name).toBe('Caro F.')
})

test('proposes a likely duplicate beside the conversation, and joins any two people on a phone', async () => {
  const d = await openDesk(desk.server())
  const { customer, id } = await d.newTicket('Hola, soy Carolina', 'Carolina Ferrer')
  await d.accept(d.admin, id)
  const { contactId, uuid } = await d.showTicket(id)
  const other = await createContact(d.admin, 'carolina ferrer', '5491155550003', {})
  const ana = await desk.open(d.admin, `/tickets/${uuid}`)
  await ana.click(/Carolina Ferrer/, 'button', ana.page.locator('header'))
  const card = ana.byRole('region', '¿La misma persona?')
  await ana.expectText(/mismo nombre/, card)
  await ana.takeScreenshot('likely-duplicate')
  await ana.checkAccessibility()
  await ana.click('No es', 'button', card)
  await ana.expectAndCloseToast('No se volverán a proponer')
  await card.waitFor({ state: 'detached' })

  const phone = await desk.open(d.admin, '/contacts', { viewport: phoneViewport, touch: true })
  await phone.click('Más acciones de Carolina Ferrer')
  await phone.click('Juntar con otro', 'menuitem')
  const dialog = phone.page.getByRole('dialog', { name: '¿La misma persona?' })
  await phone.fill('Contacto', 'carolina', dialog)
  await phone.click(/5555-0003/, 'option')
  await phone.expectText(/Las respuestas van al número desde el que escribió por última vez/, dialog)
  await phone.takeScreenshot('join-contacts-phone')
  await phone.checkAccessibility()
  await phone.click('Juntar', 'button', dialog)
  await phone.expectToast('Contactos juntados')
  expect(await d.admin.call(contactsApi.merges, { params: { id: contactId } })).toMatchObject([{ name: other.name }])
  await d.waitForMessage(await customer.says('sigo aquí'))
})
