import { readFile } from 'node:fs/promises'
import { invoicesApi } from '@recado/contract/money/invoices'
import { moneyApi } from '@recado/contract/money/platform'
import { ticketsApi } from '@recado/contract/tickets'
import { expect, test } from 'vitest'
import { writeDueInvoices } from '../../server/src/accounts/money/invoices.ts'
import type { TestUser } from '../../server/test/test-server.ts'
import { createStage, desktopViewport, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()

const inDays = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
const due = (id: number, days: number, trial = false) =>
  desk
    .server()
    .wide()
    .db.updateTable('companies')
    .set({ dueDate: inDays(days), ...(trial && { trialExpiration: inDays(days) }) })
    .where('id', '=', id)
    .execute()
const pix = { pixKey: 'pagos@recado.example', pixName: 'Recado', pixCity: 'São Paulo', efiKey: '' }
async function chargedByPix(): Promise<TestUser> {
  const boss = await desk.server().superUser()
  await boss.call(moneyApi.update, { body: { provider: 'pix', graceDays: 0, ...pix } })
  return boss
}
/** Goes from the first step of the checkout to the QR code. */
async function checkOut(ana: Visitor): Promise<void> {
  await ana.click('Siguiente', 'button', ana.dialog)
  await ana.expectText('Campo obligatorio.', ana.dialog)
  await fillBillingData(ana, 'BR')
  await ana.click('Siguiente', 'button', ana.dialog)
  await ana.expectText('Valle Bruma Viajes S.R.L.', ana.dialog)
  await ana.click('Pagar', 'button', ana.dialog)
  await ana.expectText('Pagar con Pix', ana.dialog)
  await ana.byRole('img', 'Código QR de Pix', ana.dialog).waitFor()
}
/** Fills the first step of the checkout and goes to the second. */
async function fillBillingData(ana: Visitor, country: string): Promise<void> {
  await ana.fill('Nombre o razón social', 'Valle Bruma Viajes S.R.L.', ana.dialog)
  await ana.fill('Dirección', 'Camino del Mirador 480', ana.dialog)
  await ana.fill('Ciudad', 'San Bruno', ana.dialog)
  await ana.fill('Código postal', '01310-100', ana.dialog)
  await ana.selectOption('País', country)
  await ana.click('Siguiente', 'button', ana.dialog)
  await ana.expectText('Completo', ana.dialog)
}
async function paidByHand(boss: TestUser, admin: TestUser): Promise<void> {
  const open = (await admin.call(invoicesApi.all)).find(({ status }) => status === 'open')
  await boss.call(moneyApi.paid, { params: { id: open?.id as number }, body: { note: 'Pix' } })
}

test('turns a trial into a subscription: data, plan, review, Pix payment, and back to the home page', async () => {
  const boss = await chargedByPix()
  const { admin, id } = await desk.server().createCompany()
  await due(id, 9, true)
  const ana = await desk.open(admin, '/subscription')
  await ana.expectText(/^Quedan \d+ días de prueba$/)
  await ana.takeScreenshot('subscription')
  await ana.checkAccessibility()
  await ana.click('Suscribirse ahora')
  await checkOut(ana)
  await ana.expectText('Esperando el pago', ana.dialog)
  await ana.takeScreenshot('money-pix')
  await ana.checkAccessibility()
  await ana.click('Ya pagué y no se actualiza', 'button', ana.dialog)
  await ana.expectAndCloseToast('Le avisamos a quien administra la plataforma.')
  // The confirmation is shown for some seconds, then the home page opens.
  await Promise.all([
    ana.expectText('Pago recibido'),
    ana.expectToast('Tu suscripción se renovó hasta el'),
    paidByHand(boss, admin),
  ])
  await expect.poll(() => new URL(ana.page.url()).pathname).not.toBe('/subscription')

  await ana.page.goto('/financeiro')
  await ana.expectText('Plan Completo')
  await ana.expectText('Pagada')
  // The due day is the same as in the header, in the company's calendar, whatever the browser's time zone.
  const onTop =
    (await ana.page
      .getByText(/^Activa hasta/)
      .first()
      .textContent()) ?? ''
  await ana.page.locator('strong', { hasText: onTop.replace('Activa hasta ', '') }).waitFor()
  await ana.expectText('Valle Bruma Viajes S.R.L.')
  await ana.takeScreenshot('financeiro')
  await ana.checkAccessibility()
  await ana.click(/^Recibo de la Factura/, 'link')
  await ana.expectText(/^Recibo de la factura #\d+$/)
  await ana.takeScreenshot('receipt')
  await ana.checkAccessibility()
  const [paper] = await Promise.all([ana.page.waitForEvent('download'), ana.click('Descargar PDF')])
  expect(paper.suggestedFilename()).toMatch(/^Recibo \d+\.pdf$/)
})

test('bills a company in its own currency, and says how to pay where Pix does not apply', async () => {
  const boss = await chargedByPix()
  const paymentInstructions =
    'Transferencia a Recado S.A.S.\nCuenta de ahorros 000-123456-78, Banco del Valle\nConcepto: el número de la factura'
  await boss.call(moneyApi.update, { body: { provider: 'pix', graceDays: 0, ...pix, paymentInstructions } })
  const { admin, id, name } = await desk.server().createCompany()
  const { db } = desk.server().wide()
  const { planId } = await db.selectFrom('companies').select('planId').where('id', '=', id).executeTakeFirstOrThrow()

  // The super user gives the plan a price in pesos, and the company that currency.
  const sol = await desk.open(boss, '/settings?tab=plans')
  await sol.click('Editar Completo')
  await sol.click('Agregar precio', 'button', sol.dialog)
  await sol.selectOption('Moneda: ARS', 'COP · peso colombiano')
  await sol.fill('Valor al mes: COP', '89900', sol.dialog)
  await sol.takeScreenshot('plan-prices')
  await sol.checkAccessibility()
  await sol.click('Guardar', 'button', sol.dialog)
  await sol.expectAndCloseToast('Plan guardado')
  await sol.expectText(/^COP\s89\.900$/)
  await due(id, 9)
  await sol.page.goto('/settings?tab=companies')
  await sol.click(`Editar ${name}`)
  await sol.selectOption('Moneda', 'COP · peso colombiano')
  await sol.takeScreenshot('company-currency')
  await sol.click('Guardar', 'button', sol.dialog)
  await sol.expectAndCloseToast('Empresa guardada')

  const ana = await desk.open(admin, '/subscription')
  await ana.expectText(/Completo · \$\s89\.900 al mes/)
  await ana.takeScreenshot('subscription-cop')
  await ana.page.goto('/financeiro')
  await ana.click(/^Pagar \$\s89\.900$/)
  await fillBillingData(ana, 'CO')
  await ana.click('Siguiente', 'button', ana.dialog)
  await ana.click('Ver cómo pagar', 'button', ana.dialog)
  await ana.expectText(/Cuenta de ahorros 000-123456-78/, ana.dialog)
  await ana.expectHidden(ana.byRole('img', 'Código QR de Pix', ana.dialog))
  await ana.takeScreenshot('money-other-payment')
  await ana.checkAccessibility()
  await ana.click('Ya pagué', 'button', ana.dialog)
  await ana.expectText('Avisamos que pagaste. Falta la confirmación.', ana.dialog)
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('money-other-payment-phone')
  await ana.page.keyboard.press('Escape')
  await ana.takeScreenshot('financeiro-cop-phone')
  await ana.page.setViewportSize(desktopViewport)
  await ana.takeScreenshot('financeiro-cop')
  await ana.checkAccessibility()

  // Amounts in different currencies are never added.
  await boss.request('POST', '/money/invoices', {
    companyId: id,
    detail: 'Curso',
    value: 49,
    currency: 'BRL',
    dueDate: inDays(5),
    months: 0,
  })
  await sol.page.goto('/money')
  await sol.expectText(/^COP\s89\.900$/)
  await sol.takeScreenshot('money-super-currencies')
  await sol.checkAccessibility()
  await db.updateTable('plans').set({ prices: '[]' }).where('id', '=', planId).execute()
})

test('leads a locked company to the payment on a phone, and unlocks it automatically', async () => {
  const boss = await chargedByPix()
  const { admin, id } = await desk.server().createCompany()
  await due(id, -3)
  desk.allowProblem('402 ')
  const ana = await desk.open(admin, '/tickets', { viewport: phoneViewport })
  await ana.expectHeading('La suscripción venció')
  await ana.click('Pagar R$ 90,00')
  await checkOut(ana)
  await ana.takeScreenshot('money-pix-phone')
  await ana.checkAccessibility()
  await Promise.all([ana.expectText('Pago recibido'), paidByHand(boss, admin)])
  await ana.expectHeading('Panel')
})

test('lets an agent of a locked company see what is owed, and continue as soon as the invoice is paid', async () => {
  const boss = await chargedByPix()
  const company = await desk.server().createCompany()
  const agent = await company.user()
  const { db } = desk.server().wide()
  await db.updateTable('users').set({ allTicket: 'enabled' }).where('id', '=', agent.id).execute()
  const line = await desk.server().openLine(company)
  const sol = line.customer('5511980001234', 'Sol Ribera')
  await sol.says('¿Siguen vendiendo el de tapa dura?')
  await expect
    .poll(async () => (await agent.call(ticketsApi.list, { query: { status: 'pending' } as never })).count)
    .toBe(1)
  await due(company.id, -3)
  await writeDueInvoices(desk.server().wide())
  const ana = await desk.open(agent, '/tickets')
  await ana.expectHeading('La suscripción venció')
  await ana.expectText(/Puedes leer lo que está abierto/)
  // The visible radio button is drawn beside its input.
  await ana.page.getByText('Esperando', { exact: true }).click()
  await ana.click(/^Sol Ribera/)
  await ana.byRole('region', 'Mensajes').getByText('¿Siguen vendiendo el de tapa dura?').waitFor()
  await ana.expectText('Solo lectura: se puede responder cuando la suscripción esté paga.')
  await ana.takeScreenshot('locked-reading')
  await ana.checkAccessibility()
  await ana.page.setViewportSize(phoneViewport)
  await ana.takeScreenshot('locked-reading-phone')
  await ana.click('Volver a la lista')
  await ana.takeScreenshot('locked-reading-list-phone')
  await ana.checkAccessibility()
  // The payment is made elsewhere: the page's own polling is not due for another half minute.
  const before = Date.now()
  await paidByHand(boss, company.admin)
  await ana.expectHeading('Tickets')
  expect(Date.now() - before).toBeLessThan(25_000)
})

test('lets the super user see income, mark invoices as paid, write invoices, and choose the payment provider', async () => {
  const boss = await chargedByPix()
  const { id, name } = await desk.server().createCompany()
  await due(id, -4)
  await boss.request('POST', '/money/invoices', {
    companyId: id,
    detail: 'Línea adicional',
    value: 49,
    dueDate: inDays(-4),
    months: 1,
  })
  const ana = await desk.open(boss, '/money')
  await ana.expectText('Ingreso mensual')
  await ana.expectText(name)
  await ana.takeScreenshot('money-super')
  await ana.checkAccessibility()
  await ana.click(`Marcar como pagada: ${name}`)
  await ana.fill('Nota', 'Transferencia', ana.dialog)
  await ana.click('Marcar como pagada', 'button', ana.dialog)
  await ana.expectAndCloseToast('Listo')
  await ana.expectText('Nadie debe nada.')

  await ana.click('Facturas', 'tab')
  await ana.expectText('Transferencia')
  await ana.takeScreenshot('money-super-invoices')
  await ana.checkAccessibility()
  // The export contains the same rows as the list.
  const takenAlong = async () => {
    const [file] = await Promise.all([ana.page.waitForEvent('download'), ana.click('Exportar')])
    return readFile(await file.path(), 'utf8')
  }
  expect(await takenAlong()).toContain(name)
  await ana.selectOption('Estado', 'Vencidas')
  await ana.expectHidden(ana.page.getByText('Transferencia'))
  expect(await takenAlong()).not.toContain(name)
  await ana.selectOption('Estado', 'Todas')
  await ana.expectText('Transferencia')
  await ana.click(`Historial de facturación: ${name}`)
  await ana.expectText(/^Factura #\d+ pagada: R\$\s49,00, manual$/, ana.dialog)
  await ana.expectText('Transferencia', ana.dialog)
  await ana.expectText(/^Vencimiento: \d\d\/\d\d\/\d{4} → \d\d\/\d\d\/\d{4}$/, ana.dialog)
  await ana.takeScreenshot('money-history')
  await ana.checkAccessibility()
  await ana.page.keyboard.press('Escape')
  await ana.click('Cobros', 'tab')
  await ana.fill('Días de gracia', '3')
  await ana.click('Guardar')
  await ana.expectAndCloseToast('Guardado')
  await ana.takeScreenshot('money-super-settings')
  await ana.checkAccessibility()
  expect((await boss.call(moneyApi.settings)).graceDays).toBe(3)
})
