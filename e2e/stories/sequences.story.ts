import { filesApi } from '@recado/contract/files'
import { flowsApi } from '@recado/contract/flows/flows'
import { expect, test } from 'vitest'
import { hours } from '../../server/src/kernel/clock.ts'
import { openFlowDesk } from '../../server/test/flow-desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const stage = createStage()
const saved = (ana: Visitor) => ana.expectText(/^borrador guardado a las/)
const card = (ana: Visitor, id: string) => ana.page.locator(`[data-step="${id}"]`)
const stepsOf = (ana: Visitor) =>
  ana.page.locator('[data-step]').evaluateAll((all) => all.map((one) => one.getAttribute('data-step')))
const runsOf = (ana: Visitor) => ana.dialog.getByRole('listitem')

async function chooseItem(ana: Visitor, button: string | RegExp, item: string | RegExp) {
  await ana.byRole('button', button).press('Enter')
  await ana.byRole('menuitem', item).press('Enter')
}
async function chooseWord(ana: Visitor, word: string | RegExp, value: string) {
  await ana.byRole('button', word).press('Enter')
  await ana.byRole('radio', value).press('Space')
}
/** Types a message where it stands. */
async function writeMessage(ana: Visitor, button: string | RegExp, label: string, text: string) {
  await ana.byRole('button', button).press('Enter')
  await ana.fill(label, text)
  await ana.page.keyboard.press('Escape')
}

const end = { kind: 'end' as const, id: 'end' }
/** Starts another flow after the first wait, which fails while that one is switched off. */
const sequence = (flowId: number) => ({
  ...{ kind: 'sequence' as const, first: 'say', triggers: [{ kind: 'message' as const }] },
  steps: [
    { kind: 'say' as const, id: 'say', text: 'Hola, {{firstName}}. ¿Viste el presupuesto?', next: 'wait' },
    { kind: 'wait' as const, id: 'wait', until: { kind: 'time', minutes: 120 }, next: 'start' },
    { kind: 'start' as const, id: 'start', flowId, next: 'say-2' },
    { kind: 'say' as const, id: 'say-2', text: '¿Sigues por ahí, {{firstName}}?', next: 'wait-2' },
    { kind: 'wait' as const, id: 'wait-2', until: { kind: 'time', minutes: 2880 }, next: 'end' },
    end,
  ],
})

test('builds a sequence by keyboard, publishes it, and counts who gets a message and who answers', async () => {
  const desk = await openFlowDesk(stage.server())
  const ana = await stage.open(desk.admin, '/rules')
  await ana.click('Secuencias', 'tab')
  await ana.expectText('Aquí tus mensajes insistirán por ti')
  await ana.takeScreenshot('sequences-empty')
  await ana.checkAccessibility()
  await ana.byRole('button', 'Nueva secuencia').press('Enter')

  await ana.byRole('textbox', 'Nombre de la secuencia').fill('Presupuesto sin respuesta')
  await chooseItem(ana, 'Elige cuándo empieza', 'Llega un mensaje')
  // A menu that closes leaves nothing focused for a moment. The key must work then too, but not in a dialog above.
  await ana.page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await ana.page.keyboard.press('?')
  await ana.expectText('Atajos de teclado', ana.dialog)
  await ana.dialog.getByRole('switch', { name: 'Atajos de una sola tecla' }).press('Control+Enter')
  expect(await ana.page.getByText('Hay 1 línea por corregir').count()).toBe(0)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.dialog)
  await ana.page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await ana.page.keyboard.press('Control+Enter')
  await ana.expectToast('Hay 1 línea por corregir')
  await ana.byRole('button', 'Completar').and(ana.page.locator(':focus')).waitFor()
  await ana.takeScreenshot('sequence-finding')
  await writeMessage(
    ana,
    /^Texto del mensaje: Escribe/,
    'Texto del mensaje',
    'Hola, {Primer nombre}. ¿Viste el presupuesto?',
  )
  await ana.byRole('button', /^Texto del mensaje: Hola, ?Primer nombre/).waitFor()
  await chooseItem(ana, 'Agregar paso', 'Mensaje')
  await writeMessage(ana, /^Texto del mensaje: Escribe/, 'Texto del mensaje', '¿Te ayudo a decidir?')
  await chooseItem(ana, 'Agregar un paso después del 1', 'Esperar')
  await chooseWord(ana, 'Cuánto tiempo: 1 h', '2 h')
  await ana.click('Esperar 2 días')
  await expect.poll(() => stepsOf(ana)).toEqual(['say', 'wait', 'say-2', 'wait-2'])

  // Alt and the arrows move a step, Ctrl D copies it; the menu makes a message one of two variants.
  await ana.byRole('button', 'Cuánto tiempo: 2 h').press('Alt+ArrowUp')
  await expect.poll(() => stepsOf(ana)).toEqual(['wait', 'say', 'say-2', 'wait-2'])
  await ana.page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => stepsOf(ana)).toEqual(['say', 'wait', 'say-2', 'wait-2'])
  await chooseItem(ana, 'Opciones: decir «¿Te ayudo a decidir?»', 'Probar otra variante')
  await writeMessage(ana, /^Texto de la variante B/, 'Texto de la variante B', 'Quedan pocos lugares. ¿Guardo el tuyo?')
  await chooseWord(ana, 'Parte de la variante A: 50 %', '70 %')
  await ana.byRole('button', 'Parte de la variante B: 30 %').waitFor()
  await saved(ana)
  await ana.takeScreenshot('sequence-editor')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Control+Enter')
  await ana.expectToast('Versión 1 publicada y activa')
  await ana.expectText('0 personas dentro')

  // A customer enters, gets the first message and answers: that ends it. Another one waits.
  const { customer } = await desk.newTicket('¿Cuánto sale?', 'Aline Rezende')
  await desk.newTicket('¿Hay lugar?', 'Gonzalo Peñalba')
  await desk.settle()
  await ana.expectText('2 personas dentro')
  await desk.say(customer, 'Sí, lo quiero')
  await ana.expectText('1 persona dentro')
  await ana.expectText('2 llegaron', card(ana, 'say'))
  await ana.expectText('1 respondió 50 %', card(ana, 'say'))
  await ana.expectText('1 persona espera aquí', card(ana, 'wait'))
  await ana.expectText('1 de 2, con la versión 1', ana.byRole('complementary', 'Resultado'))
  await ana.takeScreenshot('sequence-numbers')
  await ana.click('1 persona dentro')
  await expect
    .poll(() =>
      runsOf(ana)
        .allInnerTexts()
        .then((texts) => texts.length),
    )
    .toBe(1)
  await ana.expectText('esperar 2 h', ana.dialog)
  await ana.takeScreenshot('runs-inside')
  await ana.checkAccessibility()
  await ana.click('Todas', 'tab', ana.dialog)
  await ana.expectText('Terminó: el cliente respondió', ana.dialog)
  await ana.click('Dentro', 'tab', ana.dialog)
  await ana.click('Sacar a Gonzalo Peñalba', 'button', ana.dialog)
  await ana.confirm('Sacar')
  await ana.expectText('No hay nadie dentro', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.expectText('0 personas dentro')

  await ana.click('Volver a las secuencias')
  await ana.expectText(/^2 pasos en 2 h · empieza cuando llega un mensaje/)
  await ana.byRole('img', 'Llegaron a cada paso: 2, 0').waitFor()
  await ana.takeScreenshot('sequences-list')
  await ana.checkAccessibility()
})

test('retries a conversation whose step failed, and shows a sequence on a phone', async () => {
  const desk = await openFlowDesk(stage.server())
  const note = { kind: 'note' as const, id: 'note', text: 'Recibió el recordatorio.', next: 'end' }
  const other = await desk.publish(
    { kind: 'rule', first: 'note', triggers: [{ kind: 'flow' }], steps: [note, end] },
    'Avisar al equipo',
  )
  const setActive = (active: boolean) =>
    desk.admin.call(flowsApi.setActive, { params: { id: other.id }, body: { active } })
  await desk.publish(sequence(other.id), 'Presupuesto sin respuesta')
  const { id } = await desk.newTicket('¿Cuánto sale?', 'Aline Rezende')
  await desk.settle()
  await setActive(false)
  await desk.withClockForward(hours(3), desk.settle)
  await setActive(true)

  const ana = await stage.open(desk.admin, '/rules?tab=sequences')
  await ana.expectText('1 fallo')
  await ana.takeScreenshot('sequences-failed')
  await ana.click('1 fallo')
  await ana.expectText('iniciar Avisar al equipo', ana.dialog)
  await ana.takeScreenshot('runs-failed')
  await ana.checkAccessibility()
  await ana.click('Reintentar con Aline Rezende', 'button', ana.dialog)
  await ana.expectToast('Se reintenta el paso')
  await desk.settle()
  await expect.poll(() => desk.listSaid(id)).toEqual(['Hola, Aline. ¿Viste el presupuesto?', '¿Sigues por ahí, Aline?'])
  await ana.expectText('Ninguna espera por un fallo', ana.dialog)
  await ana.page.keyboard.press('Escape')

  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('sequences-list-phone')
  await ana.checkAccessibility()
  await ana.click('Presupuesto sin respuesta', 'link')
  await ana.byRole('textbox', 'Nombre de la secuencia').waitFor()
  await ana.expectText('1 persona dentro')
  await ana.takeScreenshot('sequence-phone')
  await ana.checkAccessibility()
  await ana.click('1 persona dentro')
  await ana.expectText('Aline Rezende', ana.dialog)
  await ana.takeScreenshot('runs-phone')
  await ana.checkAccessibility()
})

test('shows at the steps of a rule what came of them, and its failures from the list', async () => {
  const desk = await openFlowDesk(stage.server())
  const waits = await desk.createTag('Espera seña')
  await desk.publish(
    {
      ...{ kind: 'rule', first: 'tags', triggers: [{ kind: 'message' }] },
      steps: [
        { kind: 'tags', id: 'tags', add: [waits], next: 'note' },
        { kind: 'note', id: 'note', text: 'Escribió.', next: 'end' },
        { kind: 'end', id: 'end' },
      ],
    },
    'Marcar a quien escribe',
  )
  await desk.newTicket('Hola', 'Aline Rezende')
  await desk.settle()
  const ana = await stage.open(desk.admin, '/rules')
  await chooseItem(ana, 'Opciones de Marcar a quien escribe', 'Conversaciones dentro')
  await ana.expectText('No hay nadie dentro', ana.dialog)
  await ana.click('Todas', 'tab', ana.dialog)
  await ana.expectText('Llegó al final', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.click('Marcar a quien escribe', 'link')
  await ana.expectText('1 llegó', card(ana, 'tags'))
  await ana.expectText('1 llegó', card(ana, 'note'))
  await ana.takeScreenshot('rule-numbers')
  await ana.checkAccessibility()
  // A changed step has no numbers: those of the published one are not its own.
  await ana.byRole('button', /^Lo que queda anotado/).press('Enter')
  await ana.fill('Lo que queda anotado', 'Escribió hoy.')
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(card(ana, 'note').getByText('1 llegó'))
  await ana.expectText('1 llegó', card(ana, 'tags'))
  expect((await desk.admin.call(flowsApi.list, { query: { kind: 'rule' } })).flows).toHaveLength(1)
})

test('attaches a file to a message, keeps a sequence out of what a person does, and opens the library', async () => {
  const desk = await openFlowDesk(stage.server())
  const list = await desk.admin.call(filesApi.create, {
    body: { name: 'Folletos', message: 'Nuestros folletos', options: [{ name: 'El muelle' }] },
  })
  const fileId = list.options[0]?.id ?? 0
  const media = { mediaPath: 'muelle.jpg', mediaName: 'muelle.jpg', mediaType: 'image/jpeg' }
  await desk.db.updateTable('fileOptions').set(media).where('id', '=', fileId).execute()
  const say = { kind: 'say' as const, id: 'say', text: 'Así se ve el muelle a las 9.', next: 'note' }
  const note = { kind: 'note' as const, id: 'note', text: 'Ya vio el muelle.', next: 'end' }
  const flow = await desk.publish(
    { kind: 'sequence', first: 'say', triggers: [{ kind: 'person' }], steps: [say, note, end] },
    'Antes de viajar',
  )
  const ana = await stage.open(desk.admin, `/rules/sequences/${flow.id}`)
  await chooseWord(ana, 'Archivo: Adjuntar', 'El muelle')
  await ana.byRole('button', 'Archivo: El muelle').waitFor()
  await ana.toggleSwitch('Que alguien se ocupe de la conversación')
  await ana.expectText('Sigue con lo que no escribe al cliente, y termina en el próximo mensaje')
  await chooseItem(ana, 'Opciones: anotar «Ya vio el muelle.»', /^Duplicar/)
  await expect.poll(() => stepsOf(ana)).toEqual(['say', 'note', 'note-2'])
  await ana.takeScreenshot('sequence-file')
  await ana.checkAccessibility()
  await saved(ana)
  const stored = () => desk.admin.call(flowsApi.show, { params: { id: flow.id } })
  await expect.poll(async () => (await stored()).draft.limits.goesOnWithPerson).toBe(true)
  await expect.poll(async () => (await stored()).draft.steps[0]).toMatchObject({ kind: 'say', fileId })
  await ana.click('Versiones')
  await ana.expectText('Versión 2')
  await ana.click('Volver a las secuencias')
  await ana.click('Biblioteca', 'tab')
  await ana.page.getByRole('listitem').first().waitFor()
  await ana.takeScreenshot('rules-library')
  await ana.checkAccessibility()
})
