import { flowsApi } from '@recado/contract/flows/flows'
import { tagsApi } from '@recado/contract/tags'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const stage = createStage()
const line = (ana: Visitor, text: string | RegExp) => ana.byRole('group', text).or(ana.byRole('listitem', text))
const names = (ana: Visitor) => ana.byRole('list', 'Reglas').getByRole('link').allTextContents()
const saved = (ana: Visitor) => ana.expectText(/^borrador guardado a las/)

/** Opens a menu with the keyboard and chooses one of its items. */
async function chooseItem(ana: Visitor, button: string, item: string) {
  await ana.byRole('button', button).press('Enter')
  await ana.byRole('menuitem', item).press('Enter')
}
/** Opens a word of a sentence and chooses a value, with the keyboard. */
async function chooseWord(ana: Visitor, word: string, value: string) {
  await ana.byRole('button', word).press('Enter')
  await ana.byRole('radio', value).press('Space')
}

async function company() {
  const desk = await openDesk(stage.server())
  const waits = await desk.admin.call(tagsApi.create, { body: { name: 'Espera seña', color: '#d9480f' } })
  return { desk, waits }
}

test('builds a rule from a proposal by keyboard, repairs a line, publishes it, and goes back to a version', async () => {
  const { desk, waits } = await company()
  await desk.newTicket('¿Hay lugar el sábado?', 'Aline Rezende')
  const ana = await stage.open(desk.admin, '/tickets')
  await ana.click('Reglas', 'link')
  await ana.expectHeading('Reglas')
  await ana.expectText('Empieza con una de estas, como borrador')
  await ana.takeScreenshot('rules-empty')
  await ana.checkAccessibility()
  await ana.byRole('button', /Los reclamos, primero/).press('Enter')

  await line(ana, 'llega un mensaje que dice «reclamo», «queja» o «devolución»').waitFor()
  await ana.byRole('textbox', 'Nombre de la regla').fill('Urgente si insiste')
  await chooseItem(ana, 'o cuando…', 'El cliente espera respuesta')
  await line(ana, 'el cliente espera 30 min en horario de atención sin respuesta').waitFor()
  await ana.byRole('button', /^Palabras del mensaje: que dice «reclamo»/).press('Enter')
  await ana.fill('Palabras', 'urgente\napúrense')
  await ana.page.keyboard.press('Escape')
  await line(ana, 'llega un mensaje que dice «urgente» o «apúrense»').waitFor()
  await chooseWord(ana, 'Prioridad: alta', 'urgente')
  await chooseItem(ana, 'y después…', 'Etiquetas')

  // The new step lacks its tag: publishing goes to it.
  await ana.expectText('Falta completar esta línea.')
  await ana.page.keyboard.press('Control+Enter')
  await ana.expectToast('Hay 1 línea por corregir')
  await ana.byRole('button', 'Completar').and(ana.page.locator(':focus')).waitFor()
  await ana.takeScreenshot('rules-finding')
  await ana.byRole('button', 'Etiquetas que se ponen: nada').press('Enter')
  await ana.byRole('checkbox', 'Espera seña').press('Space')
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden('Falta completar esta línea.')

  // Alt and the arrows move a step, Ctrl D copies it.
  const steps = () => ana.page.locator('[data-step]').evaluateAll((all) => all.map((one) => one.ariaLabel))
  await ana.byRole('button', 'Etiquetas que se ponen: Espera seña').press('Alt+ArrowUp')
  await expect.poll(steps).toEqual(['poner Espera seña', 'poner prioridad urgente'])
  await ana.page.keyboard.press('Control+d')
  await expect.poll(steps).toEqual(['poner Espera seña', 'poner Espera seña', 'poner prioridad urgente'])
  await ana.byRole('button', 'Opciones: poner Espera seña').first().press('Enter')
  await ana.byRole('menuitem', 'Quitar').press('Enter')
  await chooseItem(ana, 'y después…', 'Nota interna')
  await ana.byRole('button', 'Lo que queda anotado: Elegir').press('Enter')
  await ana.fill('Lo que queda anotado', 'Está apurado.')
  await ana.page.keyboard.press('Escape')
  await saved(ana)
  await ana.takeScreenshot('rules-editor')
  await ana.checkAccessibility()

  await ana.page.keyboard.press('Control+Enter')
  await ana.expectToast('Versión 1 publicada y activa')
  await ana.expectText('Activa · versión 1')
  const [stored] = (await desk.admin.call(flowsApi.list, { query: { kind: 'rule' } })).flows
  expect(stored).toMatchObject({
    ...{ name: 'Urgente si insiste', state: 'active', hasDraft: false },
    document: {
      triggers: [
        { kind: 'message', words: { words: ['urgente', 'apúrense'] } },
        { kind: 'unanswered', minutes: 30 },
      ],
      steps: [{ kind: 'tags', add: [waits.id] }, { kind: 'priority' }, { kind: 'note' }, { kind: 'end' }],
    },
  })

  // A second version, and back to the first.
  await chooseWord(ana, 'Cuánto tiempo: 30 min', '2 h')
  await saved(ana)
  await ana.click('Publicar versión 2')
  await ana.expectToast('Versión 2 publicada y activa')
  await ana.click('Versiones')
  const versions = ana.byRole('complementary', 'Versiones')
  await versions.getByText('cuando el cliente espera 30 min → 2 h').waitFor()
  await ana.takeScreenshot('rules-versions')
  await ana.checkAccessibility({ toasts: true })
  await ana.click('Volver a esta', 'button', versions)
  await ana.expectToast('El borrador es otra vez como la versión 1')
  await line(ana, 'el cliente espera 30 min en horario de atención sin respuesta').waitFor()
  await versions.getByText('Versión 3').waitFor()
  await ana.click('Volver a las reglas')
  await ana.expectText('con cambios sin publicar')
})

test('orders, switches, copies and deletes rules in the list, which another browser follows', async () => {
  const { desk } = await company()
  const [ana, beto] = [await stage.open(desk.admin, '/rules'), await stage.open(desk.admin, '/rules')]
  const create = (name: string, priority: string) =>
    desk.admin.call(flowsApi.create, {
      body: {
        name,
        document: {
          kind: 'rule',
          triggers: [{ kind: 'ticketOpened' }],
          first: 'priority',
          steps: [
            { kind: 'priority', id: 'priority', priority, next: 'end' },
            { kind: 'end', id: 'end' },
          ],
        } as never,
      },
    })
  const first = await create('Primera', 'high')
  await create('Segunda', 'urgent')
  await create('Tercera', 'low')
  await desk.admin.call(flowsApi.publish, { params: { id: first.id }, body: { revision: first.revision } })
  await expect.poll(() => names(ana)).toEqual(['Primera', 'Segunda', 'Tercera'])
  await ana.expectText('Al día')
  await ana.takeScreenshot('rules-list')
  await ana.checkAccessibility()

  await ana.byRole('button', 'Mover Tercera, lugar 3').press('Alt+ArrowUp')
  await expect.poll(() => names(ana)).toEqual(['Primera', 'Tercera', 'Segunda'])
  await expect.poll(() => names(beto)).toEqual(['Primera', 'Tercera', 'Segunda'])
  // The focus stays on the moved rule.
  await ana.page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => names(beto)).toEqual(['Tercera', 'Primera', 'Segunda'])
  const grip = ana.byRole('button', 'Mover Segunda, lugar 3')
  const target = await ana.stableBox(ana.byRole('link', 'Tercera'))
  await ana.drag(grip, { x: 8, y: 8 }, { x: target.x + 4, y: target.y - 4 }, ana.page.locator('[data-drop="before"]'))
  await expect.poll(() => names(beto)).toEqual(['Segunda', 'Tercera', 'Primera'])

  await ana.toggleSwitch('Activar Primera')
  await ana.expectToast('Regla desactivada. Lo que ya empezó sigue.')
  await beto.expectText('Desactivada')
  await ana.fill('Buscar regla', 'urgente')
  await expect.poll(() => names(ana)).toEqual(['Segunda'])
  await ana.byRole('button', 'Opciones de Segunda').press('Enter')
  await ana.click('Eliminar', 'menuitem')
  await ana.dialog.getByRole('button', { name: 'Eliminar' }).click()
  await ana.expectToast('Regla eliminada')
  await expect.poll(() => names(beto)).toEqual(['Tercera', 'Primera'])
})

test('explains that somebody else saved the rule meanwhile, and keeps what the user chooses', async () => {
  const { desk } = await company()
  const { id } = await desk.admin.call(flowsApi.create, {
    body: {
      name: 'De dos personas',
      document: { kind: 'rule', triggers: [{ kind: 'ticketOpened' }], first: null, steps: [] } as never,
    },
  })
  const ana = await stage.open(desk.admin, `/rules/${id}`, { viewport: phoneViewport })
  await ana.byRole('textbox', 'Nombre de la regla').waitFor()
  // The other save happens while this browser does not hear of it.
  let hasSaved = false
  await ana.page.route('**/flows/*', async (route) => {
    if (hasSaved || route.request().method() !== 'PUT') return route.continue()
    hasSaved = true
    const { draft, revision } = await desk.admin.call(flowsApi.show, { params: { id } })
    await desk.admin.call(flowsApi.update, {
      params: { id },
      body: { name: 'Nombre de otra persona', document: draft, revision },
    })
    await route.continue()
  })
  stage.allowProblem(`409 PUT /flows/${id}`)
  await ana.byRole('textbox', 'Nombre de la regla').fill('Mi nombre')
  await ana.expectText('Otra persona guardó cambios en esta regla mientras la editabas.')
  await ana.takeScreenshot('rules-phone')
  await ana.checkAccessibility()
  await ana.click('Guardar lo mío')
  await ana.expectHidden('Otra persona guardó cambios en esta regla mientras la editabas.')
  await expect.poll(async () => (await desk.admin.call(flowsApi.show, { params: { id } })).name).toBe('Mi nombre')
  await ana.byRole('button', 'Publicar versión 1').waitFor()
  await ana.navigate('/rules')
  await ana.expectText('Mi nombre')
  await ana.takeScreenshot('rules-list-phone')
  await ana.checkAccessibility()
})

test('counts what the draft would have done, beside the published version, and shows why others were left out', async () => {
  const { desk } = await company()
  await desk.newTicket('¿Te paso la seña hoy?', 'Aline Rezende')
  await desk.newTicket('Mando la seña mañana', 'Gonzalo Peñalba')
  await desk.newTicket('Hola', 'Inés Quiroga')
  const words = (...some: string[]) => ({ mode: 'any' as const, words: some })
  const { id } = await desk.admin.call(flowsApi.create, {
    body: {
      name: 'Pagos primero',
      document: {
        kind: 'rule',
        triggers: [{ kind: 'message', words: words('seña') }],
        first: 'say',
        steps: [
          { kind: 'say', id: 'say', text: 'Gracias, {{firstName}}. Te paso los datos.', next: 'end' },
          { kind: 'end', id: 'end' },
        ],
      } as never,
    },
  })
  const ana = await stage.open(desk.admin, `/rules/${id}`)
  const panel = ana.byRole('complementary', 'Ensayo con lo que ya pasó')
  const hits = () => panel.getByRole('list', { name: 'Tickets del ensayo' }).getByRole('link').allInnerTexts()
  await panel.getByText('veces habría ocurrido').waitFor()
  await expect.poll(async () => (await hits()).length).toBe(2)
  expect((await hits()).join()).toContain('Gonzalo Peñalba')
  // The message reads as the newest of these customers would get it.
  await ana.expectText(/^Gracias, ?(Gonzalo|Aline)/, ana.page.locator('[data-step="say"]'))
  await ana.takeScreenshot('rules-dry-run')
  await ana.checkAccessibility()
  await ana.click('Publicar versión 1')
  await ana.expectToast('Versión 1 publicada y activa')

  await ana.byRole('button', 'Palabras del mensaje: que dice «seña»').press('Enter')
  await ana.fill('Palabras', 'mañana')
  await ana.page.keyboard.press('Escape')
  await panel.getByText('vez habría ocurrido').waitFor()
  await panel.getByText('la versión 1, publicada: 2').waitFor()
  await ana.click('Condición')
  await ana.byRole('button', 'Palabras: Elegir').press('Enter')
  await ana.fill('Palabras', 'feriado')
  await ana.page.keyboard.press('Escape')
  await panel.getByText('En 30 días no habría ocurrido.').waitFor()
  await panel.getByText('no se cumplía: el mensaje dice «feriado»', { exact: true }).waitFor()
  await ana.takeScreenshot('rules-dry-run-excluded')
  await ana.checkAccessibility({ toasts: true })
  // On a narrow screen the number stays beside the button.
  await ana.page.setViewportSize(phoneViewport)
  const foot = ana.page.locator('footer')
  await foot.getByText('veces habría ocurrido').waitFor()
  await foot.getByRole('button', { name: 'Publicar versión 2' }).waitFor()
  await ana.takeScreenshot('rules-dry-run-phone')
})
