import { chromium } from 'playwright-core'
import { applyLoginState } from '../e2e/login-state.ts'
import { collectLoadedScripts, compressedBytes, largestModules, maxScriptKb } from '../e2e/script-sizes.ts'
import { ensureChromium } from '../scripts/chromium.mjs'
import { openBenchServer, openOwnerPool } from './bench-server.ts'

const kb = (bytes: number) => (bytes / 1000).toFixed(1).padStart(6)

/** Measures what a real browser downloads for the login page, and then for every screen of the menu, until it is idle. */
export async function benchScreenSizes(): Promise<Record<string, string>> {
  const benchServer = await openBenchServer()
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  const visit = () =>
    browser.newContext({ baseURL: benchServer.address, viewport: { width: 1440, height: 900 }, locale: 'es' })
  const figures: Record<string, string> = {}
  const tell = (name: string, files: Iterable<string>, aim: number) => {
    figures[name] = `${kb(compressedBytes(files))} gzip ${kb(compressedBytes(files, 'br'))} br  (aim ${aim})`
  }
  try {
    const guest = await (await visit()).newPage()
    const login = await collectLoadedScripts(guest, '/login')
    tell('login, kB of JavaScript', login, maxScriptKb.login)
    const beyond = (files: Set<string>) => files.difference(login)
    for (const path of ['/signup', '/forgetpsw'])
      tell(`${path}, kB more`, beyond(await collectLoadedScripts(guest, path)), maxScriptKb.screen)

    // A super user has every screen.
    const owner = openOwnerPool(benchServer)
    await owner.query('update users set super = true where id = $1', [benchServer.admin.id])
    await owner.end()
    const context = await visit()
    await applyLoginState(context, benchServer.admin.loginState)
    const page = await context.newPage()
    const first = beyond(await collectLoadedScripts(page, '/tickets'))
    const paths = await page
      .locator('[data-region="menu"] nav a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href') ?? ''))
    const own: Record<string, number> = { '/': maxScriptKb.dashboard, '/tickets': maxScriptKb.tickets }
    let most = new Set<string>()
    for (const path of paths) {
      const more = path === '/tickets' ? first : beyond(await collectLoadedScripts(page, path))
      most = most.union(more)
      tell(`${path}, kB more`, more, own[path] ?? maxScriptKb.screen)
    }
    for (const { name, bytes } of largestModules(login, 8)) figures[`login: ${name}`] = kb(bytes)
    for (const { name, bytes } of largestModules(first, 12)) figures[`/tickets: ${name}`] = kb(bytes)
    for (const { name, bytes } of largestModules(most, 20)) figures[`all screens: ${name}`] = kb(bytes)
    return figures
  } finally {
    await browser.close()
    await benchServer.close()
  }
}
