import { readFile } from 'node:fs/promises'
import { contactsApi } from '@recado/contract/contacts'
import { notesApi, ticketsApi } from '@recado/contract/tickets'
import type { Download } from 'playwright-core'
import { expect, test } from 'vitest'
import type { TestServer, TestUser } from '../../server/test/test-server.ts'
import { tinyPdf, tinyPng } from '../../server/test/upload.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()
const add = (who: TestUser, name: string, number: string, email = '') =>
  who.call(contactsApi.create, { body: { name, number, email } })

async function saveDownload(ana: Visitor, press: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = (await Promise.all([ana.page.waitForEvent('download'), press()])) as [Download, unknown]
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

const choose = (ana: Visitor, name: string, content: string | Buffer) =>
  ana.page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })

async function importDialog(ana: Visitor) {
  await ana.click('Importar')
  await ana.click('Desde una planilla', 'menuitem')
  await ana.expectText('Suelta aquí tu planilla', ana.dialog)
}

test('creates, finds, selects, messages, imports, separates and deletes contacts', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const { admin } = company
  const ana = await desk.open(admin, '/contacts')
  await ana.expectText('Aquí verás tus contactos')
  await ana.takeScreenshot('contacts-empty')
  await ana.checkAccessibility()

  await ana.click('Nuevo contacto')
  await ana.fill('Nombre', 'L', ana.dialog)
  await ana.fill('Número', '123', ana.dialog)
  await ana.fill('Correo', 'nada', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Hay 3 campos por corregir', ana.dialog)
  await ana.expectText('Escribe al menos 8 caracteres', ana.dialog)
  await ana.fill('Nombre', 'Lucía Campos', ana.dialog)
  await ana.fill('Número', '+54 9 11 5555-0001', ana.dialog)
  await ana.fill('Correo', 'lucia@mail.example', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Contacto creado')
  await ana.row('Lucía Campos').getByText('+54 9 11 5555-0001').waitFor()

  // The number is already in use: typing it again leads to its contact.
  desk.allowProblem('409 POST /contacts')
  await ana.click('Nuevo contacto')
  await ana.fill('Nombre', 'Otra Lucía', ana.dialog)
  await ana.fill('Número', '5491155550001', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Ya hay un contacto con ese número.', ana.dialog)
  await ana.expectText('Lo tiene Lucía Campos.', ana.dialog)
  await ana.takeScreenshot('contact-taken')
  await ana.checkAccessibility()
  await ana.click('Abrir ese contacto')
  await expect.poll(() => ana.field('Nombre', ana.dialog).inputValue()).toBe('Lucía Campos')

  await ana.click('Agregar dato')
  await ana.fill('Valor del dato 1', 'Obras Norte S.A.S.', ana.dialog)
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectText('Hay 1 campo por corregir', ana.dialog)
  await ana.fill('Nombre del dato 1', 'Empresa', ana.dialog)
  await ana.click('Agregar dato')
  await ana.toggleSwitch('El bot no le responde', ana.dialog)
  await ana.takeScreenshot('contact-form')
  await ana.checkAccessibility()
  await ana.click('Guardar', 'button', ana.dialog)
  await ana.expectAndCloseToast('Contacto guardado')
  await ana.click('Editar Lucía Campos')
  await expect.poll(() => ana.field('Valor del dato 1', ana.dialog).inputValue()).toBe('Obras Norte S.A.S.')
  expect(await ana.field('Nombre del dato 2', ana.dialog).count()).toBe(0)
  await ana.fill('Nombre', 'Otra cosa', ana.dialog)
  await ana.page.keyboard.press('Escape')
  await ana.confirm('Salir sin guardar')

  await add(admin, 'Íris Prado', '5511988880001')
  await ana.expectText('Íris Prado')
  await ana.fill('Buscar por nombre, número o correo', 'iris')
  await ana.expectHidden('Lucía Campos')
  await ana.fill('Buscar por nombre, número o correo', '+54 9 11 5555')
  await ana.expectText('Lucía Campos')
  await ana.expectHidden('Íris Prado')

  await ana.click('Eliminar Lucía Campos')
  await ana.expectText(/^Se eliminan también sus tickets, con todos sus mensajes, archivos y notas/, ana.dialog)
  await ana.confirm('Eliminar contacto')
  await ana.expectAndCloseToast('Contacto eliminado')
  await ana.expectText('Nada coincide con “+54 9 11 5555”')
  await ana.fill('Buscar por nombre, número o correo', '')

  // The contact is found by email, filtered, sorted, opened, and deleted in bulk.
  await add(admin, 'Rosa Paredes', '573005550001', 'compras@obras.example')
  for (const n of [2, 3, 4]) await add(admin, `Ana ${n}`, `57300555000${n}`)
  const first = ana.page.getByRole('row').nth(1)
  await ana.expectText('Ana 2', first)
  await ana.selectOption('Ordenar', 'Más nuevos')
  await ana.expectText('Ana 4', first)
  await ana.selectOption('Mostrar', 'Grupos')
  await ana.expectText('Nada con este filtro')
  await ana.click('Quitar el filtro')
  await ana.fill('Buscar por nombre, número o correo', 'obras.example paredes')
  await ana.expectText('Rosa Paredes', first)
  await ana.expectHidden('Ana 4')
  await first.getByText('+57 300 555 0001').click()
  await expect.poll(() => ana.field('Nombre', ana.dialog).inputValue()).toBe('Rosa Paredes')
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.dialog)
  await ana.fill('Buscar por nombre, número o correo', 'ana')
  await ana.expectHidden('Rosa Paredes')
  await ana.click('Seleccionar Ana 3', 'checkbox')
  await ana.expectText('1 seleccionado')
  await ana.click('Seleccionar todos los visibles', 'checkbox')
  await ana.expectText('3 seleccionados')
  await ana.click('Seleccionar Ana 3', 'checkbox')
  await ana.takeScreenshot('contacts-picked')
  await ana.checkAccessibility()
  await ana.click('Eliminar seleccionados')
  await ana.expectText('¿Eliminar 2 contactos?', ana.dialog)
  await ana.confirm('Eliminar')
  await ana.expectAndCloseToast('2 contactos eliminados')
  const left = (await admin.call(contactsApi.list)).contacts.map(({ name }) => name)
  expect(left.toSorted()).toEqual(['Ana 3', 'Rosa Paredes', 'Íris Prado'])

  // Import the line's address book.
  const line = await h.openLine(company, { isDefault: true })
  await ana.fill('Buscar por nombre, número o correo', '')
  await line.customer('5491155550031', 'Marta Ríos').says('hola')
  await ana.expectText('Marta Ríos')
  await ana.click('Importar')
  await ana.click('Desde los contactos de la línea', 'menuitem')
  await ana.confirm('Importar contactos')
  await ana.expectAndCloseToast('Contactos importados')

  // Merged contacts are marked as merged and can be separated.
  const eva = line.customer('5491155550041', 'Eva Luna')
  await eva.says('sin número', { lid: '998001', onlyLid: true, name: 'Eva' })
  await eva.says('con número')
  await eva.says('soy la misma', { lid: '998001' })
  const evas = async () => (await admin.call(contactsApi.list, { query: { searchParam: 'Eva' } })).contacts
  await expect.poll(async () => (await evas()).map(({ number }) => number)).toEqual(['5491155550041'])
  await ana.click(/^Editar Eva/)
  await ana.expectText(/^Unido con Eva/, ana.dialog)
  await ana.takeScreenshot('contact-joined')
  await ana.checkAccessibility()
  await ana.click('Separar', 'button', ana.dialog)
  await ana.confirm('Separar contactos')
  await ana.expectAndCloseToast('Contactos separados')
  await ana.expectHidden(/^Unido con/)
  await expect.poll(async () => (await evas()).length).toBe(2)
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.dialog)

  // Start a conversation from the list.
  await ana.click('Escribir a Rosa Paredes')
  await ana.click('Crear ticket', 'button', ana.dialog)
  await ana.page.waitForURL(/\/tickets\/[0-9a-f-]{36}$/)
  await ana.expectText('Rosa Paredes')
})

test('lets an agent create and change contacts but not delete them', async () => {
  const { admin, user } = await desk.server().createCompany()
  await add(admin, 'Rosa Paredes', '573005550001')
  const beto = await desk.open(await user(), '/contacts')
  await beto.byRole('button', 'Editar Rosa Paredes').waitFor()
  expect(await beto.byRole('button', 'Eliminar Rosa Paredes').count()).toBe(0)
  expect(await beto.page.getByRole('checkbox').count()).toBe(0)
  await beto.click('Editar Rosa Paredes')
  await beto.field('Nombre', beto.dialog).waitFor()
  expect(await beto.byRole('button', 'Eliminar contacto', beto.dialog).count()).toBe(0)
})

test('checks, corrects and imports a spreadsheet, and exports contacts in a format that can be imported again', async () => {
  const { admin } = await desk.server().createCompany()
  await add(admin, 'Valentina', '573005551000')
  const ana = await desk.open(admin, '/contacts')
  await ana.expectText('Valentina')
  await importDialog(ana)
  await ana.checkAccessibility()
  await choose(ana, 'nota.txt', 'hola')
  await ana.expectText('Elige un archivo .xlsx, .xls o .csv.', ana.dialog)

  // The example spreadsheet can be imported unchanged.
  const example = await saveDownload(ana, () => ana.click('Descargar una planilla de ejemplo'))
  expect(example.name).toBe('contactos-ejemplo.xlsx')
  await choose(ana, example.name, example.bytes)
  await ana.expectText('3 filas', ana.dialog)
  await ana.expectText('3 listas', ana.dialog)
  await ana.click('Elegir otro archivo')

  const many = Array.from({ length: 250 }, (_, i) => `Persona ${i};54911600${1000 + i};Salta;`)
  const rows = [
    'Quién;Dónde llamar;Ciudad;Correo',
    'Lucía;+54 9 11 5555-0000;Rosario;lucia@mail.example',
    'Sin número;;Salta;',
    'Corto;123;;',
    'Vale otra vez;573005551000;;',
    'Lucía repetida;5491155550000;;',
    'Mal correo;5491155550009;;mal',
    '=1+1;5491155550010;;',
    ...many,
  ]
  await choose(ana, 'clientes.csv', rows.join('\n'))
  await ana.expectText('257 filas', ana.dialog)
  await ana.expectText('253 listas', ana.dialog)
  await ana.expectText('4 por corregir', ana.dialog)
  await ana.expectText('El número es el mismo de la fila 2', ana.dialog)
  await ana.takeScreenshot('contacts-import')
  await ana.checkAccessibility()
  // Map the city column to the name and back: the user decides the columns.
  const column = (name: string) => ana.dialog.getByRole('combobox', { name: `Qué contiene la columna ${name}` })
  await expect.poll(() => column('Quién').inputValue()).toBe('name')
  await expect.poll(() => column('Ciudad').inputValue()).toBe('')
  await column('Dónde llamar').selectOption('No importar')
  await ana.expectText('Elige qué columna tiene el número.', ana.dialog)
  await expect.poll(() => ana.byRole('button', /^Importar 0/, ana.dialog).isDisabled()).toBe(true)
  await column('Dónde llamar').selectOption('Número')

  await ana.click('Importar 253 contactos')
  await ana.expectText('Se crearon 252 contactos', ana.dialog)
  await ana.expectText('5 filas no se importaron', ana.dialog)
  for (const why of [
    'Número: Campo obligatorio',
    'Ya hay un contacto con ese número.',
    'Correo: Escribe un correo válido',
  ])
    await ana.expectText(why, ana.dialog)
  await ana.takeScreenshot('contacts-imported')
  await ana.checkAccessibility()
  const errors = await saveDownload(ana, () => ana.click('Descargar la lista'))
  expect(errors.name).toBe('contactos-por-corregir.csv')
  expect(errors.bytes.toString()).toContain('Vale otra vez;573005551000;;Ya hay un contacto con ese número.;5\r\n')
  await ana.click('Listo')
  await ana.page.getByRole('heading', { level: 1 }).getByText('253').waitFor()

  // A long import can be stopped and resumed.
  await importDialog(ana)
  const more = Array.from({ length: 500 }, (_, i) => `Otra ${i};54911700${1000 + i}`)
  await choose(ana, 'clientes.csv', ['Nombre;Teléfono', ...more].join('\n'))
  const { promise: go, resolve } = Promise.withResolvers<void>()
  await ana.page.route('**/contacts/upload', async (route) => {
    await go
    await route.fallback()
  })
  await ana.click('Importar 500 contactos')
  await ana.click('Detener')
  await ana.expectText('Deteniendo…', ana.dialog)
  resolve()
  await ana.expectText('Se crearon 200 contactos', ana.dialog)
  await ana.expectText('Quedaron 300 filas sin importar.', ana.dialog)
  await ana.click('Continuar')
  await ana.expectText('Se crearon 500 contactos', ana.dialog)
  await ana.expectText('Se importaron todas las filas.', ana.dialog)
  await ana.click('Listo')

  // Export all contacts, or only the search results.
  const exported = await saveDownload(ana, () => ana.click('Exportar'))
  expect(exported.name).toBe('contatos.csv')
  const lines = exported.bytes.toString().split('\r\n')
  expect(lines[0]).toBe('\ufeffname;number;email')
  expect(lines).toHaveLength(755)
  expect(lines).toContain("'=1+1;5491155550010;")
  expect(lines).toContain('Lucía;5491155550000;lucia@mail.example')
  await ana.fill('Buscar por nombre, número o correo', 'lucia')
  await ana.expectHidden('Otra 0')
  await ana.click('Exportar')
  const found = await saveDownload(ana, () => ana.click(/^Solo los que busqué/, 'menuitem'))
  expect(found.bytes.toString()).toBe('\ufeffname;number;email\r\nLucía;5491155550000;lucia@mail.example\r\n')

  // Importing the export creates no new contact.
  await importDialog(ana)
  await choose(ana, exported.name, exported.bytes)
  await ana.click('Importar 753 contactos')
  await ana.expectText('No se creó ningún contacto', ana.dialog)
  await ana.expectText('753 filas no se importaron', ana.dialog)
})

/** A customer who wrote, with a ticket assigned to an agent. */
async function createAttendedCustomer(
  h: TestServer,
  company: Awaited<ReturnType<TestServer['createCompany']>>,
  agent: TestUser,
) {
  const line = await h.openLine(company, { isDefault: true })
  const customer = line.customer('573005550192', 'Valentina Restrepo')
  await customer.says('Hola, ¿tienen taladros?')
  const waiting = () => company.admin.call(ticketsApi.list, { query: { status: 'pending', showAll: true } })
  await expect.poll(async () => (await waiting()).tickets.length).toBe(1)
  const id = (await waiting()).tickets[0]?.id as number
  const ticket = await company.admin.call(ticketsApi.update, {
    params: { id },
    body: { status: 'open', userId: agent.id },
  })
  return { line, customer, ticket }
}

test('shows the contact beside the conversation, with notes that update live for all users', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const { ticket, customer } = await createAttendedCustomer(h, company, company.admin)
  const { admin } = company
  await customer.sends([new File([tinyPng], 'taladro.png'), new File([tinyPdf], 'garantía.pdf')])
  await admin.call(contactsApi.update, {
    params: { id: ticket.contactId },
    body: {
      ...{ name: 'Valentina Restrepo', number: '573005550192', email: 'vale@obras.example' },
      extraInfo: [{ name: 'Empresa', value: 'Obras Norte S.A.S.' }],
    },
  })
  const other = await h.createUser(company.id, 'admin')
  const path = `/tickets/${ticket.uuid}`
  const [ana, beto] = await Promise.all([desk.open(admin, path), desk.open(other, path)])
  const drawer = (who: Visitor) => who.byRole('complementary', 'Contacto')
  for (const who of [ana, beto]) {
    await who.click(/Valentina Restrepo/, 'button', who.page.locator('header'))
    await who.expectText('Obras Norte S.A.S.', drawer(who))
  }
  await ana.byRole('link', 'Llamar a +57 300 555 0192', drawer(ana)).waitFor()
  await ana.byRole('link', 'Escribir a vale@obras.example', drawer(ana)).waitFor()
  await ana.byRole('button', /^Foto del/, drawer(ana)).waitFor()
  await ana.expectText('garantía.pdf', drawer(ana))
  await ana.expectText('Es su primer ticket.', drawer(ana))
  await ana.expectText('Todavía no hay notas. Solo las ve tu equipo.', drawer(ana))

  const box = ana.field('Escribe una nota…', drawer(ana))
  await box.fill('x')
  await box.press('Enter')
  await ana.expectText('Escribe al menos 2 caracteres', drawer(ana))
  await box.fill('Prefiere la mañana. @Beto ¿la llamas?')
  await box.press('Enter')
  await ana.expectAndCloseToast('Nota guardada')
  await beto.expectText('Prefiere la mañana. @Beto ¿la llamas?', drawer(beto))
  await ana.takeScreenshot('contact-drawer')
  await ana.checkAccessibility()
  await other.call(notesApi.create, { body: { note: 'Ya la llamé', ticketId: ticket.id } })
  await ana.expectText('Ya la llamé', drawer(ana))
  await beto.click(
    'Eliminar la nota de The admin',
    'button',
    drawer(beto).getByRole('listitem').filter({ hasText: 'Ya la llamé' }),
  )
  await beto.confirm('Eliminar nota')
  await ana.expectHidden(drawer(ana).getByText('Ya la llamé'))

  // A received file appears at once and disappears when the customer deletes it.
  const sent = await customer.sends(new File([tinyPng], 'plano.png'))
  await expect.poll(() => ana.byRole('button', /^Foto del/, drawer(ana)).count()).toBe(2)
  await customer.deletes(sent)
  await expect.poll(() => ana.byRole('button', /^Foto del/, drawer(ana)).count()).toBe(1)

  // The form opens within the drawer. A name changed in one browser updates in the other.
  await ana.click('Editar', 'button', drawer(ana))
  await expect.poll(() => ana.field('Nombre', drawer(ana)).evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await ana.page.getByRole('dialog').count()).toBe(0)
  await ana.takeScreenshot('contact-drawer-form')
  await ana.checkAccessibility()
  await ana.fill('Nombre', 'Nadie', drawer(ana))
  await ana.page.keyboard.press('Escape')
  await ana.confirm('Salir sin guardar')
  await ana.click('Editar', 'button', drawer(ana))
  await ana.fill('Nombre', 'Valentina R. Quintero', drawer(ana))
  // A reload of all data on the screen does not discard typed text.
  const anew = ana.page.waitForResponse(/\/contacts\/\d+$/)
  await ana.click('Actualizar')
  await anew
  await ana.waitForRequests()
  await expect.poll(() => ana.field('Nombre', drawer(ana)).inputValue()).toBe('Valentina R. Quintero')
  await ana.click('Guardar', 'button', drawer(ana))
  await beto.expectText('Valentina R. Quintero', drawer(beto))
  await ana.click('Cerrar', 'button', drawer(ana))
  await ana.expectHidden(drawer(ana))
})

test('shows a contact on a phone as a card with a menu, and as a sheet with the conversations', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const { admin } = company
  const { customer, ticket } = await createAttendedCustomer(h, company, admin)
  await admin.call(ticketsApi.update, { params: { id: ticket.id }, body: { status: 'closed', justClose: true } })
  await customer.says('Una cosa más')
  const now = () => admin.call(ticketsApi.list, { query: { status: 'pending', showAll: true } })
  await expect.poll(async () => (await now()).tickets.length).toBe(1)
  const id = (await now()).tickets[0]?.id as number
  const { uuid } = await admin.call(ticketsApi.update, { params: { id }, body: { status: 'open', userId: admin.id } })

  await add(admin, 'Camila Souza', '5511988880002', 'camila@mail.example')
  const ana = await desk.open(admin, '/contacts', { viewport: phoneViewport })
  await ana.expectText('Camila Souza')
  await ana.takeScreenshot('contacts-phone')
  await ana.checkAccessibility()
  await ana.click('Más acciones de Camila Souza')
  await ana.byRole('menuitem', 'Escribir').waitFor()
  await ana.click('Editar', 'menuitem')
  await ana.field('Nombre', ana.dialog).waitFor()
  await ana.takeScreenshot('contact-form-phone')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.expectHidden(ana.dialog)

  await ana.navigate(`/tickets/${uuid}`)
  await ana.click(/Valentina/, 'button', ana.page.locator('header'))
  await ana.expectText('Tickets anteriores', ana.dialog)
  const past = ana.byRole('link', new RegExp(`#${ticket.number}`), ana.dialog)
  await past.waitFor()
  await ana.takeScreenshot('contact-drawer-phone')
  await ana.checkAccessibility()
  await past.click()
  await ana.page.waitForURL(`**/tickets/${ticket.uuid}`)
  await ana.expectHidden(ana.page.getByRole('dialog'))

  // On a tablet the contact is beside the conversation, which stays visible.
  await ana.page.setViewportSize({ width: 1024, height: 768 })
  await ana.click(/Valentina/, 'button', ana.page.locator('header'))
  await ana.expectText('Tickets anteriores', ana.dialog)
  await expect.poll(() => ana.dialog.boundingBox()).toMatchObject({ x: 704, width: 320, height: 768 })
  await ana.takeScreenshot('contact-drawer-tablet')
})

test('exports a conversation to a file, exports a person’s data, and erases the person', async () => {
  const h = desk.server()
  const company = await h.createCompany()
  const { ticket } = await createAttendedCustomer(h, company, company.admin)
  const ana = await desk.open(company.admin, `/tickets/${ticket.uuid}`)
  await ana.click('Más acciones')
  const paper = await saveDownload(ana, () => ana.click('PDF', 'menuitem'))
  expect([paper.name, paper.bytes.subarray(0, 5).toString()]).toEqual([
    `Valentina Restrepo ${ticket.number}.pdf`,
    '%PDF-',
  ])
  await ana.click('Más acciones')
  const page = await saveDownload(ana, () => ana.click('Página web (HTML)', 'menuitem'))
  expect(page.bytes.toString()).toContain('Hola, ¿tienen taladros?')

  await ana.page.goto('/contacts')
  await ana.click('Más acciones de Valentina Restrepo')
  const zip = await saveDownload(ana, () => ana.click('Descargar sus datos', 'menuitem'))
  expect([zip.name, zip.bytes.subarray(0, 2).toString()]).toEqual(['Valentina Restrepo.zip', 'PK'])
  await ana.click('Más acciones de Valentina Restrepo')
  await ana.click('Borrar sus datos', 'menuitem')
  await ana.expectText(/mensajes programados/, ana.dialog)
  await expect.poll(() => ana.byRole('button', 'Borrar para siempre', ana.dialog).isDisabled()).toBe(true)
  await ana.fill('Escribe «Valentina Restrepo» para confirmar', 'Valentina Restrepo', ana.dialog)
  await ana.takeScreenshot('contact-erase')
  await ana.checkAccessibility()
  await ana.click('Borrar para siempre', 'button', ana.dialog)
  await ana.expectAndCloseToast('Datos borrados')
  await ana.expectHidden('Valentina Restrepo')
  expect((await company.admin.request('GET', `/tickets/${ticket.id}`)).status).toBe(404)
})
