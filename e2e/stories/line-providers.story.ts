import { WhatsApp } from '@recado/whatsapp/service'
import { afterAll, expect, test } from 'vitest'
import { quickCloudTimings } from '../../server/test/cloud-phone.ts'
import {
  type Customer,
  type CustomerLine,
  type CustomerPhoneMessage,
  openCloudCounter,
  openLinkedCounter,
  openSandboxCounter,
} from '../../server/test/customers.ts'
import { type FakeGraph, fakeGraph } from '../../server/test/fake-graph.ts'
import { type TestUser, testServer } from '../../server/test/test-server.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

let wa: WhatsApp
let graph: FakeGraph
/** A server connected to a fake WhatsApp and a fake Meta: the agent's actions are the same on every kind of line. */
const desk = createStage(async () => {
  ;[wa, graph] = await Promise.all([WhatsApp.start(), fakeGraph()])
  wa.trust()
  const options = { linked: { reconnectMs: 20 }, cloud: quickCloudTimings, sandbox: { pollMs: 100 } }
  return testServer({ whatsappUrl: wa.url, graphUrl: graph.base }, undefined, options)
})
afterAll(() => Promise.all([wa?.close(), graph?.close()]))

const counters: [string, (admin: TestUser) => Promise<CustomerLine>][] = [
  ['sandbox', (admin) => openSandboxCounter(desk.server(), admin)],
  ['linked', (admin) => openLinkedCounter({ wa, server: desk.server() }, admin)],
  ['cloud', (admin) => openCloudCounter(graph, admin)],
]

const picture = { bytes: tinyPng, name: 'foto.png', mime: 'image/png' }
const box = (ana: Visitor) => ana.byRole('region', 'Redactar')
const bubble = (ana: Visitor, text: string | RegExp) =>
  ana.page.locator('[data-thread] [data-message]').filter({ hasText: text })
/** The newest message from us on the customer's phone, once it matches. */
const waitForPhoneMessage = async (
  customer: Customer,
  like: Partial<CustomerPhoneMessage>,
): Promise<CustomerPhoneMessage> => {
  await expect.poll(async () => (await customer.listMessages()).at(-1)).toMatchObject(like)
  return (await customer.listMessages()).at(-1) as CustomerPhoneMessage
}
async function sendFromComposer(ana: Visitor, text: string): Promise<void> {
  await ana.field('Mensaje').fill(text)
  await ana.page.keyboard.press('Enter')
}
async function menuOf(ana: Visitor, text: string): Promise<void> {
  await ana.hoverAndClick(bubble(ana, text), 'Más acciones del mensaje')
}
/** An action this line does not support is shown disabled, with the reason. */
async function isGrey(ana: Visitor, name: RegExp, reason: string): Promise<void> {
  await ana.expectText(reason, ana.byRole('menuitem', name))
  await expect.poll(() => ana.byRole('menuitem', name).getAttribute('aria-disabled')).toBe('true')
}

test.each(counters)('carries a whole conversation on the line: %s', async (name, open) => {
  const { admin } = await desk.server().createCompany()
  const line = await open(admin)
  const able = (one: CustomerLine['unsupported'][number]) => !line.unsupported.includes(one)
  const lucia = line.customer('Lucía Campos')
  const ana = await desk.open(admin, '/tickets')

  // The customer writes; the agent accepts, answers and sees the receipts.
  await ana.click(/^En espera/, 'tab')
  const asked = await lucia.says('Hola, ¿abren hoy?')
  await ana.click('Aceptar a Lucía Campos')
  await ana.expectAndCloseToast('Ticket aceptado')
  await ana.toggleSwitch('Firmar')
  await sendFromComposer(ana, 'Sí, asta las seis')
  const answer = await waitForPhoneMessage(lucia, { kind: 'text', body: 'Sí, asta las seis' })
  await expect
    .poll(async () => {
      await lucia.reads()
      return bubble(ana, 'Sí, asta las seis').getByRole('img', { name: 'Leído' }).count()
    })
    .toBe(1)

  // Edit the last message: the up arrow opens it.
  if (able('edit')) {
    await ana.page.keyboard.press('ArrowUp')
    await ana.expectText('Editando tu mensaje', box(ana))
    if (name === 'sandbox') {
      await ana.takeScreenshot('edit-bar')
      await ana.checkAccessibility()
    }
    await ana.page.keyboard.press('Escape')
    await ana.expectHidden('Editando tu mensaje')
    await ana.page.keyboard.press('ArrowUp')
    await sendFromComposer(ana, 'Sí, hasta las seis')
    await bubble(ana, /hasta las seisEditado/).waitFor()
    await waitForPhoneMessage(lucia, { id: answer.id, body: 'Sí, hasta las seis' })
  } else {
    await menuOf(ana, 'Sí, asta las seis')
    await isGrey(ana, /^Editar/, 'Esta línea no puede editar mensajes enviados.')
    await ana.page.keyboard.press('Escape')
  }

  // The customer reacts, the agent reacts, and the agent removes the reaction.
  await lucia.reacts(answer.id, '👍')
  await ana.byRole('button', 'Reaccionar con 👍').waitFor()
  await ana.hoverAndClick(bubble(ana, '¿abren hoy?'), 'Reaccionar')
  await ana.byRole('menuitem', 'Reaccionar con ❤️').waitFor()
  if (name === 'sandbox') await ana.takeScreenshot('react')
  if (name === 'sandbox') {
    await ana.click('Otro emoji', 'menuitem')
    await ana.fill('Buscar emoji', 'corazon rojo')
    await ana.click('corazón rojo')
  } else await ana.click('Reaccionar con ❤️', 'menuitem')
  await expect.poll(() => lucia.reactionTo(asked)).toBe('❤️')
  await ana.click('Quitar ❤️', 'button', bubble(ana, '¿abren hoy?'))
  await expect.poll(() => lucia.reactionTo(asked)).toBe('')
  await ana.expectHidden(ana.byRole('button', 'Quitar ❤️'))

  // Both sides send pictures.
  await lucia.sends(picture, 'está roto')
  await bubble(ana, 'está roto').getByRole('img').first().waitFor()
  await ana.click('Adjuntar', 'button', box(ana))
  if (name === 'sandbox') await ana.takeScreenshot('attach')
  const [chooser] = await Promise.all([
    ana.page.waitForEvent('filechooser'),
    ana.byRole('menuitem', 'Archivos').click(),
  ])
  await chooser.setFiles({ name: 'nuevo.png', mimeType: 'image/png', buffer: tinyPng })
  await sendFromComposer(ana, 'así es el nuevo')
  const sent = await waitForPhoneMessage(lucia, { kind: 'image', body: 'así es el nuevo' })
  expect((await lucia.fileOf(sent.id)).equals(tinyPng)).toBe(true)

  // The agent sends a location and a contact card.
  await ana.click('Adjuntar', 'button', box(ana))
  await ana.click('Ubicación', 'menuitem')
  await ana.fill('Coordenadas o enlace de un mapa', 'https://maps.google.com/maps?q=-34.6083%2C-58.3712', ana.dialog)
  await ana.fill('Nombre o dirección', 'Casa central', ana.dialog)
  if (name === 'sandbox') await ana.takeScreenshot('send-place')
  await ana.click('Enviar', 'button', ana.dialog)
  await waitForPhoneMessage(lucia, { kind: 'location', body: 'Casa central' })
  await ana.click('Adjuntar', 'button', box(ana))
  await ana.click('Contacto', 'menuitem')
  await ana.fill('Contacto', 'lucía', ana.dialog)
  await ana.click(/^Lucía Campos/, 'option')
  if (name === 'sandbox') {
    await ana.takeScreenshot('send-card')
    await ana.checkAccessibility()
  }
  await ana.click('Enviar', 'button', ana.dialog)
  await waitForPhoneMessage(lucia, { kind: 'contact', body: 'Lucía Campos' })

  // The agent replies to a question, and deletes a message.
  await ana.hoverAndClick(bubble(ana, '¿abren hoy?'), 'Responder')
  await sendFromComposer(ana, 'Mañana no')
  await waitForPhoneMessage(lucia, { body: 'Mañana no', quotedId: asked })
  await bubble(ana, 'Mañana no')
    .getByRole('img', { name: /^(Enviado|Entregado|Leído)$/ })
    .waitFor()
  await menuOf(ana, 'Mañana no')
  if (name === 'sandbox') await ana.takeScreenshot('message-menu')
  if (able('revoke')) {
    await ana.click('Eliminar', 'menuitem')
    await ana.confirm('Eliminar mensaje')
    await waitForPhoneMessage(lucia, { isDeleted: true })
    await ana.expectHidden(bubble(ana, 'Mañana no'))
  } else {
    await isGrey(ana, /^Eliminar/, 'Esta línea no puede eliminar mensajes ya enviados.')
    await ana.takeScreenshot('cloud-cannot')
    await ana.page.keyboard.press('Escape')
  }

  await ana.click('Resolver', 'button', ana.byRole('region', 'Conversación'))
  await ana.expectHidden(ana.field('Mensaje'))
})
