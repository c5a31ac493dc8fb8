import { flowTestsApi } from '@recado/contract/flows/flow-tests'
import { flowsApi } from '@recado/contract/flows/flows'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const stage = createStage()

async function chooseNew(ana: Visitor, item: string) {
  await ana.byRole('button', 'Nuevo flujo').first().press('Enter')
  await ana.byRole('menuitem', item).press('Enter')
}

test('opens a flow of the library as a draft, with its test', async () => {
  const desk = await openDesk(stage.server())
  const ana = await stage.open(desk.admin, '/flows')
  await chooseNew(ana, 'Elegir de la biblioteca')
  const library = ana.byRole('dialog', 'Elegir de la biblioteca')
  await library.getByRole('button', { name: /Bienvenida con nombre y documento/ }).waitFor()
  await ana.takeScreenshot('new-flow-library')
  await ana.checkAccessibility()
  await library.getByRole('searchbox', { name: 'Buscar en la biblioteca' }).fill('pedido')
  await expect.poll(() => library.getByRole('listitem').count()).toBe(1)
  await library.getByRole('button', { name: /Estado del pedido/ }).press('Enter')
  await ana.page.waitForURL(/\/flows\/\d+$/)
  const { flows } = await desk.admin.call(flowsApi.list, { query: { kind: 'flow' } })
  expect(flows).toMatchObject([{ name: 'Estado del pedido', state: 'draft' }])
  const { tests } = await desk.admin.call(flowTestsApi.list, { params: { id: flows[0]?.id ?? 0 } })
  expect(tests).toMatchObject([{ name: 'Estado del pedido', trace: expect.arrayContaining(['call', '=end']) }])
})

test("copies a queue's menu, which goes on as it is", async () => {
  const desk = await openDesk(stage.server())
  const queue = await desk.admin.call(queuesApi.create, {
    body: { name: 'Ventas', color: '#2f9e44', greetingMessage: 'Elige un tema' } as never,
  })
  for (const title of ['Reservar', 'Pagos'])
    await desk.admin.call(queueOptionsApi.create, { body: { queueId: queue.id, title, message: '' } as never })
  const ana = await stage.open(desk.admin, '/flows')
  await chooseNew(ana, 'Traer el menú de una cola')
  const dialog = ana.byRole('dialog', 'Traer el menú de una cola')
  await dialog.getByText('2 opciones').waitFor()
  await ana.takeScreenshot('new-flow-menu')
  await ana.byRole('button', /Ventas/, dialog).press('Enter')
  await ana.page.waitForURL(/\/flows\/\d+$/)
  const { flows } = await desk.admin.call(flowsApi.list, { query: { kind: 'flow' } })
  expect(flows[0]?.document).toMatchObject({
    triggers: [{ kind: 'ticketMoved', queueIds: [queue.id] }],
    steps: expect.arrayContaining([expect.objectContaining({ kind: 'ask', text: 'Elige un tema' })]),
  })
  expect((await desk.admin.call(queuesApi.show, { params: { id: queue.id } })).options).toHaveLength(2)

  // An empty flow takes the menu over as its steps, which one key undoes.
  await ana.page.goto('/flows')
  await chooseNew(ana, 'Vacío')
  await ana.byRole('button', 'Traer el menú de una cola').press('Enter')
  await ana.byRole('button', /Ventas/, dialog).press('Enter')
  await expect.poll(() => ana.page.locator('.react-flow__node [role=button]').count()).toBeGreaterThan(2)
  await ana.takeScreenshot('flow-empty-menu')
  await ana.expectHidden('Este flujo todavía no tiene pasos.')
  await ana.page.keyboard.press('Control+z')
  await ana.expectText('Este flujo todavía no tiene pasos.')
})

const typebot = {
  name: 'Reservas',
  events: [{ type: 'start', outgoingEdgeId: 'e' }],
  edges: [{ id: 'e', to: { groupId: 'g' } }],
  groups: [
    {
      ...{ id: 'g', title: 'Saludo' },
      blocks: [
        { id: '1', type: 'text', content: { richText: [{ children: [{ text: 'Hola' }] }] } },
        { id: '2', type: 'Google Sheets' },
      ],
    },
  ],
}

test('imports a file of Typebot, and says what did not come; on a phone too', async () => {
  const desk = await openDesk(stage.server())
  const ana = await stage.open(desk.admin, '/flows', { viewport: phoneViewport })
  const chooseFile = async (name: string, content: string) => {
    const chooser = ana.page.waitForEvent('filechooser')
    await chooseNew(ana, 'Importar de Typebot')
    await (await chooser).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) })
  }
  await chooseFile('other.json', '{"a":1}')
  await ana.expectToast('No es un archivo de Typebot')
  await chooseFile('reservas.json', JSON.stringify(typebot))
  const dialog = ana.byRole('dialog', 'Importar «Reservas»')
  await dialog.getByText('Google Sheets').waitFor()
  await dialog.getByText('No hay un paso que haga esto').waitFor()
  await ana.takeScreenshot('new-flow-typebot')
  await ana.checkAccessibility({ toasts: true })
  await ana.click('Abrir como borrador', 'button', dialog)
  await ana.page.waitForURL(/\/flows\/\d+$/)
  const { flows } = await desk.admin.call(flowsApi.list, { query: { kind: 'flow' } })
  expect(flows[0]?.document?.steps).toMatchObject([{ kind: 'say', text: 'Hola' }, { kind: 'end' }])
})
