import { expect, test } from 'vitest'
import { openPool } from '../../server/src/kernel/data/database.ts'
import { makeLog } from '../../server/src/kernel/log.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

// The first test: the server is still new, without a company.
test('leads the super user of a new server to the first company and a password of their own', async () => {
  const boss = await desk.open(await desk.server().superUser(), '/tickets')
  const guide = boss.byRole('region', 'Tu instalación')
  await guide.waitFor()
  for (const step of ['Crear la primera empresa', 'Dirección pública', 'Correo']) await boss.expectText(step, guide)
  await boss.takeScreenshot('platform-steps')
  await boss.checkAccessibility()
  await boss.click('Cambiar la contraseña', 'button', guide)
  await boss.field('Contraseña', boss.dialog).waitFor()
  await boss.click('Cancelar', 'button', boss.dialog)
  await boss.click('Crear una empresa', 'link', guide)
  await boss.expectText('Nueva empresa', boss.dialog)
  await boss.click('Cancelar', 'button', boss.dialog)
  await boss.page.setViewportSize(phoneViewport)
  await boss.page.goto('/tickets')
  await guide.waitFor()
  await boss.takeScreenshot('platform-steps-phone')
  await boss.click('No mostrar más', 'button', guide)
  await guide.waitFor({ state: 'detached' })
  await boss.expectText('No hay tickets en atención')
})

test('shows the platform’s health to the super user and retries failed jobs', async () => {
  const h = desk.server()
  const agency = await h.createCompany('Valle Bruma Viajes')
  await h.openLine(agency, { name: 'Recepción' })
  const night = await h.openLine(agency, { name: 'Guardia' })
  const owner = openPool(h.databaseUrl, makeLog('silent'), { max: 1 })
  await owner.query(`select graphile_worker.add_job('mail:nobody', '{}', max_attempts => 1)`)
  await owner.query(`update graphile_worker._private_jobs set attempts = 1, last_error = 'connect ECONNREFUSED'
    where id = (select id from graphile_worker.jobs where task_identifier = 'mail:nobody')`)
  await owner.query(
    `insert into webhooks ("companyId", name, url, events, "secretSealed", "restsSince", "restsUntil", "failuresInRow", "lastError")
     values ($1, 'Reservas', 'https://hooks.example.test/x', '{message.created}', 'x', now(), now() + interval '1 hour', 7, 'timeout:10')`,
    [agency.id],
  )
  await night.unlink()
  await night.waitForStatus('DISCONNECTED')

  const boss = await desk.open(await h.superUser(), '/health')
  await boss.expectText('Requiere atención')
  await boss.expectText('La tarea «mail:nobody» falló una vez')
  await boss.expectText('El webhook «Reservas» no responde')
  await boss.expectText(/ · no respondió en 10 segundos · /)
  await boss.expectText('Mensajes por enviar')
  await boss.expectText('este')
  await boss.expectText('Recepción')
  await boss.expectText('Guardia')
  await boss.expectText('Valle Bruma Viajes')
  await boss.takeScreenshot('health')
  await boss.checkAccessibility()
  await boss.click('Reintentar: mail:nobody')
  await boss.expectAndCloseToast('Reintentando')
  const { rows } = await owner.query(`select attempts from graphile_worker.jobs where task_identifier = 'mail:nobody'`)
  expect(rows).toEqual([{ attempts: 0 }])
  await owner.query(
    `delete from graphile_worker._private_jobs where id in (select id from graphile_worker.jobs where task_identifier = 'mail:nobody')`,
  )
  await owner.query(`delete from webhooks where name = 'Reservas'`)
  await owner.end()
  // The page refreshes automatically.
  await boss.expectHidden('La tarea «mail:nobody» falló una vez')
  // A line is still disconnected: the page does not say at the same time that nothing failed.
  await boss.expectText('Requiere atención')
  await boss.expectHidden('Sin fallos.')
  await boss.fill('Buscar por línea o empresa', 'recep')
  await expect.poll(() => boss.page.getByText('Guardia', { exact: true }).count()).toBe(0)
  await boss.expectText('Recepción')
})

test('fits the health page into one column on a phone', async () => {
  const h = desk.server()
  const boss = await desk.open(await h.superUser(), '/health', { viewport: phoneViewport })
  await boss.expectText('En espera')
  await boss.takeScreenshot('health-mobile')
  const over = () => boss.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(over).toBeLessThanOrEqual(0)
})
