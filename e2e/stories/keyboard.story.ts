import { contactsApi } from '@recado/contract/contacts'
import { expect, test } from 'vitest'
import { openDesk } from '../../server/test/desk.ts'
import { createStage } from '../browser.ts'
import { findCutFocusRings } from '../screen-checks.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const focused = (ana: Visitor) => ana.page.locator(':focus')
const open = (ana: Visitor) => ana.page.locator('#conversation')
/** The option that the palette highlights. */
const meant = (ana: Visitor) => ana.dialog.getByRole('option', { selected: true })
/** Moves from the composer, which is focused when a ticket opens, to a row of the list, where single keys work. */
async function out(ana: Visitor): Promise<void> {
  await until(ana, () => focused(ana).getAttribute('aria-label')).toMatch(/mensaje/i)
  await ana.page.keyboard.press('Shift+F6')
  await ana.page.locator('[data-ticket] :focus').waitFor()
}
const until = (ana: Visitor, what: () => Promise<unknown>) => expect.poll(what, { message: ana.page.url() })

/** Types into the palette once it is ready: right after another dialog has closed, opening takes a moment. */
async function searchPalette(ana: Visitor, words: string): Promise<void> {
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await ana.page.keyboard.press('Control+k')
  await ana.page.locator('[role=combobox]:focus').waitFor()
  await ana.page.keyboard.type(words)
}

test('accepts, answers and resolves a ticket without the mouse', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const { customer } = await d.newTicket('¿Tienen envíos a Córdoba?', 'Nadia Ferreira')
  const ana = await desk.open(agent, '/tickets')
  const { keyboard } = ana.page
  await ana.expectHeading('Tickets')
  await ana.expectText('No tienes tickets asignados')

  // The first Tab stop is the skip link, then the list; the waiting tab is one arrow to the right.
  await keyboard.press('Tab')
  await until(ana, () => focused(ana).textContent()).toBe('Ir al contenido')
  await keyboard.press('Enter')
  await until(ana, () => focused(ana).getAttribute('id')).toBe('content')
  for (let n = 0; n < 3; n++) {
    await keyboard.press('Tab')
    if ((await focused(ana).textContent())?.startsWith('Asignados')) break
  }
  await keyboard.press('ArrowRight')
  await ana.expectText('Nadia Ferreira')
  await focused(ana).blur()
  // Letters do nothing before a row has the focus; the arrows lead into the list.
  await keyboard.type('jat')
  expect(await ana.page.getByRole('dialog').count()).toBe(0)
  await keyboard.press('ArrowDown')
  await until(ana, () => focused(ana).getAttribute('aria-label')).toContain('Nadia Ferreira')
  // Accepting greets the customer: the key asks for confirmation, Enter confirms, any other key cancels.
  await keyboard.type('as')
  await until(ana, () => ana.page.getByText('Enter para confirmar').count()).toBe(0)
  expect(ana.page.url()).toMatch(/\/tickets$/)
  await keyboard.press('a')
  await ana.expectText(/Enter para confirmar/)
  await keyboard.press('Enter')
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
  await ana.expectText(/Asignado a/, open(ana))

  await until(ana, () => focused(ana).getAttribute('aria-label')).toMatch(/mensaje/i)
  await keyboard.type('Sí, en 48 horas. ¿Te cotizo?')
  await keyboard.press('Enter')
  await until(ana, async () => (await customer.listMessages()).map((one) => one.body).join()).toContain('en 48 horas')
  // A letter typed in a field triggers no shortcut.
  await keyboard.type('et')
  await until(ana, () => focused(ana).inputValue()).toBe('et')
  await keyboard.press('Control+a')
  await keyboard.press('Delete')

  await searchPalette(ana, 'resolver')
  await until(ana, () => meant(ana).textContent()).toContain('Resolver')
  await keyboard.press('Enter')
  await ana.page.waitForURL(/\/tickets$/)
  await ana.expectToast('Ticket resuelto')
  // The undo leads back into the ticket, where Ctrl and Enter resolve it again.
  await ana.click('Deshacer')
  await ana.page.waitForURL(/\/tickets\/[\w-]{36}$/)
  await ana.expectText(/Asignado a/, open(ana))
  await until(ana, () => focused(ana).getAttribute('aria-label')).toMatch(/mensaje/i)
  await keyboard.type('Hasta luego')
  await keyboard.press('Control+Enter')
  await ana.page.waitForURL(/\/tickets$/)
  await ana.expectAndCloseToast('Ticket resuelto')
  await until(ana, async () => (await customer.listMessages()).at(-1)?.body).toContain('Hasta luego')
})

test('moves by Tab from a ticket in the list to its actions', async () => {
  const d = await openDesk(desk.server())
  await d.openTicket(d.admin, 'Necesito un flete')
  const ana = await desk.open(d.admin, '/tickets')
  await ana.expectText('Necesito un flete')
  await ana.page.keyboard.press('ArrowDown')
  await until(ana, () => focused(ana).getAttribute('aria-label')).toContain('Necesito un flete')
  for (const title of ['Ver sin abrir', 'Transferir', 'Resolver']) {
    await ana.page.keyboard.press('Tab')
    await until(ana, () => focused(ana).getAttribute('title')).toBe(title)
  }
})

test('finds tickets, people, screens and actions in one search field', async () => {
  const d = await openDesk(desk.server())
  const { customer, id } = await d.openTicket(d.admin, 'Necesito un flete')
  await d.admin.call(contactsApi.create, {
    body: { name: 'Transportes Ríos del Sur', number: '5491155550099', email: '' },
  })
  const { uuid, number, contact } = await d.showTicket(id)
  await customer.says('para el jueves')
  const ana = await desk.open(d.admin, '/tags')
  const { keyboard } = ana.page
  await ana.expectHeading('Etiquetas')

  await ana.click(/^Buscar o ir a/)
  await ana.dialog.getByRole('combobox', { name: 'Buscar o ir a…' }).waitFor()
  await ana.takeScreenshot('palette')
  await ana.checkAccessibility()
  await keyboard.type('jueves')
  await ana.dialog.getByRole('group', { name: 'Tickets' }).getByText(contact.name).waitFor()
  await until(ana, () => meant(ana).textContent()).toContain(`#${number}`)
  await ana.checkAccessibility()
  await keyboard.press('Enter')
  await ana.page.waitForURL(`**/tickets/${uuid}`)
  await open(ana).getByText('para el jueves').first().waitFor()

  // Actions on the open ticket are offered with their shortcuts.
  await searchPalette(ana, 'trans')
  await until(ana, () => meant(ana).textContent()).toMatch(/Transferir[\s\S]*T$/)
  await ana.dialog.getByRole('group', { name: 'Contactos' }).getByText('Transportes Ríos del Sur').waitFor()
  await ana.takeScreenshot('palette-found')
  await keyboard.press('ArrowDown')
  await until(ana, () => meant(ana).textContent()).toContain('Transportes Ríos del Sur')
  await keyboard.press('Enter')
  await ana.expectText('Nuevo ticket', ana.dialog)
  await until(ana, () => ana.field('Contacto', ana.dialog).inputValue()).toBe('Transportes Ríos del Sur')
  await keyboard.press('Escape')
  // The palette returns the focus while it fades out, also when it was opened from another dialog.
  await ana.expectHidden(ana.page.getByRole('dialog'))

  await searchPalette(ana, 'idioma port')
  await until(ana, () => meant(ana).textContent()).toContain('Português')
  await keyboard.press('Enter')
  await ana.page.locator('html[lang=pt]').waitFor({ state: 'attached' })
  await searchPalette(ana, 'etiq')
  await until(ana, () => meant(ana).textContent()).toContain('Etiquetas')
  await keyboard.press('Enter')
  await ana.page.waitForURL('**/tags')
  await searchPalette(ana, 'zzz')
  await ana.expectText('Nada com esse nome', ana.dialog)
  await keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
})

test('lists the shortcuts of the screen, and lets users switch single keys off', async () => {
  const d = await openDesk(desk.server())
  const { id } = await d.openTicket(d.admin)
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(d.admin, `/tickets/${uuid}`)
  const { keyboard } = ana.page
  await out(ana)
  await keyboard.press('?')
  await ana.expectText('Atajos de teclado', ana.dialog)
  for (const words of ['Con el ticket abierto', 'En la lista', 'En todas partes'])
    await ana.expectText(words, ana.dialog)
  const caps = await ana.dialog.locator('kbd').allInnerTexts()
  expect(caps).toEqual(expect.arrayContaining(['Ctrl', 'K', 'F6', 'J', 'Enter', '↑', 'T', 'R', 'N', 'C', '/', '?']))
  expect(caps).not.toEqual(expect.arrayContaining(['A']))
  expect(caps).not.toContain('E')
  await ana.takeScreenshot('shortcuts')
  await ana.checkAccessibility()
  await ana.toggleSwitch('Atajos de una sola tecla', ana.dialog)
  await keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await out(ana)

  for (const key of ['?', 'c', 'n', 't']) await keyboard.press(key)
  await keyboard.press('Control+k')
  await ana.dialog.getByRole('combobox').waitFor()
  await expect.poll(() => ana.page.getByRole('dialog').count()).toBe(1)
  await keyboard.press('Escape')
  await ana.page.reload()
  await out(ana)
  await keyboard.press('?')
  expect(await ana.page.getByRole('dialog').count()).toBe(0)

  // The shortcuts can be switched on again by mouse.
  await ana.click(/Tu cuenta$/)
  await ana.click('Atajos de teclado', 'menuitem')
  await ana.toggleSwitch('Atajos de una sola tecla', ana.dialog)
  await keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  await out(ana)
  await keyboard.press('t')
  await ana.expectText(/Transferir/, ana.dialog)
})

test('keeps what is typed while the palette is still loading', async () => {
  const d = await openDesk(desk.server())
  const agent = await d.createUser('user', [], 'enabled')
  const ana = await desk.open(agent, '/contacts')
  const { keyboard } = ana.page
  await ana.expectHeading('Contactos')
  const loading = Promise.withResolvers<void>()
  const requested = Promise.withResolvers<void>()
  await ana.waitForStartup()
  // The names of the files do not say which of them has the palette.
  await ana.page.route('**/assets/*.js', async (route) => {
    requested.resolve()
    await loading.promise
    await route.continue()
  })
  await keyboard.press('Control+k')
  await requested.promise
  // On this screen C opens a new ticket, and Enter would press the focused button.
  await keyboard.type('cx')
  await keyboard.press('Backspace')
  await keyboard.type('onta')
  await keyboard.press('Enter')
  loading.resolve()
  await until(ana, () => ana.dialog.getByRole('combobox').inputValue()).toBe('conta')
  await until(ana, () => meant(ana).textContent()).toBe('Contactos')
  expect(await ana.page.getByRole('dialog').count()).toBe(1)
  await keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
})

test('moves with F6 from region to region and back', async () => {
  const d = await openDesk(desk.server())
  const { id } = await d.openTicket(d.admin)
  const { uuid } = await d.showTicket(id)
  const ana = await desk.open(d.admin, `/tickets/${uuid}`)
  await ana.expectText(/Asignado a/, open(ana))
  const region = () =>
    ana.page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region)
  await until(ana, region).toBe('thread')
  const seen: unknown[] = []
  for (let n = 0; n < 5; n++) {
    const before = await region()
    await ana.page.keyboard.press('F6')
    await until(ana, region).not.toBe(before)
    seen.push(await region())
  }
  expect(seen).toEqual(['menu', 'bar', 'list', 'thread', 'menu'])
  await ana.page.keyboard.press('Shift+F6')
  await until(ana, region).toBe('thread')
  // F6 also works from within a text field.
  await ana.page.keyboard.type('h')
  await ana.page.keyboard.press('Shift+F6')
  await until(ana, region).toBe('list')

  await ana.page.reload()
  await ana.expectText(/Asignado a/, open(ana))
  await until(ana, region).toBe('thread')
  // The skip links are the first focusable elements of the page.
  await ana.page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
  })
  await ana.page.keyboard.press('Tab')
  await until(ana, () => focused(ana).textContent()).toBe('Ir a la conversación')
  await ana.page.keyboard.press('Enter')
  await until(ana, region).toBe('thread')
  expect(await findCutFocusRings(ana.page)).toEqual([])
})

test('starts a new ticket from any screen', async () => {
  const d = await openDesk(desk.server())
  const ana = await desk.open(d.admin, '/helps')
  await ana.expectHeading('Ayuda')
  await ana.page.keyboard.press('c')
  await ana.expectText('Nuevo ticket', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.page.getByRole('dialog'))
  expect(new URL(ana.page.url()).pathname).toBe('/helps')
})
