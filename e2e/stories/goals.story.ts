import { expect, test } from 'vitest'
import { minutes } from '../../server/src/kernel/clock.ts'
import { openDesk } from '../../server/test/desk.ts'
import { createStage } from '../browser.ts'

const desk = createStage()

test('saves the goals of a queue, counts down in list and ticket, and reports on them in the dashboard', async () => {
  const h = desk.house()
  const d = await openDesk(h)
  const sales = await d.queue('Ventas')
  const beto = await d.person('user', [sales])

  const ana = await desk.open(d.admin, '/queues')
  await ana.press('Editar Ventas')
  await ana.press('Horario', 'tab', ana.dialog)
  await ana.write('Primera respuesta en (minutos)', '5', ana.dialog)
  await ana.write('Resolver en (minutos)', '480', ana.dialog)
  await ana.shot('queue-form-goals')
  await ana.scan()
  await ana.press('Guardar', 'button', ana.dialog)
  await ana.told('Cola guardada')
  // They are still set when the form is reopened.
  await ana.press('Editar Ventas')
  await ana.press('Horario', 'tab', ana.dialog)
  await expect.poll(() => ana.field('Resolver en (minutos)', ana.dialog).inputValue()).toMatch(/^480/)

  // One customer wrote just now; the other has waited longer than the goal.
  const waits = async (name: string) => {
    const { id } = await d.newTicket('¿hay cupo?', name)
    await d.put(d.admin, id, { queueId: sales.id, status: 'pending', userId: null })
    return id
  }
  await waits('Paz Luna')
  h.clock.forward(-minutes(9))
  await waits('Sol Prado')
  h.clock.forward(minutes(9))

  const agent = await desk.open(beto, '/tickets')
  await agent.press(/^Ver los que esperan/)
  const chip = (name: string) => agent.page.locator('[data-waiting]').filter({ hasText: name }).locator('[data-goal]')
  await expect.poll(() => chip('Paz Luna').textContent()).toMatch(/^Responder antes de .*[456] min$/)
  await expect.poll(() => chip('Sol Prado').textContent()).toMatch(/^Había que responder antes de .*−\d min$/)
  await expect.poll(() => chip('Sol Prado').getAttribute('data-mood')).toBe('late')
  await agent.shot('goals-list')
  await agent.scan()

  // Accepted and answered in time, only the resolution goal is left; the ticket shows its due time.
  await agent.press('Aceptar a Paz Luna')
  const left = agent.page.locator('header [data-goal]')
  await expect.poll(() => left.getAttribute('data-goal')).toBe('answer')
  await agent.write('Mensaje', 'Sí, quedan dos lugares')
  await agent.page.keyboard.press('Enter')
  await expect.poll(() => left.getAttribute('data-goal')).toBe('resolve')
  await expect.poll(() => left.textContent()).toMatch(/^Resolver antes de .*[78] h$/)
  await agent.scan()

  const boss = await desk.open(d.admin, '/')
  const card = boss.the('region', 'Metas')
  await card.getByText('50 %').waitFor()
  await card.getByText('1 atrasado').first().waitFor()
  await card.getByRole('button', { name: '1 atrasado', exact: true }).click()
  await boss.sees(/^Sol Prado/, boss.dialog)
  await boss.misses(/^Paz Luna/, boss.dialog)
  await boss.scan()
})
