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

test('writes a prompt, tests it before saving, adds knowledge, and cannot delete it while a queue uses it', async () => {
  const { admin } = await desk.house().company()
  await admin.call(queuesApi.create, { body: queue('Reservas') })
  const ana = await desk.open(admin, '/prompts')
  await ana.sees('Aquí verás tus prompts')
  await ana.press('Nuevo prompt')
  await ana.at('Nuevo prompt')
  await ana.press('Guardar')
  await ana.told('Elige una cola')
  await ana.sees('Falta este dato')
  await ana.write('Nombre', 'Recepcionista')
  await ana.write('Instrucciones', 'Muy corto')
  await ana.choose('Cola', 'Reservas')
  await ana.write('Modelo', 'modelo-local')
  await ana.write('Clave de la API', 'sk-largo-y-secreto-7Qd2')
  await ana.write('Dirección', model.address)
  await ana.press('Guardar')
  await ana.sees('Escribe al menos 50 caracteres')
  await ana.write('Instrucciones', instructions)
  await ana.press('Terminar')

  model.next(
    modelSays('¡Hola! ¿Cuántos viajan?'),
    modelCallsTool('transfer_to_queue', { queue: 'Reservas' }, 'Te paso con Reservas.'),
  )
  await ana.write('Escribe como si fueras el cliente', 'Hola, quiero ir a los lagos')
  await ana.press('Enviar')
  await ana.sees('¡Hola! ¿Cuántos viajan?')
  await ana.write('Escribe como si fueras el cliente', 'Somos cuatro')
  await ana.page.keyboard.press('Enter')
  await ana.sees('Pasó a la cola Reservas')
  await ana.sees('Aquí sigue una persona')
  await ana.shot('prompt-try')
  await ana.scan()
  // Oldest first, including the earlier messages.
  const [, second] = model.chats()
  expect(second?.body.messages?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  await ana.the('button', 'De cero').first().click()

  await ana.press('Guardar')
  await ana.told('Prompt creado')
  await ana.at('Recepcionista')
  await ana.press('Conocimiento', 'tab')
  await ana.press('Pregunta y respuesta')
  await ana.write('Nombre', 'Preguntas frecuentes', ana.dialog)
  await ana.write('Pregunta 1', '¿Los chicos pueden ir en la lancha?', ana.dialog)
  await ana.write('Respuesta 1', 'Sí, desde los tres años y con chaleco.', ana.dialog)
  // Escape does not discard typed text.
  await ana.page.keyboard.press('Escape')
  const question = ana.page.getByRole('dialog', { name: '¿Salir sin guardar?' })
  await question.waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.misses(question)
  await expect.poll(() => ana.field('Pregunta 1', ana.dialog).inputValue()).toMatch(/^¿Los chicos/)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Fuente guardada')
  await ana.sees('1 trozo')
  await ana.write('¿Qué encontraría?', 'pueden ir chicos')
  await ana.sees(/desde los tres años/)
  await ana.shot('prompt-knowledge')
  await ana.scan()

  await ana.press('Volver')
  await ana.row('Recepcionista').waitFor()
  const { prompts } = await admin.call(promptsApi.list, { query: {} })
  expect(prompts[0]).toMatchObject({ name: 'Recepcionista', model: 'modelo-local', apiKey: '••••••••7Qd2' })
  expect(prompts[0]?.tools).toContain('end_conversation')

  // Chosen for a queue; from then on it cannot be deleted.
  await ana.goes('/queues')
  await ana.press('Editar Reservas')
  await ana.choose('Prompt de IA', 'Recepcionista')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Cola guardada')
  await ana.page.goto('/prompts')
  await ana.sees('1 cola')
  await ana.shot('prompts')
  await ana.scan()
  desk.excuse('409 DELETE /prompt/')
  await ana.press('Eliminar Recepcionista')
  await ana.sees('¿Eliminar Recepcionista?')
  await ana.sees(/la cola Reservas/, ana.dialog)
  await ana.confirm('Eliminar prompt')
  await ana.told('En uso por la cola Reservas')
  await ana.row('Recepcionista').waitFor()
})

test('shows the test conversation as a tab on a phone', async () => {
  const { admin } = await desk.house().company()
  const { id: queueId } = await admin.call(queuesApi.create, { body: queue('Reservas') })
  const { id } = await admin.call(promptsApi.create, {
    body: {
      ...{ name: 'Recepcionista', prompt: instructions, model: 'modelo-local', maxTokens: 100, temperature: 0.3 },
      ...{ apiKey: 'sk-largo-y-secreto-7Qd2', queueId, maxMessages: 10, baseUrl: model.address, dailyTokens: 1000 },
    },
  })
  const ana = await desk.open(admin, `/prompts/${id}`, { viewport: phoneViewport })
  await ana.at('Recepcionista')
  await ana.shot('prompt-phone')
  await ana.press('Límites', 'tab')
  await ana.sees('0 de 1000 tokens')
  model.next(modelSays('¿En qué fecha?'))
  await ana.press('Pruébalo', 'tab')
  await ana.write('Escribe como si fueras el cliente', 'Hola')
  await ana.press('Enviar')
  await ana.sees('¿En qué fecha?')
  await ana.shot('prompt-try-phone')
  await ana.scan()
})

test('adds, tests and selects an integration with a secret; shows its calls and sends them again', async () => {
  const d = await openDesk(desk.house())
  const { admin, line } = d
  const ana = await desk.open(admin, '/queue-integration')
  await ana.sees('Aquí verás tus integraciones')
  await ana.press('Nueva integración')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.sees('Faltan 3 datos por corregir', ana.dialog)
  await ana.shot('integration-form-new')
  await ana.scan()
  await ana.the('radio', 'Webhook', ana.dialog).check({ force: true })
  await ana.write('Nombre', 'Aviso al hostal', ana.dialog)
  await ana.write('Dirección', `${hook.url}/aviso`, ana.dialog)
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Integración añadida')

  await ana.press('Editar Aviso al hostal')
  await ana.press('Crear secreto nuevo', 'button', ana.dialog)
  await ana.confirm('Crear secreto nuevo')
  hook.hook.secret = await ana.field('Secreto de las firmas', ana.dialog).inputValue()
  hook.hook.answer = () => ({ say: ['Tu reserva está hecha'] })
  await ana.press('Probar', 'button', ana.dialog)
  await ana.told('La prueba salió bien')
  await ana.sees(/Tu reserva está hecha/, ana.dialog)
  expect(hook.received.at(-1)).toMatchObject({ signed: true })
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Integración editada')

  // A line has queues or an integration: choosing one clears the other.
  await ana.goes('/connections')
  await ana.at('Líneas')
  await ana.press(/^Editar /)
  await ana.choose('Integración', 'Aviso al hostal')
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Línea guardada')
  const [{ id: integrationId } = { id: 0 }] = (await admin.call(integrationsApi.list, { query: {} })).queueIntegrations
  const lines = await admin.call(connectionsApi.list, {})
  expect(lines.find(({ id }) => id === line.id)).toMatchObject({ integrationId, promptId: null, queues: [] })

  // A customer writes, and the call about it can be read in the ticket, and where it can be sent again.
  const { id } = await d.newTicket('Quiero los lagos, somos cuatro', 'Otávio Severo')
  const { uuid } = await d.show(id)
  await expect
    .poll(
      async () => (await admin.call(integrationsApi.calls, { params: { id: integrationId }, query: {} })).calls.length,
    )
    .toBeGreaterThan(0)
  await ana.goes(`/tickets/${uuid}`)
  await ana.press(/Otávio Severo/, 'button', ana.page.locator('header'))
  await ana.press('Ver lo que se les preguntó')
  await ana.press(/200/, 'button', ana.page.getByRole('region', { name: 'Últimas llamadas' }))
  await ana.sees(/Quiero los lagos/, ana.page.getByRole('region', { name: 'Últimas llamadas' }))
  await ana.shot('machine-calls-of-ticket')
  await ana.page.goto('/queue-integration')
  await ana.press('Editar Aviso al hostal')
  await ana.the('button', /200/, ana.dialog).first().click()
  await ana.press('Enviar otra vez', 'button', ana.dialog)
  await ana.told('Se envió otra vez')
  await ana.shot('integration-form')
  await ana.scan()
  await ana.press('Cancelar', 'button', ana.dialog)
  await ana.row('Aviso al hostal').getByText('Responde').waitFor()
  await ana.shot('integrations')
  await ana.scan()
  desk.excuse('409 DELETE /queueIntegration/')
  await ana.press('Eliminar Aviso al hostal')
  await ana.confirm('Eliminar integración')
  await ana.told('En uso por la línea')
})

test('redirects home on a plan without them', async () => {
  const { admin } = await desk.house().company()
  const { db } = desk.house().wide()
  const has = (useOpenAi: boolean) => db.updateTable('plans').set({ useOpenAi }).where('id', '=', 2).execute()
  await has(false)
  try {
    const ana = await desk.open(admin, '/prompts')
    await ana.told('El plan de tu empresa no incluye esta página')
    await ana.page.waitForURL((url) => url.pathname !== '/prompts')
  } finally {
    await has(true)
  }
})
