import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
/** Contains the letters that are shortcuts for resolve, open, transfer and note. */
const sentence = 'Estimada Sol, claro que no tarda'
const words = (ana: Visitor) => ana.field('Mensaje')

/** Types at once, wherever the focus is, and expects every letter to be in the composer. */
async function writes(ana: Visitor): Promise<void> {
  await ana.page.keyboard.type(sentence)
  await expect.poll(() => words(ana).inputValue(), { message: ana.page.url() }).toBe(sentence)
  expect(await ana.page.getByRole('dialog').count()).toBe(0)
  await words(ana).fill('')
  await words(ana).blur()
}

test('types a sentence into the composer only, whatever was clicked before', async () => {
  const d = await openDesk(desk.server())
  const { customer, id } = await d.newTicket('Buenas', 'Sol Aguirre')
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(d.admin, `/tickets/${uuid}`)

  await ana.click('Aceptar', 'button', ana.byRole('region', 'Redactar'))
  await ana.expectText(/Asignado a/, ana.page.locator('#conversation'))
  await writes(ana)

  await words(ana).fill('Ya te respondo')
  await ana.click('Enviar')
  await writes(ana)
  const own = ana.page.locator('[data-message]').filter({ hasText: 'Ya te respondo' })
  await own.waitFor()

  const file = { name: 'plano.png', mimeType: 'image/png', buffer: tinyPng }
  await ana.byRole('region', 'Redactar').locator('input[type=file]').setInputFiles(file)
  await ana.byRole('button', 'Quitar plano.png').waitFor()
  await writes(ana)
  await ana.click('Quitar plano.png')
  await writes(ana)

  await ana.hoverAndClick(own, 'Más acciones del mensaje')
  await ana.click('Eliminar', 'menuitem')
  await ana.confirm('Eliminar mensaje')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await writes(ana)

  await ana.click('Transferir')
  await ana.dialog.waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await writes(ana)

  await ana.click('Resolver')
  await ana.page.waitForURL(/\/tickets$/)
  await ana.navigate(`/tickets/${uuid}`)
  await ana.click('Reabrir', 'button', ana.byRole('region', 'Redactar'))
  await ana.expectText(/Asignado a/, ana.page.locator('#conversation'))
  await writes(ana)

  // The ticket is opened from the list.
  await ana.navigate('/tickets')
  await ana.page.locator('[data-opener]').filter({ hasText: 'Sol Aguirre' }).click()
  await words(ana).waitFor()
  await writes(ana)
  expect((await d.showTicket(id)).status).toBe('open')
  expect((await customer.listMessages()).filter(({ body }) => body.includes('Estimada'))).toEqual([])
})

test('keeps a reopened ticket open when an older response arrives late', async () => {
  const d = await openDesk(desk.server())
  const { id } = await d.newTicket('Buenas', 'Vera Luna')
  const { uuid } = await d.showTicket(id)
  await d.putTicket(d.admin, id, { status: 'closed', userId: d.admin.id })
  const ana = await desk.open(d.admin, '/tickets')
  await ana.page.getByRole('tab', { name: /^Resueltos/ }).click()
  const late = Promise.withResolvers<void>()
  const arrived = Promise.withResolvers<void>()
  await ana.page.route(`**/tickets/u/${uuid}`, async (route) => {
    const response = await route.fetch()
    await late.promise
    await route.fulfill({ response })
    arrived.resolve()
  })
  await ana.page.locator('[data-opener]').filter({ hasText: 'Vera Luna' }).click()
  await ana.click('Reabrir', 'button', ana.byRole('region', 'Redactar'))
  await words(ana).fill('Hola')
  await expect.poll(async () => (await d.showTicket(id)).status).toBe('open')
  late.resolve()
  await arrived.promise
  await ana.expectText(/Asignado a/, ana.page.locator('#conversation'))
  expect(await words(ana).inputValue()).toBe('Hola')
})
