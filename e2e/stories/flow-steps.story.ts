import { flowTestsApi } from '@recado/contract/flows/flow-tests'
import { flowsApi } from '@recado/contract/flows/flows'
import { tagsApi } from '@recado/contract/tags'
import { expect, test } from 'vitest'
import { type Desk, openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const stage = createStage()

const panel = (ana: Visitor) => ana.byRole('complementary', 'Panel')
/** Selects a step with the keyboard: it may be outside of the visible part. Empty: the start. */
const openStep = (ana: Visitor, stepId: string) =>
  ana.page.locator(`.react-flow__node [data-place="${stepId}"]`).press('Enter')
const inside = (ana: Visitor) => ana.byRole('region', 'Qué pasó adentro')
const choose = (ana: Visitor, label: string, value: string) =>
  panel(ana).getByLabel(label, { exact: true }).selectOption(value)
const write = async (ana: Visitor, text: string) => {
  await ana.fill('Mensaje', text, panel(ana))
  await ana.page.keyboard.press('Enter')
}

const createFlow = (desk: Desk, document: object) =>
  desk.admin.call(flowsApi.create, { body: { name: 'Recepción', document: { kind: 'flow', ...document } as never } })
const shownDraft = async (desk: Desk, id: number) => (await desk.admin.call(flowsApi.show, { params: { id } })).draft

const booking = {
  ...{ triggers: [{ kind: 'message' }], first: 'ask' },
  steps: [
    {
      ...{ kind: 'ask', id: 'ask', title: '¿Cuántos viajan?', text: '' },
      ...{ answer: { kind: 'text' }, next: 'say', otherwise: 'person' },
    },
    { kind: 'say', id: 'say', title: 'Gracias', text: 'Perfecto, van {{personas}}.', next: 'person' },
    { kind: 'person', id: 'person', text: 'Te atiende una persona.' },
  ],
}

test('fills in a question, tries it on the phone, records a test, and accepts another way', async () => {
  const desk = await openDesk(stage.server())
  const { id } = await createFlow(desk, booking)
  const ana = await stage.open(desk.admin, `/flows/${id}`)
  await openStep(ana, 'ask')
  await panel(ana).getByText('Falta completar').first().waitFor()

  // A question for a number, with a value of the message in it.
  await ana.fill('Pregunta', 'Hola, ')
  await ana.click('Datos para «Pregunta»')
  await ana.click('Primer nombre', 'menuitem')
  await ana.page.keyboard.type('. ¿Cuántos viajan?')
  await choose(ana, 'Espera', 'number')
  await ana.fill('De', '1')
  await ana.fill('A', '40')
  await ana.fill('Guardar en', 'Personas')
  await choose(ana, 'Cuántas veces se repite', '1')
  await ana.fill('Qué decir al repetir', 'Escríbelo en números.')
  await expect
    .poll(async () => (await shownDraft(desk, id)).steps[0])
    .toMatchObject({
      ...{ text: 'Hola, {{firstName}}. ¿Cuántos viajan?', variable: 'personas', retries: 1 },
      ...{ answer: { kind: 'number', min: 1, max: 40 }, retryText: 'Escríbelo en números.' },
    })
  await ana.takeScreenshot('flow-step')
  await ana.checkAccessibility()

  // A wrong answer and a right one.
  await ana.click('Probar', 'tab')
  await ana.expectText(/^Hola, Ana\. ¿Cuántos viajan\?/, panel(ana))
  await write(ana, 'dos y dos nenes')
  await ana.expectText('No vio un número válido: pregunta otra vez, 1 de 1', inside(ana))
  await ana.expectText(/^Escríbelo en números\./, panel(ana))
  await write(ana, 'somos 4')
  await ana.expectText(/^Perfecto, van 4\./, panel(ana))
  await ana.expectText('Respondió: personas es «4»', inside(ana))
  await ana.takeScreenshot('flow-test')
  await ana.checkAccessibility()
  await ana.click('Grabar prueba')
  await ana.fill('Nombre de la prueba', 'Cuatro viajan')
  await ana.click('Grabar')
  await ana.expectAndCloseToast('Prueba grabada')
  const { tests } = await desk.admin.call(flowTestsApi.list, { params: { id } })
  expect(tests).toMatchObject([{ name: 'Cuatro viajan', trace: ['ask', 'ask', 'say', 'person', '=person'] }])
  await ana.click('Publicar')
  await ana.expectAndCloseToast('Versión 1 publicada y activa')

  // Another limit breaks the test: publishing is refused.
  await ana.click('Paso', 'tab')
  await ana.fill('A', '3')
  await ana.click(/^Comprobaciones/, 'tab')
  await ana.expectText('La prueba «Cuatro viajan» toma otro camino')
  await ana.expectText('1 impide publicar.')
  await ana.expectText('Después de «¿Cuántos viajan?» seguía «Gracias». Ahora sigue «Pasar a una persona».')
  await ana.takeScreenshot('flow-test-fails')
  await ana.checkAccessibility()
  await ana.click('Publicar')
  await ana.expectAndCloseToast('1 error impide publicar')
  await ana.click('Aceptar lo nuevo')
  await ana.expectAndCloseToast('Ahora la prueba espera el camino nuevo')
  await ana.expectText('1 prueba grabada, y está bien')
  await ana.click('Ver las pruebas')
  await ana.click('Ver en el teléfono: Cuatro viajan')
  await ana.expectText('Termina: sigue una persona', ana.dialog)
  await ana.takeScreenshot('flow-test-played')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.click('Publicar')
  await ana.expectAndCloseToast('Versión 2 publicada y activa')
  await ana.click('Borrar la prueba Cuatro viajan')
  await ana.confirm('Borrar')
  await ana.expectText('Sin pruebas grabadas. Graba una en Probar.')
})

const ways = { next: 'end', otherwise: 'person' }
const everyKind = (tagId: number) => ({
  ...{ triggers: [{ kind: 'message' }, { kind: 'flow', variables: ['pedido'] }], first: 'say' },
  steps: [
    {
      ...{ kind: 'say', id: 'say', title: 'Saludo', text: 'Hola, {{firstName}}.', next: 'choice' },
      list: { button: 'Ver', rows: [{ id: 'o1', title: 'Centro', description: 'De 9 a 18' }] },
    },
    {
      ...{ kind: 'ask', id: 'choice', title: 'Menú', text: '¿Qué necesitas?', otherwise: 'person' },
      silence: { minutes: 60, next: 'end' },
      answer: {
        kind: 'choice',
        options: [
          { id: 'o1', title: 'Reservar', next: 'call' },
          { id: 'o2', title: 'Pagos', next: 'ai' },
        ],
      },
    },
    {
      ...{ kind: 'call', id: 'call', title: 'Lugares', method: 'POST', url: 'https://api.example/salidas', body: '{}' },
      ...{ headers: [{ name: 'Authorization', value: 'secret' }], keep: [{ path: 'libres', variable: 'libres' }] },
      ...{ next: 'branch', otherwise: 'person' },
    },
    {
      ...{ kind: 'branch', id: 'branch', title: 'Hay lugar', next: 'switch', otherwise: 'person' },
      conditions: { match: 'all', of: [{ field: 'variable', name: 'libres', is: 'greater', value: '0' }] },
    },
    {
      kind: 'switch',
      id: 'switch',
      title: 'Cuántos',
      variable: 'libres',
      cases: [{ value: '1', next: 'split' }],
      ...ways,
    },
    {
      ...{ kind: 'split', id: 'split', title: 'Oferta' },
      shares: [
        { share: 70, next: 'wait' },
        { share: 30, next: 'note' },
      ],
    },
    { kind: 'wait', id: 'wait', title: 'Pausa', until: { kind: 'opening' }, next: 'note' },
    { kind: 'note', id: 'note', title: 'Nota', text: 'Hay {{libres}}', next: 'tag' },
    { kind: 'tags', id: 'tag', title: 'Marca', add: [tagId], next: 'end' },
    { kind: 'respond', id: 'ai', title: 'Dudas', by: { kind: 'prompt', promptId: 2_147_483_647 }, turns: 3, ...ways },
    { kind: 'person', id: 'person', title: 'Equipo', text: 'Te atiende una persona.' },
    { kind: 'end', id: 'end', title: 'Fin' },
  ],
})

async function company() {
  const desk = await openDesk(stage.server())
  const tag = await desk.admin.call(tagsApi.create, { body: { name: 'Grupo', color: '#d9480f' } })
  const { id } = await createFlow(desk, everyKind(tag.id))
  return { desk, id }
}

test('changes steps of every kind, and keeps the secrets of a call', async () => {
  const { desk, id } = await company()
  const ana = await stage.open(desk.admin, `/flows/${id}`)
  const stepOf = async (stepId: string) => (await shownDraft(desk, id)).steps.find((one) => one.id === stepId)

  await openStep(ana, 'say')
  await ana.click('Agregar fila')
  await ana.fill('Fila 2', 'Norte')
  await ana.takeScreenshot('flow-step-list')
  await ana.checkAccessibility()
  await expect.poll(() => stepOf('say')).toMatchObject({ list: { rows: [{ id: 'o1' }, { id: 'o2', title: 'Norte' }] } })

  // An option that is removed takes its link with it; the title cannot be empty.
  await openStep(ana, 'choice')
  await ana.click('Quitar Reservar')
  await ana.fill('Opción 1', '')
  await ana.expectText('Falta completar', panel(ana))
  await ana.fill('Opción 1', 'Cobros')
  await expect
    .poll(() => stepOf('choice'))
    .toMatchObject({ answer: { options: [{ id: 'o2', title: 'Cobros', next: 'ai' }] } })
  await ana.takeScreenshot('flow-step-choice')

  // The value of a header stays as long as the call goes to the same server.
  await openStep(ana, 'call')
  await ana.field('Valor del encabezado 1').waitFor()
  await ana.fill('Dirección', 'https://api.example/salidas?de={{libres}}')
  await expect.poll(() => stepOf('call')).toMatchObject({ headers: [{ value: '••••••••' }] })
  await ana.takeScreenshot('flow-step-call')
  await ana.checkAccessibility()
  await ana.fill('Dirección', 'https://other.example/')
  await ana.expectText('Cambió el servidor: vuelve a escribir los valores de los encabezados.')
  await expect.poll(() => stepOf('call')).toMatchObject({ url: 'https://other.example/', headers: [{ value: '' }] })

  await openStep(ana, 'branch')
  await ana.click('Comparación: es mayor que')
  await ana.click('no es menor que', 'radio')
  await expect.poll(() => stepOf('branch')).toMatchObject({ conditions: { of: [{ is: 'less', not: true }] } })
  await ana.takeScreenshot('flow-step-branch')
  await ana.checkAccessibility()

  await openStep(ana, 'split')
  await ana.click('Agregar parte')
  await ana.expectText('Suman 110: se reparten en esa proporción.')
  await ana.takeScreenshot('flow-step-split')
  await openStep(ana, 'wait')
  await panel(ana).getByText('Una respuesta').click()
  await ana.fill('Guardar en', 'respuesta')
  await expect
    .poll(() => stepOf('wait'))
    .toMatchObject({ until: { kind: 'answer', minutes: 60, variable: 'respuesta' } })
  await openStep(ana, 'tag')
  await ana.expectText('Grupo', panel(ana))
  await ana.takeScreenshot('flow-step-tags')
  await openStep(ana, 'ai')
  await ana.expectText('Todavía no hay prompts.')
  await ana.takeScreenshot('flow-step-respond')
  await ana.checkAccessibility()

  // The start: what another flow brings can be asked about.
  await openStep(ana, '')
  await ana.field('Dato 1', panel(ana)).waitFor()
  await ana.takeScreenshot('flow-start')
  await ana.checkAccessibility()
})

test('plays a scene: options, calls that fail, and time that passes; on a phone too', async () => {
  const { desk, id } = await company()
  const ana = await stage.open(desk.admin, `/flows/${id}`)
  await ana.click('Probar', 'tab')
  await ana.click('1 Reservar')
  await ana.expectText('Eligió 1 Reservar', inside(ana))
  await ana.expectText('Llamar a api.example con POST, sin hacerlo de verdad', inside(ana))
  await ana.click('Empezar de nuevo')
  await ana.click('Ana, en español')
  await ana.dialog.getByLabel('Idioma').selectOption('pt')
  await ana.toggleSwitch('Los programas y la IA fallan')
  await ana.takeScreenshot('flow-scene')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.expectText(/^Hola, Aline\./, panel(ana))
  await ana.click('1 Reservar')
  await ana.expectText('Llamar a api.example con POST: falla', inside(ana))
  await ana.click('Empezar de nuevo')
  await ana.click('Dejar pasar 1 h sin responder')
  await ana.expectText('Termina el flujo', inside(ana))

  const phone = await stage.open(desk.admin, `/flows/${id}`, { viewport: phoneViewport })
  await phone.click('Menú', 'button', phone.byRole('region', 'Lista'))
  await phone.field('Nombre del paso', phone.dialog).waitFor()
  await phone.takeScreenshot('flow-step-phone')
  await phone.checkAccessibility()
  await phone.click('Cerrar', 'button', phone.dialog)
  await phone.byRole('button', 'Probar').click()
  await phone.click('2 Pagos', 'button', phone.dialog)
  await phone.expectText('Aquí respondería la IA o la integración', phone.dialog)
  await phone.takeScreenshot('flow-test-phone')
  await phone.checkAccessibility()
})
