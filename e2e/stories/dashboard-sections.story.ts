import { readFile } from 'node:fs/promises'
import { dashboardApi } from '@recado/contract/dashboard/dashboard'
import { moreFiguresApi } from '@recado/contract/dashboard/more'
import { expect, test } from 'vitest'
import { fillDemo } from '../../server/demo/fill.ts'
import { staff } from '../../server/demo/firm.ts'
import { handheld, stage } from '../browser.ts'
import type { Visitor } from '../visitor.ts'

const desk = stage()
const password = 'demo-1234'
const number = (n: number) => n.toLocaleString('es')
const titles = [
  'Gente necesaria y gente en línea',
  'El día de cada agente',
  'Lo que resolvió el bot',
  'Calificaciones',
  'Volumen por etiqueta y por cola',
  'Campañas',
  'Salud de las líneas',
]
const card = (one: Visitor, title: string) => one.the('region', title)

test('below the first look: people needed, each day, bot, ratings, volumes, campaigns and lines, each to open, read and take along', async () => {
  const h = desk.house()
  // Weeks in which all of it happened.
  await fillDemo(h.running.means, { password, weeks: 2 })
  const lucia = await h.login(staff[0]?.email ?? '', password)
  const query = { days: 30, compare: true } as never
  const [bot, ratings, volumes] = await Promise.all([
    lucia.call(moreFiguresApi.bot, { query }),
    lucia.call(moreFiguresApi.ratings, { query }),
    lucia.call(moreFiguresApi.volumes, { query }),
  ])
  const ana = await desk.open(lucia, '/?days=30')
  await ana.at('Panel')

  // Each is read when it comes into sight.
  for (const title of titles) {
    await expect
      .poll(async () => {
        await ana.page
          .locator('main [class*=body]')
          .first()
          .evaluate((one) => one.scrollBy(0, 400))
        return card(ana, title).count()
      })
      .toBe(1)
  }
  await ana.shot('dashboard-more')
  await ana.scan()

  // A number of the bot opens its tickets, and a tag those that wear it.
  const alone = card(ana, 'Lo que resolvió el bot').getByRole('button', { name: /^Resueltos sin persona/ })
  await expect.poll(() => alone.textContent()).toContain(number(bot.counts.alone))
  await alone.click()
  await expect.poll(() => ana.dialog.getByRole('row').count()).toBe(Math.min(bot.counts.alone, 20) + 1)
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))
  // So does what customers answered at a place of its menu.
  const asked = card(ana, 'Lo que resolvió el bot').getByRole('button', { name: /^Menú principal, Respuestas: / })
  await asked.click()
  await ana.dialog.getByRole('link').first().waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))
  const [tag] = volumes.tags
  await card(ana, 'Volumen por etiqueta y por cola')
    .getByRole('button', { name: new RegExp(`^${tag?.name}`) })
    .click()
  await ana.dialog.getByRole('link').first().waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))

  // Along the days of the ratings by keyboard; the last one with an answer opens it.
  const days = card(ana, 'Calificaciones').getByRole('group', { name: /flechas/ })
  await days.getByRole('button').first().focus()
  await ana.page.keyboard.press('End')
  const rated = ratings.series.findLastIndex(({ one, two, three }) => one + two + three > 0)
  for (let n = ratings.series.length - 1; n > rated; n--) await ana.page.keyboard.press('ArrowLeft')
  await expect.poll(() => ana.page.evaluate(() => document.activeElement?.textContent)).toMatch(/satisfechos [1-9]/)
  await ana.page.keyboard.press('Enter')
  await ana.dialog.getByRole('link').first().waitFor()
  await ana.page.keyboard.press('Escape')
  await ana.misses(ana.page.getByRole('dialog'))

  // Beside the period before, until nobody wants it.
  const before = card(ana, 'Lo que resolvió el bot').getByText(/^antes \d/)
  await before.first().waitFor()
  await ana.flip('Comparar con el periodo anterior')
  await expect.poll(() => before.count()).toBe(0)
  await expect.poll(() => new URL(ana.page.url()).search).toContain('compare=no')

  // All read as tables, and one taken along.
  for (const title of titles) {
    const asTable = card(ana, title).getByRole('button', { name: `${title}: Ver como tabla` })
    await asTable.click()
    await card(ana, title).getByRole('table').first().waitFor()
  }
  await ana.scan()
  const save = (what: string) => Promise.all([ana.page.waitForEvent('download'), ana.press(what)])
  const [file] = await save('Lo que resolvió el bot: Guardar como CSV')
  expect(await readFile(await file.path(), 'utf8')).toContain(`Resueltos sin persona;${bot.counts.alone};`)
  // In words, as the page has it.
  const [lines] = await save('Salud de las líneas: Guardar como CSV')
  expect(await readFile(await lines.path(), 'utf8')).toContain('Recepción;Conectada;')
  const [picture] = await save('Calificaciones: Guardar como PNG')
  expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG')

  // A queue narrows them as it narrows the rest.
  const queue = volumes.queues.find(({ name }) => name === 'Pagos')
  await ana.the('combobox', 'Cola').selectOption('Cola: Pagos')
  const narrowed = await lucia.call(dashboardApi.view, {
    query: { days: 30, compare: false, queueId: queue?.id } as never,
  })
  await card(ana, 'Tickets por día')
    .getByText(`${number(narrowed.sums.came)} en total`)
    .waitFor()
})

test('on paper stands all of it, also what nobody has scrolled to', async () => {
  const h = desk.house()
  await fillDemo(h.running.means, { password, weeks: 1 })
  const ana = await desk.open(await h.login(staff[0]?.email ?? '', password), '/?days=30', { viewport: handheld })
  await ana.at('Panel')
  await ana.page.evaluate(() => {
    window.print = () => {
      const heads = [...document.querySelectorAll('section h2')].map((one) => one.textContent)
      const loading = document.querySelectorAll('.mantine-Skeleton-root').length
      Object.assign(window, {
        printed: { heads, loading, scheme: document.documentElement.dataset.mantineColorScheme },
      })
    }
  })
  // On a busy machine timers run late, and an answer is drawn some frames after it came.
  await ana.page.evaluate(() => {
    const { setTimeout } = window
    Object.assign(window, {
      setTimeout: (run: () => void, ms = 0, ...rest: []) => setTimeout(run, Math.max(ms, 400), ...rest),
    })
  })
  await ana.page.emulateMedia({ colorScheme: 'dark' })
  await ana.press('Guardar la página como PDF')
  const printed = () => ana.page.evaluate(() => Reflect.get(window, 'printed'))
  await expect.poll(printed).toMatchObject({ loading: 0, scheme: 'light', heads: expect.arrayContaining(titles) })

  // It says of whom and when, and nothing hangs over its edge: a page of A4 without its margins.
  await ana.page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await ana.page.setViewportSize({ width: 703, height: 1030 })
  await ana.sees(/^Valle Bruma Viajes · \d\d\/\d\d\/\d{4} – \d\d\/\d\d\/\d{4} · Comparar/)
  const cut = () =>
    ana.page.evaluate(() =>
      [...document.querySelectorAll('main section')].flatMap((one) =>
        one.scrollWidth > one.clientWidth + 1 ? (one.querySelector('h2')?.textContent ?? 'something') : [],
      ),
    )
  await expect.poll(cut).toEqual([])
})
