import { chromium } from 'playwright-core'
import { enter } from '../e2e/enter.ts'
import { heaviest, limits, scriptsOf, weightOf } from '../e2e/weigh.ts'
import { ensureChromium } from '../scripts/chromium.mjs'
import { openPlace, ownerOf } from './place.ts'

const kb = (bytes: number) => (bytes / 1000).toFixed(1).padStart(6)

/** What a real browser fetches: for the login page, and on top of it for every screen of the menu, until it is still. */
export async function sizes(): Promise<Record<string, string>> {
  const place = await openPlace()
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  const visit = () =>
    browser.newContext({ baseURL: place.address, viewport: { width: 1440, height: 900 }, locale: 'es' })
  const figures: Record<string, string> = {}
  const tell = (name: string, files: Iterable<string>, aim: number) => {
    figures[name] = `${kb(weightOf(files))} gzip ${kb(weightOf(files, 'br'))} br  (aim ${aim})`
  }
  try {
    const guest = await (await visit()).newPage()
    const login = await scriptsOf(guest, '/login')
    tell('login, kB of JavaScript', login, limits.login)
    const beyond = (files: Set<string>) => files.difference(login)
    for (const path of ['/signup', '/forgetpsw'])
      tell(`${path}, kB more`, beyond(await scriptsOf(guest, path)), limits.screen)

    // Whoever runs the platform has every screen.
    const owner = ownerOf(place)
    await owner.query('update users set super = true where id = $1', [place.admin.id])
    await owner.end()
    const context = await visit()
    await enter(context, place.admin.entrance)
    const page = await context.newPage()
    const first = beyond(await scriptsOf(page, '/tickets'))
    const paths = await page
      .locator('[data-region="menu"] nav a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
    const own: Record<string, number> = { '/': limits.dashboard, '/tickets': limits.tickets }
    let most = new Set<string>()
    for (const path of paths) {
      const more = path === '/tickets' ? first : beyond(await scriptsOf(page, path))
      most = most.union(more)
      tell(`${path}, kB more`, more, own[path] ?? limits.screen)
    }
    for (const { name, bytes } of heaviest(login, 8)) figures[`login: ${name}`] = kb(bytes)
    for (const { name, bytes } of heaviest(first, 12)) figures[`/tickets: ${name}`] = kb(bytes)
    for (const { name, bytes } of heaviest(most, 20)) figures[`all screens: ${name}`] = kb(bytes)
    return figures
  } finally {
    await browser.close()
    await place.close()
  }
}
