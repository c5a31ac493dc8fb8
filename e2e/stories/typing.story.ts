import { tagsApi } from '@recado/contract/tags'
import { ticketsApi } from '@recado/contract/tickets'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
/**
 * Contains every letter of the alphabet, the characters that are shortcuts, and the letters that once resolved a ticket
 * by mistake.
 */
const sentence = 'Dale: ¿whisky, jugo, kiwi? Vamos por fax, ñoqui/bizcocho en té'
const words = (ana: Visitor) => ana.field('Mensaje')

/** Types immediately, wherever the focus is, and expects every letter in the composer. */
async function writes(ana: Visitor, after = ana.page.url()): Promise<void> {
  await ana.page.keyboard.type(sentence)
  await expect.poll(() => words(ana).inputValue(), { message: after }).toBe(sentence)
  expect(await ana.page.getByRole('dialog').count()).toBe(0)
  await words(ana).fill('')
}

/** The toast with the undo is shown for six seconds: meanwhile the newest message and the composer can be read. */
async function expectToastBesideMessages(ana: Visitor): Promise<void> {
  const toast = await ana.stableBox(ana.page.getByRole('status').filter({ hasText: 'Ticket aceptado' }))
  const parts = [ana.page.locator('[data-message]').last(), ana.byRole('region', 'Redactar')]
  const header = await ana.stableBox(ana.page.locator('#conversation header'))
  expect(toast.y, JSON.stringify({ toast, header })).toBeGreaterThanOrEqual(header.y + header.height)
  for (const part of parts) {
    const box = await ana.stableBox(part)
    const isBeside = box.x >= toast.x + toast.width || box.x + box.width <= toast.x
    const isBelow = box.y >= toast.y + toast.height
    expect(isBeside || isBelow, JSON.stringify({ toast, box })).toBe(true)
  }
}

test('types a sentence into the composer only, whatever was clicked before', async () => {
  const d = await openDesk(desk.server())
  await d.setSetting('userRating', 'enabled')
  await d.setSetting('sendGreetingAccepted', 'enabled')
  const tag = await d.admin.call(tagsApi.create, { body: { name: 'Cotizado', color: '#2f6f8f' } as never })
  const { customer, id } = await d.newTicket('Buenas', 'Sol Aguirre')
  const picture = new File([new Uint8Array(tinyPng)], 'plano.png', { type: 'image/png' })
  await d.waitForMessage(await customer.sends(picture, { body: 'El plano' }))
  await d.admin.call(ticketsApi.syncTags, { body: { ticketId: id, tags: [{ id: tag.id }] } })
  await d.createQueue('Soporte')
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(d.admin, `/tickets/${uuid}`)
  const { keyboard } = ana.page
  const conversation = ana.page.locator('#conversation')
  const composer = ana.byRole('region', 'Redactar')
  const closed = () => ana.expectHidden(ana.page.getByRole('dialog'))

  await ana.click('Aceptar', 'button', composer)
  await ana.expectText(/Asignado a/, conversation)
  await expectToastBesideMessages(ana)
  await writes(ana)
  const before = await d.listEvents(id)

  await words(ana).fill('Ya te respondo')
  await ana.click('Enviar')
  await writes(ana)
  const own = ana.page.locator('[data-message]').filter({ hasText: 'Ya te respondo' })
  await own.waitFor()

  // Each of these elements, in the conversation and beside it, is clicked before typing.
  const thread = conversation.locator('[data-thread]')
  const clicks: [what: string, click: () => Promise<void>][] = [
    ['ground', () => thread.click({ position: { x: 4, y: 4 } })],
    ['bubble', () => own.click()],
    ['text of a bubble, twice', () => own.getByText('Ya te respondo').dblclick()],
    [
      'head',
      () =>
        conversation
          .locator('header')
          .first()
          .click({ position: { x: 2, y: 2 } }),
    ],
    ['tag', () => conversation.getByText('Cotizado').click()],
    ['day mark', () => conversation.getByText(/^Hoy/).first().click()],
    [
      'tab of the list and back',
      async () => {
        await ana.page.getByRole('tab', { name: /^Resueltos/ }).click()
        await ana.page.getByRole('tab', { name: /^Abiertos/ }).click()
      },
    ],
    [
      'own row, in a browser that is slow to draw',
      async () => {
        await ana.page.evaluate(() => {
          const draw = window.requestAnimationFrame
          window.requestAnimationFrame = (frame) => draw(() => setTimeout(() => frame(performance.now()), 1000))
          setTimeout(() => {
            window.requestAnimationFrame = draw
          }, 1000)
        })
        await ana.page.locator('[data-opener]').filter({ hasText: 'Sol Aguirre' }).click()
      },
    ],
    ['Escape', () => keyboard.press('Escape')],
    [
      'another window and back',
      async () => {
        const other = await ana.page.context().newPage()
        await other.close()
        await ana.page.bringToFront()
      },
    ],
    [
      'avatar: the drawer opens, and closes',
      async () => {
        await conversation
          .locator('header')
          .getByRole('button', { name: /Sol Aguirre/ })
          .click()
        const drawer = ana.page.locator('[data-region=contact]')
        await drawer.waitFor()
        await writes(ana)
        await drawer.getByRole('button', { name: 'Cerrar' }).first().click()
        await ana.expectHidden(drawer)
      },
    ],
    [
      'a dialog that closes',
      async () => {
        await ana.click('Transferir', 'button', conversation)
        await ana.dialog.waitFor()
        await keyboard.press('Escape')
        await closed()
      },
    ],
    [
      'a lightbox that closes',
      async () => {
        await ana.click('Ver en grande: El plano')
        await ana.dialog.waitFor()
        await keyboard.press('Escape')
        await closed()
      },
    ],
    [
      'a picker that closes',
      async () => {
        await ana.click('Emoji', 'button', composer)
        const search = composer.locator('input:focus')
        await search.waitFor()
        await keyboard.press('Escape')
        await ana.expectHidden(search)
      },
    ],
  ]
  for (const [what, click] of clicks) {
    await click()
    await writes(ana, what)
  }

  const file = { name: 'plano.png', mimeType: 'image/png', buffer: tinyPng }
  await composer.locator('input[type=file]').setInputFiles(file)
  await ana.byRole('button', 'Quitar plano.png').waitFor()
  await writes(ana)
  await ana.click('Quitar plano.png')
  await writes(ana)

  await ana.hoverAndClick(own, 'Más acciones del mensaje')
  await ana.click('Eliminar', 'menuitem')
  await ana.confirm('Eliminar mensaje')
  await closed()
  await writes(ana)
  // Nothing but the composer has changed.
  expect(await d.listEvents(id)).toEqual(before)

  // After the ticket is resolved no ticket is open, and letters do nothing. The undo restores the ticket.
  await ana.click('Resolver', 'button', conversation)
  await ana.page.waitForURL(/\/tickets$/)
  await keyboard.type(sentence)
  await keyboard.press('Enter')
  expect(await ana.page.getByRole('dialog').count()).toBe(0)
  await ana.click('Deshacer')
  await ana.expectText(/Asignado a/, conversation)
  await writes(ana)

  await ana.click('Transferir', 'button', conversation)
  await ana.selectOption('Cola', 'Soporte')
  await ana.click('Transferir', 'button', ana.dialog)
  await ana.page.waitForURL(/\/tickets$/)
  await keyboard.type(sentence)
  await keyboard.press('Enter')
  await closed()
  await ana.click('Deshacer')
  await ana.expectText(/Asignado a/, conversation)
  await writes(ana)

  await ana.click('Devolver a la cola', 'button', conversation)
  await ana.page.waitForURL(/\/tickets$/)
  await ana.click('Deshacer')
  await ana.expectText(/Asignado a/, conversation)
  await writes(ana)

  // The ticket is opened from the list.
  await ana.navigate('/tickets')
  await ana.page.locator('[data-opener]').filter({ hasText: 'Sol Aguirre' }).click()
  await words(ana).waitFor()
  await writes(ana)
  expect((await d.showTicket(id)).status).toBe('open')
  const told = (await customer.listMessages()).filter(({ fromCustomer }) => !fromCustomer)
  // The customer got the greeting and the answer, which was deleted, but neither the sentence nor the rating request.
  expect(told.map(({ body }) => body)).toEqual([expect.stringContaining('mi nombre es'), ''])

  const { id: waitingId } = await d.newTicket('Buenas', 'Vera Luna')
  await ana.page.setViewportSize(phoneViewport)
  await ana.navigate(`/tickets/${(await d.showTicket(waitingId)).uuid}`)
  await ana.click('Aceptar', 'button', composer)
  await expectToastBesideMessages(ana)
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
