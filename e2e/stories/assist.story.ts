import { knowledgeApi } from '@recado/contract/ai/knowledge'
import { promptsApi } from '@recado/contract/ai/prompts'
import { queuesApi } from '@recado/contract/queues'
import { notesApi, ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FakeModel, fakeModel, modelFails, modelSays } from '../../server/test/fake-model.ts'
import { type TestUser, testServer } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage(() => testServer({ privateTargets: true }))
let model: FakeModel
beforeAll(async () => {
  model = await fakeModel()
})
afterAll(() => model.close())

const box = (ana: Visitor) => ana.byRole('region', 'Redactar')
const words = (ana: Visitor) => ana.field('Mensaje')
const expectComposerText = (ana: Visitor) => expect.poll(() => words(ana).inputValue())

/** Ana handles Grace, who writes in English; a prompt is enabled for agents. */
async function openAssistedTicket(phone = false) {
  model.reset()
  const company = await desk.server().createCompany()
  const { admin } = company
  const queue = await admin.call(queuesApi.create, { body: { name: 'Ventas', color: '#0b7285' } as never })
  const prompt = await admin.call(promptsApi.create, {
    body: { ...promptsApi.create.example, queueId: queue.id, baseUrl: model.address, forAgents: true },
  })
  await admin.call(knowledgeApi.create, {
    params: { promptId: prompt.id },
    body: { kind: 'text', name: 'Shipping', text: 'We ship abroad within ten days.' },
  })
  // A job reads the knowledge: a suggestion made before that would not use it.
  await expect
    .poll(async () =>
      (await admin.call(knowledgeApi.list, { params: { promptId: prompt.id } })).map((one) => one.state),
    )
    .toEqual(['ready'])
  const line = await desk.server().openLine(company)
  await line.customer('14155550001', 'Grace Hall').says('Hi, do you ship abroad?')
  const ticket = await acceptFirstTicket(admin)
  const path = `/tickets/${ticket.uuid}`
  const ana = await desk.open(admin, path, phone ? { viewport: phoneViewport, touch: true } : {})
  await words(ana).waitFor()
  return { admin, ana, ticket }
}

async function acceptFirstTicket(agent: TestUser) {
  const { id, uuid } = await vi.waitFor(async () => {
    const { tickets } = await agent.call(ticketsApi.list, { query: { status: 'pending' } })
    return tickets[0] ?? Promise.reject(new Error('nobody waits'))
  })
  await agent.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: agent.id } as never })
  return { id, uuid }
}

test('writes a suggestion into the composer, lets the agent undo it, and never sends it by itself', async () => {
  const { ana, admin, ticket } = await openAssistedTicket()
  model.next(modelSays('en\nYes, we ship abroad within ten days.'))
  await ana.click('Sugerir una respuesta', 'button', box(ana))
  await ana.expectText('Sugerencia: revísala antes de enviar')
  await expectComposerText(ana).toBe('Yes, we ship abroad within ten days.')
  await ana.expectText('Según Shipping (#1)')
  // The customer's language is detected from now on.
  await ana.expectText(/Escribe en inglés/)
  await ana.takeScreenshot('assist-suggested')
  await ana.checkAccessibility()
  await ana.click('Deshacer', 'button', box(ana))
  await expectComposerText(ana).toBe('')

  // By shortcut: the agent keeps typing during generation, the typed text stays, and the suggestion waits.
  const gate = Promise.withResolvers<void>()
  model.next({ kind: 'waits', for: gate.promise, reply: modelSays('en\nOf course!') })
  await words(ana).press('F2')
  await ana.expectText('Escribiendo una sugerencia…')
  await ana.page.keyboard.type('Un momento')
  gate.resolve()
  await ana.expectText('Seguiste escribiendo: aquí está el resultado')
  await expectComposerText(ana).toBe('Un momento')
  await ana.click('Usar', 'button', box(ana))
  await expectComposerText(ana).toBe('Of course!')

  // Cancelling also aborts the model's request and restores the composer.
  model.next({ kind: 'stalls' })
  const asked = model.chatRequests().length
  await words(ana).fill('Hola')
  await words(ana).press('F8')
  await ana.expectText('Reescribiendo…')
  // Wait for the request, because otherwise the stalled answer would go to the next request.
  await expect.poll(() => model.chatRequests().length).toBe(asked + 1)
  await ana.click('Cancelar', 'button', box(ana))
  await expectComposerText(ana).toBe('Hola')
  await ana.expectHidden('Reescribiendo…')

  model.next(modelSays('en\nHello'))
  await ana.click('Ayuda para escribir', 'button', box(ana))
  await ana.takeScreenshot('assist-menu')
  await ana.click(/Lo que escribo, al inglés/, 'menuitem')
  await expectComposerText(ana).toBe('Hello')
  // The shortcut is disabled while the previous request runs.
  await ana.expectHidden('Traduciendo…')
  model.next(modelSays('en\n¿Envían al exterior?'))
  await words(ana).press('Shift+F9')
  await ana.expectText('¿Envían al exterior?')
  await ana.takeScreenshot('assist-translated')

  model.next(modelFails(429, 'rate_limit', 'slow down'))
  desk.allowProblem('502 POST /tickets/')
  await words(ana).press('F4')
  await ana.expectText('El modelo está ocupado. Prueba en un momento.')
  await expectComposerText(ana).toBe('Hello')

  const { messages } = await admin
    .request<{ messages: { fromMe: boolean }[] }>('GET', `/messages/${ticket.id}`)
    .then((one) => one.body)
  expect(messages.some((one) => one.fromMe)).toBe(false)
})

test('summarizes the conversation into the note of a transfer and of a closing', async () => {
  const { ana, admin, ticket } = await openAssistedTicket()
  model.next(modelSays('Pregunta por envíos al exterior.'))
  await ana.page.keyboard.press('Escape')
  await ana.click('Transferir')
  await ana.click('Resumir la conversación', 'button', ana.dialog)
  await expect.poll(() => ana.field('Nota', ana.dialog).inputValue()).toBe('Pregunta por envíos al exterior.')
  await ana.takeScreenshot('assist-transfer')
  await ana.page.keyboard.press('Escape')
  await ana.dialog.waitFor({ state: 'detached' })

  model.next(modelSays('Se le informó del plazo.'))
  await ana.click('Más acciones')
  await ana.click('Resolver y resumir en la nota', 'menuitem')
  await ana.expectToast('El resumen está en la nota')
  const notes = await admin.call(notesApi.list, { query: { ticketId: ticket.id } as never })
  expect(notes.map((one) => one.note)).toEqual(['Se le informó del plazo.'])
})

test('assists the agent on a phone too, and is hidden without a prompt for agents', async () => {
  const { ana, admin } = await openAssistedTicket(true)
  model.next(modelSays('en\nYes, we do.'))
  await ana.click('Ayuda para escribir', 'button', box(ana))
  await ana.click(/^Sugerir una respuesta/, 'menuitem')
  await expectComposerText(ana).toBe('Yes, we do.')
  await ana.takeScreenshot('assist-phone')
  const send = await ana.stableBox(ana.byRole('button', 'Más opciones de envío'))
  expect(send.x + send.width).toBeLessThan(phoneViewport.width)
  const { prompts } = await admin.call(promptsApi.list, { query: {} })
  const [prompt] = prompts
  if (!prompt?.queueId) throw new Error('no prompt')
  const { queueId } = prompt
  await admin.call(promptsApi.update, { params: { id: prompt.id }, body: { ...prompt, queueId, forAgents: false } })
  await ana.page.reload()
  await words(ana).waitFor()
  await ana.expectHidden(ana.byRole('button', 'Ayuda para escribir'))
})
