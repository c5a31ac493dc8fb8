import { contactsApi } from '@recado/contract/contacts'
import { queuesApi } from '@recado/contract/queues'
import { skillsApi } from '@recado/contract/routing/skills'
import { usersApi } from '@recado/contract/users'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('gives a customer to who speaks their language, and the form of the queue shows beforehand who that is', async () => {
  const d = await openDesk(desk.server())
  const queue = await d.createQueue('Excursiones')
  const people = [
    await d.createUser('user', [queue]),
    await d.createUser('user', [queue]),
    await d.createUser('user', [queue]),
  ] as const
  for (const [n, name] of ['Renata Figueira', 'Martín Olaya', 'Hazel Whitcombe'].entries())
    await d.db
      .updateTable('users')
      .set({ name, availability: n === 2 ? 'break' : 'available' })
      .where('id', '=', people[n]?.id ?? 0)
      .execute()
  const [renata] = people

  // Skills are named where people are edited.
  const ana = await desk.open(d.admin, '/users')
  await ana.click('Editar Renata Figueira')
  await ana.click('Editar la lista', 'button', ana.dialog)
  await ana.fill('Nueva habilidad', 'Portugués', ana.dialog)
  await ana.click('Agregar', 'button', ana.dialog)
  await ana.dialog.getByLabel('Idioma que significa Portugués').selectOption('pt')
  await expect.poll(async () => (await d.admin.call(skillsApi.all, {}))[0]?.language).toBe('pt')
  await ana.toggleSwitch('Tiene turnos', ana.dialog)
  await ana.switch('Lunes, abierto', ana.dialog).waitFor()
  await ana.takeScreenshot('user-form-skills')
  await ana.checkAccessibility()
  await ana.toggleSwitch('Tiene turnos', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Usuario guardado')
  const [skill] = await d.admin.call(skillsApi.all, {})
  expect(await d.admin.call(usersApi.show, { params: { id: renata.id } })).toMatchObject({ skillIds: [skill?.id] })

  const [, beto] = await Promise.all(people.map((person) => desk.open(person, '/tickets')))
  await ana.page.goto(new URL('/queues', ana.page.url()).href)
  await ana.page.getByText('Excursiones', { exact: true }).first().click()
  await ana.click('Reparto', 'tab', ana.dialog)
  const next = ana.dialog.getByRole('complementary', { name: 'El próximo sería para' })
  await ana.expectText('La cola es a mano: lo recibe quien lo acepte.', next)
  await ana.byRole('radio', /^Menos abiertos/, ana.dialog).click()
  await ana.fill('Lugares de cada persona', '8', ana.dialog)
  await ana.click('Un lugar menos para Martín Olaya', 'button', ana.dialog)
  await ana.field('Pide estas habilidades', ana.dialog).focus()
  await ana.page.keyboard.press('ArrowDown')
  await ana.click('Idioma del cliente', 'option')
  await ana.page.keyboard.press('Tab')
  await ana.selectOption('Sin nadie así', 'A los 2 min, a cualquiera')
  await ana.expectText('En pausa', next)
  await next.getByLabel('Si escribe').selectOption('pt')
  await ana.expectText('Portugués, 0 de 8', next)
  await ana.expectText('No tiene: Portugués', next)
  await ana.takeScreenshot('queue-form-skills')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('queue-form-skills-phone')
  await ana.checkAccessibility()
  await next.scrollIntoViewIfNeeded()
  await ana.takeScreenshot('queue-form-next-phone')
  await ana.page.setViewportSize({ width: 1440, height: 900 })
  await ana.click('Guardar', 'button', ana.dialog)
  await expect.poll(() => ana.page.getByRole('dialog').count()).toBe(0)
  expect(await d.admin.call(queuesApi.show, { params: { id: queue.id } })).toMatchObject({
    routing: 'fewestOpen',
    asksLanguage: true,
    skillTimeoutMinutes: 2,
  })
  expect(await d.admin.call(usersApi.show, { params: { id: people[1].id } })).toMatchObject({ capacity: 7 })

  // A customer without a known language goes to anybody. In the drawer they get one, and somebody who looks after them.
  const { id } = await d.newTicket('Olá', 'Eduarda Peixoto')
  const { contactId } = await d.showTicket(id)
  await d.putTicket(d.admin, id, { status: 'open', userId: people[1].id, queueId: queue.id })
  await beto?.page.getByText('Eduarda Peixoto', { exact: true }).first().click()
  await beto?.click(/Eduarda Peixoto/, 'button', beto.page.locator('header'))
  await beto?.click('Editar', 'button')
  await beto?.selectOption('Dueño', 'Renata Figueira')
  await beto?.selectOption('Idioma', 'portugués')
  await beto?.takeScreenshot('contact-drawer-owner')
  await beto?.click('Guardar', 'button')
  await beto?.expectAndCloseToast('Contacto guardado')
  expect(await d.admin.call(contactsApi.show, { params: { id: contactId } })).toMatchObject({
    ownerId: renata.id,
    language: 'pt',
  })
  // He leaves the ticket before it goes to Renata: his screen would ask for its history and be refused.
  await beto?.navigate('/contacts')
  await beto?.expectHeading('Contactos')
  await beto?.waitForRequests()
  await d.putTicket(d.admin, id, { status: 'pending', userId: null, queueId: queue.id })
  await expect.poll(async () => (await d.showTicket(id)).userId).toBe(renata.id)
  await ana.page.goto(new URL(`/tickets/${(await d.showTicket(id)).uuid}`, ana.page.url()).href)
  await ana.click(/cambios$/)
  await ana.expectText(/Renata Figueira, que cuida a este contacto.*pedía: Portugués/)
})
