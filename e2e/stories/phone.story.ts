import { expect, test } from 'vitest'
import type { TestUser } from '../../server/test/test-server.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const thread = (ana: Visitor) => ana.the('region', 'Conversación')
const inside = (ana: Visitor) => ana.the('region', 'Qué pasó adentro').first()
const bubble = (ana: Visitor, text: string) => thread(ana).locator('[data-message]').filter({ hasText: text })

async function say(ana: Visitor, text: string) {
  await ana.write('Mensaje', text)
  await ana.press('Enviar')
}

/** The agent's side by API: accepts the ticket, opens it, answers. */
async function answer(agent: TestUser, text: string) {
  const waiting = await agent.ask<{ tickets: { id: number }[] }>('GET', '/tickets?status=pending')
  const id = waiting.body.tickets[0]?.id
  await agent.ask('PUT', `/tickets/${id}`, { status: 'open', userId: agent.id })
  await agent.ask('POST', `/messages/${id}`, { body: text })
  return async () => {
    const { body } = await agent.ask<{ messages: { ack: number }[] }>('GET', `/messages/${id}`)
    return body.messages.at(-1)?.ack
  }
}

test('lets a new user link the test phone, write as a customer and read the journal', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/connections')
  await ana.press('Nueva línea')
  await ana.write('Nombre', 'Tienda', ana.dialog)
  await ana.the('radio', 'Teléfono de prueba', ana.dialog).check()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.press('Escanear con el teléfono de prueba', 'link', ana.dialog)
  await ana.at('Teléfono de prueba')
  await ana.sees('Vincula este teléfono')
  await ana.the('img', 'Código QR para conectar la línea').waitFor()
  await ana.shot('phone-qr')
  await ana.scan()
  await ana.press('Escanear')
  await ana.sees('Elige quién escribe')

  await ana.press('Nuevo cliente')
  await ana.write('Nombre', 'Lucía Campos', ana.dialog)
  await ana.write('Número', '+54 9 11 5555-0001', ana.dialog)
  await ana.scan()
  await ana.press('Crear', 'button', ana.dialog)
  await ana.sees('Escribe el primer mensaje')
  await say(ana, 'Hola, ¿hacen envíos?')
  await ana.the('img', 'Recibido', bubble(ana, 'Hola, ¿hacen envíos?')).waitFor()
  for (const step of ['Llegó un mensaje', 'Contacto nuevo', 'Nadie tenía ese número', 'No tenía otro ticket abierto'])
    await ana.sees(step, inside(ana))
  await ana.sees(/^Ticket #?\d+ en espera$/, inside(ana))
  await ana.sees('El ticket todavía no tiene cola ni agente', inside(ana))

  await say(ana, '¿Y a Córdoba?')
  await ana.sees('Contacto conocido', inside(ana))
  await ana.sees('Se suma al que ya tenía', inside(ana))
  await ana.shot('phone')
  await ana.scan()

  const ack = await answer(admin, 'Sí, a todo el país.')
  await bubble(ana, 'Sí, a todo el país.').waitFor()
  await ana.the('img', 'Leído', bubble(ana, '¿Y a Córdoba?')).waitFor()
  await ana.sees('The admin aceptó el ticket', inside(ana))
  // Lucía has the chat open, so the agent sees the message as read.
  await expect.poll(ack).toBe(4)
})

test('offers a customer every action that WhatsApp allows', async () => {
  const company = await desk.house().company()
  const line = await desk.house().line(company)
  await line.customer('5491155550001', 'Lucía Campos').says('Hola')
  const ana = await desk.open(company.admin, '/phone')
  await bubble(ana, 'Hola').waitFor()
  const act = async (text: string, action: string) => {
    await ana.pressUnder(bubble(ana, text), 'Acciones del mensaje')
    await ana.press(action, 'menuitem')
  }
  await act('Hola', 'Editar')
  await say(ana, 'Hola a todos')
  await ana.sees(/^Editado/, bubble(ana, 'Hola a todos'))
  await act('Hola a todos', 'Responder')
  await ana.sees('Respondes a Tú')
  await say(ana, 'Me cito')
  await ana.sees('Tú', bubble(ana, 'Me cito'))
  await act('Me cito', 'Reaccionar con 👍')
  await ana.sees('👍', bubble(ana, 'Me cito'))
  await act('Me cito', 'Eliminar')
  await ana.sees('Mensaje eliminado', thread(ana))
  await ana.sees('El cliente eliminó un mensaje', inside(ana))

  const [chooser] = await Promise.all([ana.page.waitForEvent('filechooser'), ana.press('Foto')])
  await chooser.setFiles({ name: 'foto.png', mimeType: 'image/png', buffer: tinyPng })
  await ana
    .the('img', /foto|Foto/, thread(ana))
    .first()
    .waitFor()
  await ana.sees('Vino con un archivo', inside(ana))
  await ana.press('Ubicación')
  await ana.press('Enviar', 'button', ana.dialog)
  await ana.sees('Plaza de Mayo', thread(ana))
  await ana.press('Contacto')
  await ana.press('Enviar', 'button', ana.dialog)
  await ana.sees('Lucía Campos', thread(ana))
  await ana.the('button', 'Llamar').last().click()
  await ana.sees('No se atienden llamadas', inside(ana))
  await ana.shot('phone-everything')
  await ana.scan()

  await ana.misses('Llegan repetidos')
  await ana.press('Simular una mala red')
  await ana.page.getByLabel('Llegan repetidos').selectOption('1')
  await say(ana, 'Dos veces')
  await say(ana, 'Y otra cosa')
  await ana.the('img', 'Recibido', bubble(ana, 'Y otra cosa')).waitFor()
  await expect.poll(() => bubble(ana, 'Dos veces').count()).toBe(1)
})

test('creates the first customers from an empty phone with one click, also on a real phone', async () => {
  const { admin } = await desk.house().company()
  const ana = await desk.open(admin, '/phone', { viewport: phoneViewport })
  await ana.sees('Prueba Recado sin un teléfono')
  await ana.press('Crear la línea de prueba')
  // Four customers have already written.
  for (const words of [/^Hola, ¿hacen envíos/, /^Buenas tardes/, /plan anual/, /abren mañana/]) await ana.sees(words)
  await ana.shot('phone-people-phone')
  await ana.scan()
  await ana.press('Agregar clientes o grupos')
  await ana.press('Nuevo cliente', 'menuitem')
  await ana.write('Nombre', 'Joaquín Mora', ana.dialog)
  await ana.press('Crear', 'button', ana.dialog)
  await say(ana, 'Buenas')
  await bubble(ana, 'Buenas').waitFor()
  await ana.shot('phone-chat-phone')
  await ana.scan()
  await ana.press('Qué pasó')
  await ana.sees('Contacto nuevo')
  await ana.shot('phone-inside-phone')
  await ana.scan()
})

test('confirms unlinking, and stays on the unlinked line', async () => {
  const company = await desk.house().company()
  const first = await desk.house().line(company, { name: 'Tienda' })
  await desk.house().line(company, { name: 'Taller' })
  await first.customer('5491155550001', 'Lucía Campos').says('Hola')
  const ana = await desk.open(company.admin, '/phone')
  await bubble(ana, 'Hola').waitFor()
  await ana.press('Desvincular el teléfono')
  await ana.sees('¿Desvincular el teléfono de Tienda?')
  await ana.press('Cancelar', 'button', ana.dialog)
  await bubble(ana, 'Hola').waitFor()
  await ana.press('Desvincular el teléfono')
  await ana.confirm('Desvincular')
  await ana.sees('El teléfono cerró la sesión.')
  const line = ana.page.getByLabel('Escribe por la línea').locator('option:checked')
  await expect.poll(() => line.textContent()).toBe('Tienda')
  await ana.shot('phone-unlinked')
})
