import { expect, test } from 'vitest'
import type { TestUser } from '../../server/test/test-server.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const thread = (ana: Visitor) => ana.byRole('region', 'Conversación')
const tracePanel = (ana: Visitor) => ana.byRole('region', 'Qué hizo Recado').first()
const bubble = (ana: Visitor, text: string) => thread(ana).locator('[data-message]').filter({ hasText: text })

async function sendMessage(ana: Visitor, text: string) {
  await ana.fill('Mensaje', text)
  await ana.click('Enviar')
}

/** Acts as the agent by API: accepts the ticket, opens it, answers. */
async function answer(agent: TestUser, text: string) {
  const waiting = await agent.request<{ tickets: { id: number }[] }>('GET', '/tickets?status=pending')
  const id = waiting.body.tickets[0]?.id
  await agent.request('PUT', `/tickets/${id}`, { status: 'open', userId: agent.id })
  await agent.request('POST', `/messages/${id}`, { body: text })
  return async () => {
    const { body } = await agent.request<{ messages: { ack: number }[] }>('GET', `/messages/${id}`)
    return body.messages.at(-1)?.ack
  }
}

test('lets a new user link the test phone, write as a customer and read the journal', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/connections')
  await ana.click('Nueva línea')
  await ana.fill('Nombre', 'Tienda', ana.dialog)
  await ana.byRole('radio', 'Teléfono de prueba', ana.dialog).check()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.click('Escanear con el teléfono de prueba', 'link', ana.dialog)
  await ana.expectHeading('Teléfono de prueba')
  await ana.expectText('Vincula este teléfono')
  await ana.byRole('img', 'Código QR para conectar la línea').waitFor()
  await ana.takeScreenshot('phone-qr')
  await ana.checkAccessibility()
  await ana.click('Escanear')
  await ana.expectText('Elige quién escribe')

  await ana.click('Nuevo cliente')
  await ana.fill('Nombre', 'Lucía Campos', ana.dialog)
  await ana.fill('Número', '+54 9 11 5555-0001', ana.dialog)
  await ana.checkAccessibility()
  // The live update opens the customer's chat before the reply to the dialog arrives.
  await ana.page.route('**/customers', async (route) => {
    const reply = await route.fetch()
    if (route.request().method() === 'POST') await ana.expectText('Escribe el primer mensaje')
    await route.fulfill({ response: reply })
  })
  await ana.click('Crear', 'button', ana.dialog)
  await ana.expectText('Escribe el primer mensaje')
  // The new customer writes at once, without a click into the field.
  await ana.page.locator('textarea:focus').waitFor()
  await ana.page.keyboard.type('Hola, ¿hacen envíos?')
  await ana.page.keyboard.press('Enter')
  await ana.byRole('img', 'Entregado', bubble(ana, 'Hola, ¿hacen envíos?')).waitFor()
  for (const step of ['Llegó un mensaje', 'Contacto nuevo', 'Nadie tenía ese número', 'No tenía otro ticket abierto'])
    await ana.expectText(step, tracePanel(ana))
  await ana.expectText(/^Ticket #?\d+ en espera$/, tracePanel(ana))
  await ana.expectText('El ticket todavía no tiene cola ni agente', tracePanel(ana))

  await sendMessage(ana, '¿Y a Córdoba?')
  await ana.expectText('Contacto conocido', tracePanel(ana))
  await ana.expectText('Se suma al que ya tenía', tracePanel(ana))
  // Ids of the server log, such as j4, are no words for people.
  expect(await tracePanel(ana).textContent()).not.toMatch(/j\d/)
  await ana.takeScreenshot('phone')
  await ana.checkAccessibility()

  const ack = await answer(admin, 'Sí, a todo el país.')
  await bubble(ana, 'Sí, a todo el país.').waitFor()
  await ana.byRole('img', 'Leído', bubble(ana, '¿Y a Córdoba?')).waitFor()
  await ana.expectText('The admin aceptó el ticket', tracePanel(ana))
  // Lucía has the chat open, so the agent sees the message as read.
  await expect.poll(ack).toBe(4)
})

test('offers a customer every action that WhatsApp allows', async () => {
  const company = await desk.server().createCompany()
  const line = await desk.server().openLine(company)
  await line.customer('5491155550001', 'Lucía Campos').says('Hola')
  const ana = await desk.open(company.admin, '/phone')
  await bubble(ana, 'Hola').waitFor()
  const act = async (text: string, action: string) => {
    await ana.hoverAndClick(bubble(ana, text), 'Acciones del mensaje')
    await ana.click(action, 'menuitem')
  }
  await act('Hola', 'Editar')
  await sendMessage(ana, 'Hola a todos')
  await ana.expectText(/^Editado/, bubble(ana, 'Hola a todos'))
  await act('Hola a todos', 'Responder')
  await ana.expectText('Respondiendo a Tú')
  await sendMessage(ana, 'Me cito')
  await ana.expectText('Tú', bubble(ana, 'Me cito'))
  await act('Me cito', 'Reaccionar con 👍')
  await ana.expectText('👍', bubble(ana, 'Me cito'))
  await act('Me cito', 'Eliminar')
  await ana.expectText('Mensaje eliminado', thread(ana))
  await ana.expectText('El cliente eliminó un mensaje', tracePanel(ana))

  const [chooser] = await Promise.all([ana.page.waitForEvent('filechooser'), ana.click('Foto')])
  await chooser.setFiles({ name: 'foto.png', mimeType: 'image/png', buffer: tinyPng })
  await ana
    .byRole('img', /foto|Foto/, thread(ana))
    .first()
    .waitFor()
  await ana.expectText('Vino con un archivo', tracePanel(ana))
  await ana.click('Ubicación')
  await ana.click('Enviar', 'button', ana.dialog)
  await ana.expectText('Plaza de Mayo', thread(ana))
  await ana.click('Contacto')
  await ana.click('Enviar', 'button', ana.dialog)
  await ana.expectText('Lucía Campos', thread(ana))
  await ana.byRole('button', 'Llamar').last().click()
  await ana.expectText('Las llamadas están desactivadas', tracePanel(ana))
  await ana.takeScreenshot('phone-everything')
  await ana.checkAccessibility()

  await ana.expectHidden('Repetidos')
  await ana.click('Simular una mala red')
  await ana.page.getByLabel('Repetidos').selectOption('1')
  await sendMessage(ana, 'Dos veces')
  await sendMessage(ana, 'Y otra cosa')
  await ana.byRole('img', 'Entregado', bubble(ana, 'Y otra cosa')).waitFor()
  await expect.poll(() => bubble(ana, 'Dos veces').count()).toBe(1)
})

test('creates the first customers on an empty test phone with one click, also on a mobile screen', async () => {
  const { admin } = await desk.server().createCompany()
  const ana = await desk.open(admin, '/phone', { viewport: phoneViewport })
  await ana.expectText('Prueba Recado sin un teléfono')
  await ana.click('Crear la línea de prueba')
  // Four customers have already written.
  for (const words of [/^Hola, ¿hacen envíos/, /^Buenas tardes/, /plan anual/, /abren mañana/])
    await ana.expectText(words)
  await ana.takeScreenshot('phone-people-phone')
  await ana.checkAccessibility()
  await ana.click('Agregar clientes o grupos')
  await ana.click('Nuevo cliente', 'menuitem')
  await ana.fill('Nombre', 'Joaquín Mora', ana.dialog)
  await ana.click('Crear', 'button', ana.dialog)
  await sendMessage(ana, 'Buenas')
  await bubble(ana, 'Buenas').waitFor()
  await ana.expectText(/^Eres Joaquín Mora · /)
  await ana.takeScreenshot('phone-chat-phone')
  await ana.checkAccessibility()
  await ana.click('Qué pasó')
  await ana.expectText('Contacto nuevo')
  await ana.takeScreenshot('phone-inside-phone')
  await ana.checkAccessibility()
})

test('asks for confirmation before unlinking the test phone, and then stays on the page of the unlinked line', async () => {
  const company = await desk.server().createCompany()
  const first = await desk.server().openLine(company, { name: 'Tienda' })
  await desk.server().openLine(company, { name: 'Taller' })
  await first.customer('5491155550001', 'Lucía Campos').says('Hola')
  const ana = await desk.open(company.admin, '/phone')
  await bubble(ana, 'Hola').waitFor()
  await ana.click('Desvincular el teléfono')
  await ana.expectText('¿Desvincular el teléfono de Tienda?')
  await ana.click('Cancelar', 'button', ana.dialog)
  await bubble(ana, 'Hola').waitFor()
  await ana.click('Desvincular el teléfono')
  await ana.confirm('Desvincular')
  await ana.expectText('El teléfono cerró la sesión.')
  const line = ana.page.getByLabel('Escribe por la línea').locator('option:checked')
  await expect.poll(() => line.textContent()).toBe('Tienda')
  await ana.takeScreenshot('phone-unlinked')
})
