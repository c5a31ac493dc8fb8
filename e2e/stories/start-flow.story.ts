import { flowsApi } from '@recado/contract/flows/flows'
import { expect, test } from 'vitest'
import { type FlowDraft, openFlowDesk } from '../../server/test/flow-desk.ts'
import { createStage, phoneViewport } from '../browser.ts'

const stage = createStage()

const say = (text: string): FlowDraft => ({
  kind: 'flow',
  triggers: [{ kind: 'person' }],
  first: 'say',
  steps: [
    { kind: 'say', id: 'say', text, next: 'end' },
    { kind: 'end', id: 'end' },
  ],
})

async function openCase() {
  const d = await openFlowDesk(stage.server())
  const queue = await d.createQueue('Excursiones')
  const lucia = await d.createUser('supervisor', [queue])
  const { id } = await d.newTicket('¿Cómo llegamos?', 'Carolina Peñaflor')
  await d.putTicket(d.admin, id, { queueId: queue.id, status: 'pending', userId: null })
  await d.accept(lucia, id)
  return { d, id, lucia, uuid: (await d.showTicket(id)).uuid }
}

test('starts a flow from the menu of a conversation, and says why it could not', async () => {
  stage.allowProblem('409 POST /tickets/')
  const { d, id, lucia, uuid } = await openCase()
  const ana = await stage.open(lucia, `/tickets/${uuid}`)
  await ana.byRole('button', 'Más acciones').click()
  await ana.page.getByRole('menuitem', { name: 'Transferir' }).waitFor()
  expect(await ana.page.getByRole('menuitem', { name: 'Iniciar un flujo' }).count()).toBe(0)
  await ana.page.keyboard.press('Escape')
  const flow = await d.publish(say('Así se llega a la posada.'), 'Cómo llegar')
  await d.publish({ ...say('¿Qué tal?'), limits: { runsPerDay: 1 } }, 'Encuesta')
  await ana.page.reload()
  await ana.byRole('button', 'Más acciones').click()
  await ana.page.getByRole('menuitem', { name: 'Iniciar un flujo' }).click()
  const dialog = ana.page.getByRole('dialog', { name: 'Iniciar un flujo' })
  await dialog.getByRole('button', { name: 'Encuesta' }).waitFor()
  await ana.takeScreenshot('start-flow')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Enter')
  await ana.expectToast('Se inició Cómo llegar')
  await d.settle()
  expect(await d.listSaid(id)).toEqual(['Así se llega a la posada.'])
  await d.admin.call(flowsApi.setActive, { params: { id: flow.id }, body: { active: false } })
  await ana.byRole('button', 'Más acciones').click()
  await ana.page.getByRole('menuitem', { name: 'Iniciar un flujo' }).click()
  await dialog.getByRole('button', { name: 'Cómo llegar' }).click()
  await ana.expectToast('Esta automatización está apagada o no se inicia de esta manera.')
})

test('offers flows on a phone, and searches them if there are many', async () => {
  const { d, lucia, uuid } = await openCase()
  for (let n = 1; n <= 9; n++) await d.publish(say(`Texto ${n}`), `Flujo número ${n}`)
  const ana = await stage.open(lucia, `/tickets/${uuid}`, { viewport: phoneViewport })
  await ana.byRole('button', 'Más acciones').click()
  await ana.page.getByRole('menuitem', { name: 'Iniciar un flujo' }).click()
  const dialog = ana.page.getByRole('dialog', { name: 'Iniciar un flujo' })
  await dialog.getByRole('textbox', { name: 'Buscar un flujo' }).fill('numero 7')
  await expect.poll(() => dialog.getByRole('group').getByRole('button').count()).toBe(1)
  await ana.takeScreenshot('start-flow-phone')
  await ana.checkAccessibility()
})

test('adds a flow to a macro, and shows beside a real ticket what it would start', async () => {
  const { d, lucia } = await openCase()
  await d.publish(say('Así se llega a la posada.'), 'Cómo llegar')
  const ana = await stage.open(lucia, '/quick-messages?tab=macros')
  await ana.click('Nueva macro')
  await ana.dialog.getByLabel('Nombre').fill('Indicaciones')
  await ana.dialog.getByLabel('Atajo').fill('llegar')
  await ana.dialog.getByRole('button', { name: 'Paso', exact: true }).click()
  await ana.page.getByRole('menuitem', { name: 'Iniciar un flujo' }).click()
  await ana.dialog.getByRole('button', { name: 'Flujo: Elegir' }).click()
  await ana.page.getByRole('radio', { name: 'Cómo llegar' }).click()
  await ana.dialog.getByText('Empieza Cómo llegar').waitFor()
  await ana.takeScreenshot('macro-with-flow')
  await ana.checkAccessibility()
  await ana.dialog.getByRole('button', { name: 'Guardar' }).click()
  await ana.expectToast('Macro guardada')
})

test('gives a rule an address for programs, once', async () => {
  const { d } = await openCase()
  const rule = await d.admin.call(flowsApi.create, {
    body: { name: 'Pedidos', document: { ...say('Tu pedido {{pedido}} salió.'), kind: 'rule' } as never },
  })
  const ana = await stage.open(d.admin, `/rules/${rule.id}`)
  await ana.byRole('button', /o cuando/).click()
  await ana.page.getByRole('menuitem', { name: 'Avisa otro programa' }).click()
  await ana.byRole('button', 'Crear la dirección').click()
  const address = ana.page.getByRole('textbox', { name: 'Dirección' })
  await expect.poll(() => address.inputValue()).toMatch(/\/flow-hooks\/[\w-]{43}$/)
  await ana.byRole('button', 'Guardar un dato').click()
  await ana.page.getByRole('textbox', { name: 'Dónde está en el JSON' }).fill('order.id')
  await ana.page.getByRole('textbox', { name: 'Nombre del dato' }).fill('pedido')
  await expect
    .poll(async () => (await d.admin.call(flowsApi.show, { params: { id: rule.id } })).draft.triggers)
    .toContainEqual({ kind: 'hook', keep: [{ path: 'order.id', variable: 'pedido' }] })
  await ana.takeScreenshot('rule-hook')
  await ana.checkAccessibility()
  await ana.page.reload()
  await ana.page.getByText('Ya tiene una dirección. Por seguridad no se muestra.').waitFor()
  await ana.byRole('button', 'Quitar la dirección').click()
  await ana.page.getByRole('dialog').getByRole('button', { name: 'Quitar la dirección' }).click()
  await ana.byRole('button', 'Crear la dirección').waitFor()
})
