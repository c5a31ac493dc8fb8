import { expect, test } from 'vitest'
import { openPool } from '../../server/src/kernel/data/database.ts'
import { makeLog } from '../../server/src/kernel/log.ts'
import { createStage, phoneViewport } from '../browser.ts'

const desk = createStage()

test('shows the platform’s health to the super user and retries failed jobs', async () => {
  const h = desk.house()
  const agency = await h.company('Valle Bruma Viajes')
  await h.line(agency, { name: 'Recepción' })
  const night = await h.line(agency, { name: 'Guardia' })
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
  await night.reaches('DISCONNECTED')

  const boss = await desk.open(await h.superUser(), '/health')
  await boss.sees('Mira esto')
  await boss.sees('El trabajo «mail:nobody» falló una vez')
  await boss.sees('El webhook «Reservas» no contesta')
  await boss.sees(/ · no respondió en 10 segundos · /)
  await boss.sees('Mensajes por salir')
  await boss.sees('este')
  await boss.sees('Recepción')
  await boss.sees('Guardia')
  await boss.sees('Valle Bruma Viajes')
  await boss.shot('health')
  await boss.scan()
  await boss.press('Reintentar: mail:nobody')
  await boss.told('Se intenta de nuevo')
  const { rows } = await owner.query(`select attempts from graphile_worker.jobs where task_identifier = 'mail:nobody'`)
  expect(rows).toEqual([{ attempts: 0 }])
  await owner.query(
    `delete from graphile_worker._private_jobs where id in (select id from graphile_worker.jobs where task_identifier = 'mail:nobody')`,
  )
  await owner.query(`delete from webhooks where name = 'Reservas'`)
  await owner.end()
  // It refreshes by itself.
  await boss.sees('Nada falló. Así da gusto.')
  await boss.write('Buscar por línea o empresa', 'recep')
  await expect.poll(() => boss.page.getByText('Guardia', { exact: true }).count()).toBe(0)
  await boss.sees('Recepción')
})

test('fits in one column on a phone', async () => {
  const h = desk.house()
  const boss = await desk.open(await h.superUser(), '/health', { viewport: phoneViewport })
  await boss.sees('Qué espera')
  await boss.shot('health-mobile')
  const over = () => boss.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(over).toBeLessThanOrEqual(0)
})
