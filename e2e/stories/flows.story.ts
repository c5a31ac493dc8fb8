import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { listWaysOut } from '@recado/contract/flows/flow-steps'
import { flowsApi } from '@recado/contract/flows/flows'
import { expect, test } from 'vitest'
import { type Desk, openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const stage = createStage()

/** A step of the canvas, by the beginning of its label: its kind and its name. */
const step = (ana: Visitor, text: string | RegExp) =>
  ana.page.locator('.react-flow__node [role=button]').and(ana.byRole('button', text))
const focused = (ana: Visitor) => ana.page.locator(':focus')
const panel = (ana: Visitor) => ana.byRole('complementary', 'Panel')
const row = (ana: Visitor, text: string | RegExp) => ana.byRole('row', text)
/** Adds a step after the one that has the focus, with the keyboard. */
async function addWithKeys(ana: Visitor, item: string) {
  await ana.page.keyboard.press('Insert')
  await ana.byRole('menuitem', item).press('Enter')
}
async function chooseNext(ana: Visitor, token: string | RegExp, target: string | RegExp) {
  await ana.byRole('button', token).first().press('Enter')
  await ana.byRole('radio', target).press('Space')
}

const shownDraft = async (desk: Desk, id: number) => (await desk.admin.call(flowsApi.show, { params: { id } })).draft
/** `a.next>b` for every way. */
const links = ({ first, steps }: FlowDocument) => [
  `>${first ?? '.'}`,
  ...steps.flatMap((one) => listWaysOut(one).map(({ way, to }) => `${one.id}.${way}>${to ?? '.'}`)),
]
const onlyFlow = async (desk: Desk) => {
  const [flow] = (await desk.admin.call(flowsApi.list, { query: { kind: 'flow' } })).flows
  if (!flow) throw new Error('there is no flow')
  return flow
}

const greeting = {
  ...{ kind: 'flow', triggers: [{ kind: 'message' }], first: 'say' },
  steps: [
    { kind: 'say', id: 'say', title: 'Saludo', text: 'Hola, {{firstName}}.', next: 'ask' },
    {
      ...{ kind: 'ask', id: 'ask', title: 'Menú', text: '¿Qué necesitas?' },
      answer: {
        kind: 'choice',
        options: [
          { id: 'o1', title: 'Reservar', next: 'person' },
          { id: 'o2', title: 'Pagos', next: null },
        ],
      },
      otherwise: 'person',
    },
    { kind: 'person', id: 'person', text: 'Te atiende una persona.' },
  ],
} as never
const createFlow = (desk: Desk, name: string, document: never = greeting) =>
  desk.admin.call(flowsApi.create, { body: { name, document } })

test('builds a flow on the canvas with mouse and keyboard, and leads a customer through it', async () => {
  const desk = await openDesk(stage.server())
  const ana = await stage.open(desk.admin, '/tickets')
  await ana.click('Flujos', 'link')
  await ana.expectHeading('Flujos')
  await ana.expectText('Conversaciones que siempre acaban bien')
  await ana.expectText('Empieza con uno de estos, como borrador')
  await ana.takeScreenshot('flows-empty')
  await ana.checkAccessibility()
  await ana.click('Nuevo flujo')
  await ana.click('Vacío', 'menuitem')

  // With the mouse: what starts it, and a greeting from the palette.
  await step(ana, /^Empieza Elige cuándo empieza/).waitFor()
  await ana.takeScreenshot('flow-empty')
  await ana.checkAccessibility()
  await ana.fill('Nombre del flujo', 'Recepción')
  await ana.click('Elige cuándo empieza')
  await ana.click('Llega un mensaje', 'menuitem')
  await ana.click('Decir', 'button', ana.byRole('navigation', 'Pasos'))
  await step(ana, /^Decir/)
    .and(focused(ana))
    .waitFor()
  await ana.fill('Nombre del paso', 'Saludo')
  await ana.fill('Mensaje', 'Hola, {{firstName}}.')

  // With the keyboard only: a choice with two ways, and a person at the end of each.
  await step(ana, /^Decir Saludo/).focus()
  await addWithKeys(ana, 'Elegir')
  await step(ana, /^Elegir/)
    .and(focused(ana))
    .waitFor()
  await ana.page.keyboard.press('Enter')
  await ana.byRole('textbox', 'Nombre del paso').and(focused(ana)).waitFor()
  await ana.page.keyboard.type('Menú')
  await ana.fill('Pregunta', '¿Qué necesitas?')
  await ana.fill('Opción 1', 'Reservar')
  await ana.fill('Opción 2', 'Pagos')
  await ana.page.keyboard.press('Escape')
  await step(ana, /^Elegir Menú/)
    .and(focused(ana))
    .waitFor()
  await addWithKeys(ana, 'Decir')
  await step(ana, /^Decir/)
    .and(focused(ana))
    .waitFor()
  await ana.fill('Nombre del paso', 'Datos')
  await ana.fill('Mensaje', '¿Para qué fecha?')
  await step(ana, /^Decir Datos/).focus()
  await addWithKeys(ana, 'Pasar a una persona')
  await step(ana, /^Pasar a una persona/)
    .and(focused(ana))
    .waitFor()

  // The arrows walk along the edges, G goes on.
  await ana.page.keyboard.press('ArrowUp')
  await step(ana, /^Decir Datos/)
    .and(focused(ana))
    .waitFor()
  await ana.page.keyboard.press('ArrowUp')
  await step(ana, /^Elegir Menú/)
    .and(focused(ana))
    .waitFor()
  await ana.page.keyboard.press('g')
  await step(ana, /^Decir Datos/)
    .and(focused(ana))
    .waitFor()

  // Copied and pasted, with undo and redo.
  const texts = () => ana.page.locator('[data-step]').count()
  await ana.page.keyboard.press('Control+c')
  await ana.page.keyboard.press('Control+v')
  await expect.poll(texts).toBe(5)
  await ana.page.keyboard.press('Control+z')
  await expect.poll(texts).toBe(4)
  await ana.page.keyboard.press('Control+y')
  await expect.poll(texts).toBe(5)
  await ana.click('Deshacer')
  await expect.poll(texts).toBe(4)

  // Two ways of the menu lead nowhere: publishing goes there, and each is repaired with a click.
  await ana.takeScreenshot('flow-errors')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Control+Enter')
  await ana.expectToast('2 errores impiden publicar')
  await ana
    .byRole('tab', /^Comprobaciones/)
    .and(ana.page.locator('[aria-selected=true]'))
    .waitFor()
  await step(ana, /^Elegir Menú/)
    .and(focused(ana))
    .waitFor()
  await ana.expectText('«2 Pagos»: Callejón sin salida')
  await ana.takeScreenshot('flow-checks')
  await ana.checkAccessibility({ toasts: true })
  await ana.byRole('button', 'Pasar a una persona', panel(ana)).first().click()
  await ana.expectHidden('«2 Pagos»: Callejón sin salida')
  await ana.byRole('button', 'Pasar a una persona', panel(ana)).first().click()
  await ana.expectText('Nada impide publicar.')
  await ana.takeScreenshot('flow-canvas')
  await ana.click('Publicar')
  await ana.expectToast('Versión 1 publicada y activa')
  const { id } = await onlyFlow(desk)
  expect(links(await shownDraft(desk, id))).toEqual([
    ...['>say', 'say.next>ask', 'ask.option:o1>say-2', 'ask.option:o2>person', 'ask.otherwise>person'],
    'say-2.next>person',
  ])

  const { customer } = await desk.newTicket('Buenas', 'Inés Quiroga')
  const received = async () =>
    (await customer.listMessages()).filter(({ fromCustomer }) => !fromCustomer).map(({ body }) => body)
  await expect.poll(async () => (await received()).join('\n')).toContain('¿Qué necesitas?')
  await customer.says('1')
  await expect.poll(async () => (await received()).join('\n')).toContain('¿Para qué fecha?')
  await ana.click('Volver a los flujos')
  await ana.expectText('Al día')
  await ana.takeScreenshot('flows-list')
  await ana.checkAccessibility({ toasts: true })
})

test('edits a flow as a list with the keyboard, and moves its steps on the canvas by hand', async () => {
  const desk = await openDesk(stage.server())
  const { id } = await createFlow(desk, 'Recepción')
  const ana = await stage.open(desk.admin, `/flows/${id}`)
  await step(ana, /^Decir Saludo/).waitFor()
  await ana.page.keyboard.press('l')
  await row(ana, /Saludo/)
    .first()
    .waitFor()
  await ana.takeScreenshot('flow-list')
  await ana.checkAccessibility()

  // The arrows go from row to row, and fold what a step branches into.
  await row(ana, /^Empieza/).focus()
  await ana.page.keyboard.press('ArrowDown')
  await ana.page.keyboard.press('ArrowDown')
  await row(ana, /Menú/).and(focused(ana)).waitFor()
  await ana.page.keyboard.press('ArrowLeft')
  await ana.expectHidden(row(ana, /^2 Pagos/))
  await ana.page.keyboard.press('ArrowRight')
  await row(ana, /^2 Pagos/).waitFor()

  // "Sigue en" ends the dead end.
  await chooseNext(ana, 'Sigue en, Menú, 2 Pagos: elegir…', /Pasar a una persona/)
  await expect.poll(async () => links(await shownDraft(desk, id))).toContain('ask.option:o2>person')
  await row(ana, /Saludo/)
    .first()
    .focus()
  await addWithKeys(ana, 'Prioridad')
  await row(ana, /Poner prioridad alta/)
    .and(focused(ana))
    .waitFor()
  await ana.page.keyboard.press('Alt+ArrowUp')
  await expect.poll(async () => links(await shownDraft(desk, id))).toContain('priority.next>say')
  await ana.page.keyboard.press('Delete')
  await expect
    .poll(async () => links(await shownDraft(desk, id)))
    .toEqual([...['>say', 'say.next>ask', 'ask.option:o1>person', 'ask.option:o2>person', 'ask.otherwise>person']])

  // On the canvas again: a step stays where it is dropped, until the steps are arranged.
  await row(ana, /^Empieza/).focus()
  await ana.page.keyboard.press('c')
  const menu = step(ana, /^Elegir Menú/)
  const before = await ana.stableBox(menu)
  await ana.drag(
    menu,
    { x: 60, y: 12 },
    { x: before.x + 360, y: before.y + 72 },
    ana.page.locator('.react-flow__node.dragging'),
  )
  await expect.poll(async () => (await shownDraft(desk, id)).steps[1]?.at).toBeTruthy()
  await ana.takeScreenshot('flow-moved')
  await ana.click('Ordenar')
  await expect.poll(async () => (await shownDraft(desk, id)).steps[1]?.at).toBeUndefined()

  // The + of an arrow adds a step on it.
  await ana.click('Agregar paso: Saludo, Sigue')
  await ana.click('Esperar', 'menuitem')
  await expect.poll(async () => links(await shownDraft(desk, id))).toContain('wait.next>ask')
})

test('selects several steps with the keyboard, and copies them into another flow', async () => {
  const desk = await openDesk(stage.server())
  const from = await createFlow(desk, 'Origen')
  const to = await createFlow(desk, 'Destino', { kind: 'flow', triggers: [], first: null, steps: [] } as never)
  const ana = await stage.open(desk.admin, `/flows/${from.id}`)
  await step(ana, /^Decir Saludo/).focus()
  await ana.page.keyboard.press('Shift+ArrowDown')
  await ana.expectText('2 pasos elegidos')
  await ana.takeScreenshot('flow-several')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Control+c')
  await ana.navigate(`/flows/${to.id}`)
  await step(ana, /^Empieza/).focus()
  await ana.page.keyboard.press('Control+v')
  await expect
    .poll(async () => links(await shownDraft(desk, to.id)))
    .toEqual(['>say', 'say.next>ask', 'ask.option:o1>.', 'ask.option:o2>.', 'ask.otherwise>.'])
})

test('reads, edits and publishes a flow on a phone', async () => {
  const desk = await openDesk(stage.server())
  const { id } = await createFlow(desk, 'Recepción')
  const ana = await stage.open(desk.admin, `/flows/${id}`, { viewport: phoneViewport })
  await row(ana, /Saludo/)
    .first()
    .waitFor()
  await ana.takeScreenshot('flow-phone')
  await ana.checkAccessibility()
  await ana.byRole('button', 'Saludo').click()
  await ana.fill('Mensaje', '¡Hola!', ana.dialog)
  await ana.takeScreenshot('flow-phone-step')
  await ana.click('Cerrar', 'button', ana.dialog)
  await ana.click(/^Comprobaciones/)
  await ana.byRole('button', 'Pasar a una persona', ana.dialog).click()
  await ana.takeScreenshot('flow-phone-checks')
  await ana.checkAccessibility()
  await ana.click('Cerrar', 'button', ana.dialog)
  await ana.click('Publicar')
  await ana.expectToast('Versión 1 publicada y activa')
  expect((await shownDraft(desk, id)).steps[0]).toMatchObject({ text: '¡Hola!' })
  await ana.navigate('/flows')
  await ana.expectText('Recepción')
  await ana.takeScreenshot('flows-list-phone')
  await ana.checkAccessibility({ toasts: true })
})
