import { readFile } from 'node:fs/promises'
import { invoicesApi } from '@recado/contract/money/invoices'
import { moneyApi } from '@recado/contract/money/platform'
import { ticketsApi } from '@recado/contract/tickets'
import { expect, test } from 'vitest'
import { writeDueInvoices } from '../../server/src/accounts/money/invoices.ts'
import type { TestUser } from '../../server/test/test-server.ts'
import { createStage, phoneViewport } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = createStage()

const inDays = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
const due = (id: number, days: number, trial = false) =>
  desk
    .house()
    .wide()
    .db.updateTable('companies')
    .set({ dueDate: inDays(days), ...(trial && { trialExpiration: inDays(days) }) })
    .where('id', '=', id)
    .execute()
const pix = { pixKey: 'pagos@recado.example', pixName: 'Recado', pixCity: 'São Paulo', efiKey: '' }
async function chargedByPix(): Promise<TestUser> {
  const boss = await desk.house().superUser()
  await boss.call(moneyApi.update, { body: { provider: 'pix', graceDays: 0, ...pix } })
  return boss
}
/** From the first step to the QR code. */
async function checkOut(ana: Visitor): Promise<void> {
  await ana.press('Siguiente', 'button', ana.dialog)
  await ana.sees('Falta este dato.', ana.dialog)
  await ana.write('Nombre o razón social', 'Valle Bruma Viajes S.R.L.', ana.dialog)
  await ana.write('Dirección', 'Camino del Mirador 480', ana.dialog)
  await ana.write('Ciudad', 'San Bruno', ana.dialog)
  await ana.write('Código postal', '01310-100', ana.dialog)
  await ana.choose('País', 'BR')
  await ana.press('Siguiente', 'button', ana.dialog)
  await ana.sees('Completo', ana.dialog)
  await ana.press('Siguiente', 'button', ana.dialog)
  await ana.sees('Valle Bruma Viajes S.R.L.', ana.dialog)
  await ana.press('Pagar', 'button', ana.dialog)
  await ana.sees('Pagar con Pix', ana.dialog)
  await ana.the('img', 'Código QR de Pix', ana.dialog).waitFor()
}
async function paidByHand(boss: TestUser, admin: TestUser): Promise<void> {
  const open = (await admin.call(invoicesApi.all)).find(({ status }) => status === 'open')
  await boss.call(moneyApi.paid, { params: { id: open?.id as number }, body: { note: 'Pix' } })
}

test('turns a trial into a subscription: data, plan, review, Pix payment, and home', async () => {
  const boss = await chargedByPix()
  const { admin, id } = await desk.house().company()
  await due(id, 9, true)
  const ana = await desk.open(admin, '/subscription')
  await ana.sees(/^Quedan \d+ días de prueba$/)
  await ana.shot('subscription')
  await ana.scan()
  await ana.press('Suscribirse ahora')
  await checkOut(ana)
  await ana.sees('Esperando el pago', ana.dialog)
  await ana.shot('money-pix')
  await ana.scan()
  await ana.press('Ya pagué y no cambia', 'button', ana.dialog)
  await ana.told('Le avisamos a quien administra la plataforma.')
  // The confirmation is shown for some seconds, then the page goes home.
  await Promise.all([
    ana.sees('Pago recibido'),
    ana.learns('Tu licencia fue renovada hasta el'),
    paidByHand(boss, admin),
  ])
  await expect.poll(() => new URL(ana.page.url()).pathname).not.toBe('/subscription')

  await ana.page.goto('/financeiro')
  await ana.sees('Plan Completo')
  await ana.sees('Pagada')
  // The same day as in the header, in the company's calendar, whatever the browser's time zone.
  const onTop =
    (await ana.page
      .getByText(/^Activa hasta/)
      .first()
      .textContent()) ?? ''
  await ana.page.locator('strong', { hasText: onTop.replace('Activa hasta ', '') }).waitFor()
  await ana.sees('Valle Bruma Viajes S.R.L.')
  await ana.shot('financeiro')
  await ana.scan()
  await ana.press(/^Recibo de la Factura/, 'link')
  await ana.sees(/^Recibo de la factura #\d+$/)
  await ana.shot('receipt')
  await ana.scan()
  const [paper] = await Promise.all([ana.page.waitForEvent('download'), ana.press('Descargar PDF')])
  expect(paper.suggestedFilename()).toMatch(/^Recibo \d+\.pdf$/)
})

test('leads a locked company to the payment on a phone, and unlocks it by itself', async () => {
  const boss = await chargedByPix()
  const { admin, id } = await desk.house().company()
  await due(id, -3)
  desk.excuse('402 ')
  const ana = await desk.open(admin, '/tickets', { viewport: phoneViewport })
  await ana.at('La suscripción venció')
  await ana.press('Pagar R$ 90,00')
  await checkOut(ana)
  await ana.shot('money-pix-phone')
  await ana.scan()
  await Promise.all([ana.sees('Pago recibido'), paidByHand(boss, admin)])
  await ana.at('Panel')
})

test('lets an agent of a locked company see what is owed, and continue as soon as it is paid', async () => {
  const boss = await chargedByPix()
  const company = await desk.house().company()
  const agent = await company.user()
  const { db } = desk.house().wide()
  await db.updateTable('users').set({ allTicket: 'enabled' }).where('id', '=', agent.id).execute()
  const line = await desk.house().line(company)
  const sol = line.customer('5511980001234', 'Sol Ribera')
  await sol.says('¿Siguen vendiendo el de tapa dura?')
  await expect
    .poll(async () => (await agent.call(ticketsApi.list, { query: { status: 'pending' } as never })).count)
    .toBe(1)
  await due(company.id, -3)
  await writeDueInvoices(desk.house().wide())
  const ana = await desk.open(agent, '/tickets')
  await ana.at('La suscripción venció')
  await ana.sees(/Puedes leer lo que está abierto/)
  // The visible radio button is drawn beside its input.
  await ana.page.getByText('Esperando', { exact: true }).click()
  await ana.press(/^Sol Ribera/)
  await ana.the('region', 'Mensajes').getByText('¿Siguen vendiendo el de tapa dura?').waitFor()
  await ana.sees('Solo lectura: se puede responder cuando la suscripción esté paga.')
  await ana.shot('locked-reading')
  await ana.scan()
  await ana.page.setViewportSize(phoneViewport)
  await ana.shot('locked-reading-phone')
  await ana.press('Volver a la lista')
  await ana.shot('locked-reading-list-phone')
  await ana.scan()
  // Paid elsewhere: the page's own polling is not due for another half minute.
  const before = Date.now()
  await paidByHand(boss, company.admin)
  await ana.at('Tickets')
  expect(Date.now() - before).toBeLessThan(25_000)
})

test('lets the super user see income, mark and write invoices, and choose the payment provider', async () => {
  const boss = await chargedByPix()
  const { id, name } = await desk.house().company()
  await due(id, -4)
  await boss.ask('POST', '/money/invoices', {
    companyId: id,
    detail: 'Línea adicional',
    value: 49,
    dueDate: inDays(-4),
    months: 1,
  })
  const ana = await desk.open(boss, '/money')
  await ana.sees('Ingreso mensual')
  await ana.sees(name)
  await ana.shot('money-super')
  await ana.scan()
  await ana.press(`Marcar como pagada: ${name}`)
  await ana.write('Nota', 'Transferencia', ana.dialog)
  await ana.press('Marcar como pagada', 'button', ana.dialog)
  await ana.told('Listo')
  await ana.sees('Nadie debe nada.')

  await ana.press('Facturas', 'tab')
  await ana.sees('Transferencia')
  await ana.shot('money-super-invoices')
  await ana.scan()
  // The export equals the list.
  const takenAlong = async () => {
    const [file] = await Promise.all([ana.page.waitForEvent('download'), ana.press('Exportar')])
    return readFile(await file.path(), 'utf8')
  }
  expect(await takenAlong()).toContain(name)
  await ana.choose('Estado', 'Vencidas')
  await ana.misses(ana.page.getByText('Transferencia'))
  expect(await takenAlong()).not.toContain(name)
  await ana.choose('Estado', 'Todas')
  await ana.sees('Transferencia')
  await ana.press(`Historial de dinero: ${name}`)
  await ana.sees(/^Factura #\d+ pagada: R\$\s49,00, a mano$/, ana.dialog)
  await ana.sees('Transferencia', ana.dialog)
  await ana.sees(/^Vencimiento: \d\d\/\d\d\/\d{4} → \d\d\/\d\d\/\d{4}$/, ana.dialog)
  await ana.shot('money-history')
  await ana.scan()
  await ana.page.keyboard.press('Escape')
  await ana.press('Cobro', 'tab')
  await ana.write('Días de gracia', '3')
  await ana.press('Guardar')
  await ana.told('Guardado')
  await ana.shot('money-super-settings')
  await ana.scan()
  expect((await boss.call(moneyApi.settings)).graceDays).toBe(3)
})
