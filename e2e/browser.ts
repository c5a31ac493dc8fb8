import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { findChromium } from '../scripts/chromium.mjs'
import { closeHouses, type House, house, type Person } from '../server/test/house.ts'
import { patience } from '../server/test/patience.ts'
import { type Problems, watch } from './problems.ts'
import { Visitor } from './visitor.ts'

export const desktop = { width: 1440, height: 900 }
export const handheld = { width: 390, height: 844 }

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The browser's own toolbar is a web page by now, drawn anew for every visitor: a third of all the work, seen by nobody.
  // The list replaces Playwright's, so what matters of that is in it.
  `--disable-features=${[
    ...['InitialWebUI', 'WebUIToolbar', 'WebUIReloadButton', 'WebUILocationBar', 'WebUIOmniboxPopup'],
    ...['WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled'],
    ...['HttpsUpgrades', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'DestroyProfileOnBrowserClose'],
    ...['MediaRouter', 'OptimizationHints', 'LensOverlay', 'NetworkTimeServiceQuerying'],
  ].join()}`,
  // A microphone that beeps, and nobody who has to be asked for it.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  // The stories call nobody: whoever is called all the same is not found, and the story hears of it.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]
/** Where SHOTS=1 leaves its pictures, and a story that fails its last ones. */
const output = join(import.meta.dirname, 'output')

/**
 * `worker`: with the service worker, which copies every file it sees and is in no other story's way. `touch`: on a real
 * phone, whose page grows with what reaches past its edge.
 */
type Visit = { viewport?: typeof desktop; worker?: boolean; touch?: boolean }
export type Stage = {
  house(): House
  /** Somebody at a browser of their own, logged in, on that page. */
  open(person: Person, path?: string, more?: Visit): Promise<Visitor>
  /** Somebody nobody knows yet, at the front door. */
  arrive(path?: string, more?: Visit): Promise<Visitor>
  /** A refusal or fault that belongs to the story, such as `401 POST /auth/login`. */
  excuse(problem: string): void
}

/**
 * One house and one browser for the stories of a file. What goes wrong in any of its pages fails the story. `build`: for
 * a house that stands somewhere else, such as beside a WhatsApp. `whole`: in a browser that has notices of the system.
 */
export function stage(build: () => Promise<House> = house, { whole = false } = {}): Stage {
  let browser: Browser
  let excused: string[] = []
  const problems: Problems = []
  let h: House

  beforeAll(async () => {
    const executablePath = findChromium({ whole })
    if (!executablePath) throw new Error('The stories need Chromium: node scripts/chromium.mjs')
    const launched = chromium.launch({ executablePath, headless: true, args: flags })
    ;[browser, h] = await Promise.all([launched, build()])
  })
  afterEach(async ({ task }) => {
    const pages = browser.contexts().flatMap((context) => context.pages())
    // What it looked like when the story broke off.
    if (task.result?.state === 'fail')
      await Promise.allSettled(
        pages.map((page, i) => page.screenshot({ path: join(output, `failed-${task.id}-${i}.png`) })),
      )
    await Promise.all(browser.contexts().map((context) => context.close()))
    const bad = problems.splice(0).filter((problem) => !excused.some((expected) => problem.startsWith(expected)))
    excused = []
    if (bad.length > 0) throw new Error(`While the story was told:\n${bad.join('\n')}`)
  })
  afterAll(async () => {
    await browser?.close()
    await closeHouses()
  })

  async function enter({ viewport = desktop, worker = false, touch = false }: Visit) {
    const context = await browser.newContext({
      baseURL: h.address,
      viewport,
      hasTouch: touch,
      isMobile: touch,
      locale: 'es',
      serviceWorkers: worker ? 'allow' : 'block',
      timezoneId: 'America/Sao_Paulo',
      colorScheme: 'light',
      // Nothing fades: what is there can be seen, and what is seen is there.
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(patience)
    const page = await context.newPage()
    watch(page, h.address, problems)
    return page
  }

  async function open(person: Person, path = '/', visit: Visit = {}) {
    const page = await enter(visit)
    const [name = '', value = ''] = person.cookie.split('=')
    await page
      .context()
      .addCookies([{ name, value, domain: '127.0.0.1', path: '/auth', httpOnly: true, sameSite: 'Lax' }])
    const { token, companyId, id: userId } = person
    await page.addInitScript(remember, { token: JSON.stringify(token), companyId: `${companyId}`, userId: `${userId}` })
    await page.goto(path, { waitUntil: 'commit' })
    return new Visitor(page, output)
  }
  async function arrive(path = '/login', visit: Visit = {}) {
    const page = await enter(visit)
    await page.goto(path, { waitUntil: 'commit' })
    return new Visitor(page, output)
  }
  return { house: () => h, open, arrive, excuse: (problem) => void excused.push(problem) }
}

/** In the browser: what a login leaves behind, once. Whoever logs out, or is thrown out, stays out. */
function remember(kept: Record<string, string>): void {
  // A frame inside the page is not ours, and may have no storage at all.
  if (self !== top || sessionStorage.getItem('arrived')) return
  sessionStorage.setItem('arrived', 'true')
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value)
}
