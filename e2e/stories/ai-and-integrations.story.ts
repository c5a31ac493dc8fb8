import { promptsApi } from '@recado/contract/ai/prompts'
import { connectionsApi } from '@recado/contract/connections'
import { integrationsApi } from '@recado/contract/integrations/integrations'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { type FakeModel, fakeModel, modelCallsTool, modelSays } from '../../server/test/fake-model.ts'
import { fakeWebhook } from '../../server/test/fake-webhook.ts'
import { testServer } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'

/** The AI endpoints of these stories are on loopback. */
const desk = createStage(() => testServer({ privateTargets: true }))

let model: FakeModel
let hook: Awaited<ReturnType<typeof fakeWebhook>>
beforeAll(async () => {
  model = await fakeModel()
  hook = await fakeWebhook()
})
beforeEach(() => model.reset())
afterAll(() => {
  model.close()
  hook.close()
})

const instructions = 'Eres la recepción de una casa de viajes. Contesta con calma y en el idioma del viajero.'
const queue = (name: string) => ({
  ...{ name, color: '#1971c2', orderQueue: 1, integrationId: null, promptId: null },
  ...{ greetingMessage: '', complationMessage: '', outOfHoursMessage: '', ratingMessage: '' },
})

test('writes a prompt, tests it before saving, adds knowledge, and cannot delete the prompt while a queue uses it', async () => {
  const { admin } = await desk.server().createCompany()
  await admin.call(queuesApi.create, { body: queue('Reservas') })
  const ana = await desk.open(admin, '/prompts')
  await ana.expectText('Aquí verás tus prompts')
  await ana.click('Nuevo prompt')
  await ana.expectHeading('Nuevo prompt')
  await ana.click('Guardar')
  await ana.expectAndCloseToast('Elige una cola')
  await ana.expectText('Campo obligatorio')
  await ana.fill('Nombre', 'Recepcionista')
  await ana.fill('Instrucciones', 'Muy corto')
  await ana.selectOption('Cola', 'Reservas')
  await ana.fill('Modelo', 'modelo-local')
  await ana.fill('Clave de la API', 'sk-largo-y-secreto-7Qd2')
  await ana.fill('Dirección', model.address)
  await ana.click('Guardar')
  await ana.expectText('Escribe al menos 50 caracteres')
  await ana.fill('Instrucciones', instructions)
  await ana.click('Terminar')

  model.next(
    modelSays('¡Hola! ¿Cuántos viajan?'),
    modelCallsTool('transfer_to_queue', { queue: 'Reservas' }, 'Te paso con Reservas.'),
  )
  await ana.fill('Escribe como si fueras el cliente', 'Hola, quiero ir a los lagos')
  await ana.click('Enviar')
  await ana.expectText('¡Hola! ¿Cuántos viajan?')
  await ana.fill('Escribe como si fueras el cliente', 'Somos cuatro')
  await ana.page.keyboard.press('Enter')
  await ana.expectText('Pasó a la cola Reservas')
  await ana.expectText('A partir de aquí sigue una persona')
  await ana.takeScreenshot('prompt-try')
  await ana.checkAccessibility()
  // The model gets the messages oldest first, including the earlier ones.
  const [, second] = model.chatRequests()
  expect(second?.body.messages?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  await ana.byRole('button', 'Reiniciar').first().click()

  await ana.click('Guardar')
  await ana.expectAndCloseToast('Prompt creado')
  await ana.expectHeading('Recepcionista')
  await ana.click('Conocimiento', 'tab')
  await ana.click('Pregunta y respuesta')
  await ana.fill('Nombre', 'Preguntas frecuentes', ana.dialog)
  await ana.fill('Pregunta 1', '¿Los chicos pueden ir en la lancha?', ana.dialog)
  await ana.fill('Respuesta 1', 'Sí, desde los tres años y con chaleco.', ana.dialog)
  // Escape does not discard typed text.
  await ana.page.keyboard.press('Escape')
  const question = ana.page.getByRole('dialog', { name: '¿Salir sin guardar?' })
  await question.waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(question)
  await expect.poll(() => ana.field('Pregunta 1', ana.dialog).inputValue()).toMatch(/^¿Los chicos/)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Fuente guardada')
  await ana.expectText('1 fragmento')
  await ana.fill('¿Qué encontraría?', 'pueden ir chicos')
  await ana.expectText(/desde los tres años/)
  await ana.takeScreenshot('prompt-knowledge')
  await ana.checkAccessibility()

  await ana.click('Volver')
  await ana.row('Recepcionista').waitFor()
  const { prompts } = await admin.call(promptsApi.list, { query: {} })
  expect(prompts[0]).toMatchObject({ name: 'Recepcionista', model: 'modelo-local', apiKey: '••••••••7Qd2' })
  expect(prompts[0]?.tools).toContain('end_conversation')

  // The prompt is chosen for a queue; from then on it cannot be deleted.
  await ana.navigate('/queues')
  await ana.click('Editar Reservas')
  await ana.selectOption('Prompt de IA', 'Recepcionista')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Cola guardada')
  await ana.page.goto('/prompts')
  await ana.expectText('1 cola')
  await ana.takeScreenshot('prompts')
  await ana.checkAccessibility()
  desk.allowProblem('409 DELETE /prompt/')
  await ana.click('Eliminar Recepcionista')
  await ana.expectText('¿Eliminar Recepcionista?')
  await ana.expectText(/la cola Reservas/, ana.dialog)
  await ana.confirm('Eliminar prompt')
  await ana.expectAndCloseToast('En uso por la cola Reservas')
  await ana.row('Recepcionista').waitFor()
})

test('shows the test conversation as a tab on a phone', async () => {
  const { admin } = await desk.server().createCompany()
  const { id: queueId } = await admin.call(queuesApi.create, { body: queue('Reservas') })
  const { id } = await admin.call(promptsApi.create, {
    body: {
      ...{ name: 'Recepcionista', prompt: instructions, model: 'modelo-local', maxTokens: 100, temperature: 0.3 },
      ...{ apiKey: 'sk-largo-y-secreto-7Qd2', queueId, maxMessages: 10, baseUrl: model.address, dailyTokens: 1000 },
    },
  })
  const ana = await desk.open(admin, `/prompts/${id}`, { viewport: phoneViewport })
  await ana.expectHeading('Recepcionista')
  await ana.takeScreenshot('prompt-phone')
  await ana.click('Límites', 'tab')
  await ana.expectText('0 de 1000 tokens')
  model.next(modelSays('¿En qué fecha?'))
  await ana.click('Pruébalo', 'tab')
  await ana.fill('Escribe como si fueras el cliente', 'Hola')
  await ana.click('Enviar')
  await ana.expectText('¿En qué fecha?')
  await ana.takeScreenshot('prompt-try-phone')
  await ana.checkAccessibility()
})

test('adds, tests and selects an integration with a secret; shows its calls and sends a call again', async () => {
  const d = await openDesk(desk.server())
  const { admin, line } = d
  const ana = await desk.open(admin, '/queue-integration')
  await ana.expectText('Aquí verás tus integraciones')
  await ana.click('Nueva integración')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Hay 3 campos por corregir', ana.dialog)
  await ana.takeScreenshot('integration-form-new')
  await ana.checkAccessibility()
  await ana.byRole('radio', 'Webhook', ana.dialog).check({ force: true })
  await ana.fill('Nombre', 'Aviso al hostal', ana.dialog)
  await ana.fill('Dirección', `${hook.url}/aviso`, ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Integración agregada')

  await ana.click('Editar Aviso al hostal')
  await ana.click('Crear secreto nuevo', 'button', ana.dialog)
  await ana.confirm('Crear secreto nuevo')
  hook.hook.secret = await ana.field('Secreto de firma', ana.dialog).inputValue()
  hook.hook.answer = () => ({ say: ['Tu reserva está hecha'] })
  await ana.click('Probar', 'button', ana.dialog)
  await ana.expectAndCloseToast('La prueba salió bien')
  await ana.expectText(/Tu reserva está hecha/, ana.dialog)
  expect(hook.received.at(-1)).toMatchObject({ isSigned: true })
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Integración editada')

  // A line has queues or an integration: choosing one clears the other.
  await ana.navigate('/connections')
  await ana.expectHeading('Líneas')
  await ana.click(/^Editar /)
  await ana.selectOption('Integración', 'Aviso al hostal')
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Línea guardada')
  const [{ id: integrationId } = { id: 0 }] = (await admin.call(integrationsApi.list, { query: {} })).queueIntegrations
  const lines = await admin.call(connectionsApi.list, {})
  expect(lines.find(({ id }) => id === line.id)).toMatchObject({ integrationId, promptId: null, queues: [] })

  // A customer writes. The call about the message is shown in the ticket and in the integration, where it can
  // be resent.
  const { id } = await d.newTicket('Quiero los lagos, somos cuatro', 'Otávio Severo')
  const { uuid } = await d.showTicket(id)
  await expect
    .poll(
      async () => (await admin.call(integrationsApi.calls, { params: { id: integrationId }, query: {} })).calls.length,
    )
    .toBeGreaterThan(0)
  await ana.navigate(`/tickets/${uuid}`)
  await ana.click(/Otávio Severo/, 'button', ana.page.locator('header'))
  await ana.click('Ver qué se les preguntó')
  await ana.click(/200/, 'button', ana.page.getByRole('region', { name: 'Últimas llamadas' }))
  await ana.expectText(/Quiero los lagos/, ana.page.getByRole('region', { name: 'Últimas llamadas' }))
  await ana.takeScreenshot('machine-calls-of-ticket')
  await ana.page.goto('/queue-integration')
  await ana.click('Editar Aviso al hostal')
  await ana.byRole('button', /200/, ana.dialog).first().click()
  await ana.click('Reenviar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Reenviado')
  await ana.takeScreenshot('integration-form')
  await ana.checkAccessibility()
  await ana.click('Cancelar', 'button', ana.dialog)
  await ana.row('Aviso al hostal').getByText('Responde').waitFor()
  await ana.takeScreenshot('integrations')
  await ana.checkAccessibility()
  desk.allowProblem('409 DELETE /queueIntegration/')
  await ana.click('Eliminar Aviso al hostal')
  await ana.confirm('Eliminar integración')
  await ana.expectAndCloseToast('En uso por la línea')
})

test('redirects from the prompts page to the home page on a plan without prompts', async () => {
  const { admin } = await desk.server().createCompany()
  const { db } = desk.server().wide()
  const has = (useOpenAi: boolean) => db.updateTable('plans').set({ useOpenAi }).where('id', '=', 2).execute()
  await has(false)
  try {
    const ana = await desk.open(admin, '/prompts')
    await ana.expectAndCloseToast('El plan de tu empresa no incluye esta página')
    await ana.page.waitForURL((url) => url.pathname !== '/prompts')
  } finally {
    await has(true)
  }
})
