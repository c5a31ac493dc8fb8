import { connectionsApi } from '@recado/contract/connections'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const stage = createStage()
const thread = (ana: Visitor) => ana.byRole('region', 'Conversación')
const tracePanel = (ana: Visitor) => ana.byRole('region', 'Qué hizo Recado').first()
const bubbles = (ana: Visitor) => thread(ana).locator('[data-message]:not([data-mine])')

/** Sends a text and waits for one more answer than before: the bot ignores messages sent before its question. */
async function sendAndWaitForAnswer(ana: Visitor, text: string, answer: string) {
  const answers = bubbles(ana).filter({ hasText: answer })
  const before = await answers.count()
  await ana.fill('Mensaje', text)
  await ana.click('Enviar')
  await answers.nth(before).waitFor()
}

/** Two queues on one line, the second with a two-level menu. */
async function company() {
  const desk = await openDesk(stage.server())
  const { admin } = desk
  const queue = (name: string, color: string, orderQueue: number, greetingMessage: string) =>
    admin.call(queuesApi.create, { body: { name, color, orderQueue, greetingMessage } as never })
  const sales = await queue('Ventas', '#2f9e44', 1, '')
  const support = await queue('Soporte', '#1971c2', 2, 'Hola, ¿qué necesitas?')
  const option = (parentId: number | null, title: string, message: string) =>
    admin.call(queueOptionsApi.create, { body: { queueId: support.id, parentId, title, message } as never })
  const warranty = await option(null, 'Garantía', '¿Qué pasó?')
  await option(warranty.id, 'Llegó roto', 'Lo sentimos. Te atiende una persona.')
  await option(null, 'Manuales', 'Están en la web.')
  const line = { name: 'Tienda', greetingMessage: 'Bienvenido.', queueIds: [sales.id, support.id] } as never
  await admin.call(connectionsApi.update, { params: { id: desk.line.id }, body: line })
  return { desk, admin, support }
}

test('tries a menu on the test phone, follows it to a person, and saves the conversation as a test', async () => {
  const { desk, admin, support } = await company()
  const agent = await desk.createUser('user', [support])
  const [ana, beto] = await Promise.all([stage.open(admin, '/queues'), stage.open(agent, '/tickets')])
  await ana.click('Editar Soporte')
  const preview = ana.byRole('region', 'Conversación de prueba')
  const words = ['Bienvenido.', 'Escribe el número de tu opción:', 'Manuales', 'Menú principal']
  for (const word of words) await expect.poll(() => preview.textContent()).toContain(word)
  const promised = await preview.textContent()
  await ana.click('Probar este menú')
  await ana.expectHeading('Teléfono de prueba')
  await ana.expectText('Escribe el primer mensaje')
  await sendAndWaitForAnswer(ana, 'Hola', 'Bienvenido.')
  await ana.expectText('El bot envió el menú', tracePanel(ana))
  await sendAndWaitForAnswer(ana, '2', 'Hola, ¿qué necesitas?')
  // The customer receives what the form's preview showed.
  for (const text of await bubbles(ana).locator('b').allInnerTexts()) expect(promised).toContain(text)
  await ana.expectText('Eligió una cola', tracePanel(ana))
  await sendAndWaitForAnswer(ana, 'no sé', 'No es una de las opciones. Responde con el número.')
  await ana.expectText('Respondió algo que no está en el menú', tracePanel(ana))
  await sendAndWaitForAnswer(ana, '1', '¿Qué pasó?')
  await sendAndWaitForAnswer(ana, '1', 'Lo sentimos. Te atiende una persona.')
  await ana.takeScreenshot('menu-phone')
  await ana.checkAccessibility()

  await beto.byRole('tab', /^En espera 1$/).click()
  await beto.click(/^Aceptar a /)
  await beto.expectText('Bot · Menú')
  await beto.takeScreenshot('menu-ticket')
  // From here on only Beto handles the conversation.
  await ana.fill('Mensaje', '1')
  await ana.click('Enviar')
  await ana.expectText(/aceptó el ticket/, tracePanel(ana))
  const answers = await bubbles(ana).count()
  await thread(ana)
    .getByRole('img', { name: /Entregado|Leído/ })
    .last()
    .waitFor()
  expect(await bubbles(ana).count()).toBe(answers)

  await ana.click('Guardar como prueba')
  await ana.fill('Nombre de la prueba', 'Hasta una persona')
  await ana.click('Guardar prueba')
  await ana.expectAndCloseToast('Prueba guardada')
  await ana.page.goto('/queues')
  await ana.click('Editar Soporte')
  await ana.click(/^Pruebas/, 'tab', ana.dialog)
  await ana.expectText('Hasta una persona', ana.dialog)
  await ana.expectText('Pasa', ana.dialog)
})

test('hands a customer who never types a valid number over to a person', async () => {
  const { admin } = await company()
  const ana = await stage.open(admin, '/phone')
  await ana.click('Otro cliente nuevo')
  await sendAndWaitForAnswer(ana, 'Hola', 'Bienvenido.')
  for (const text of ['uno', 'quiero hablar', 'ayuda'])
    await sendAndWaitForAnswer(ana, text, 'No es una de las opciones. Responde con el número.')
  await sendAndWaitForAnswer(ana, 'por favor', 'Gracias. Te responde una persona por aquí.')
  await ana.expectText('El menú lo pasa a una persona', tracePanel(ana))
  await ana.expectText('Tres respuestas que no estaban en el menú', tracePanel(ana))
  // The phone says why no other menu comes, and leads to a customer who gets one.
  await ana.expectText(/ya espera a una persona en Ventas: el menú solo llega al empezar una conversación/)
  await ana.takeScreenshot('phone-no-menu')
  await ana.checkAccessibility()
  await ana.click('Probar con un cliente nuevo')
  await ana.expectText('Escribe el primer mensaje')
})
