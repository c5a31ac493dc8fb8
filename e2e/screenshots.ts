import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureChromium } from '../scripts/chromium.mjs'
import { type DemoServer, openDemoServer } from './demo-server.ts'
import { applyLoginState } from './login-state.ts'
import { reducePngColors } from './reduce-png-colors.ts'

/**
 * `npm run screenshots`: takes the README's screenshots from the demo. A name after `--` takes only that screenshot;
 * `--web=folder` uses another build of the web app.
 */
const folder = join(import.meta.dirname, '../docs/screenshots')
const desktopViewport = { width: 1440, height: 900 }
const phoneViewport = { width: 390, height: 844 }

type Screenshot = {
  name: string
  viewport: typeof desktopViewport
  dark?: boolean
  path: (demo: DemoServer) => Promise<string> | string
  /** Steps before the screenshot. */
  pose?: (page: Page) => Promise<void>
}

type TicketListReply = { tickets: { uuid: string; contact: { name: string } }[] }
const ticketOf = (name: string) => async (demo: DemoServer) => {
  const { tickets } = await demo.request<TicketListReply>('GET', '/tickets?status=open&pageNumber=1')
  return `/tickets/${tickets.find(({ contact }) => contact.name === name)?.uuid ?? ''}`
}
const waitForText = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor()

const screenshots: Screenshot[] = [
  {
    name: 'tickets',
    viewport: desktopViewport,
    path: ticketOf('Carolina Peñaflor'),
    async pose(page) {
      await waitForText(page, '¿Nos guardás el fogón para la noche?')
      await page
        .locator('header')
        .getByRole('button', { name: /Carolina Peñaflor/ })
        .first()
        .click()
      await waitForText(page, /^Los abuelos necesitan lancha/)
    },
  },
  {
    name: 'tickets-dark',
    viewport: desktopViewport,
    dark: true,
    path: ticketOf('Aline Rezende'),
    pose: (page) => waitForText(page, 'Confirmado! Como faço o sinal?'),
  },
  {
    name: 'mobile-list',
    viewport: phoneViewport,
    path: () => '/tickets',
    pose: (page) => waitForText(page, 'Carolina Peñaflor'),
  },
  {
    name: 'mobile-conversation',
    viewport: phoneViewport,
    path: ticketOf('Rosalind Achterberg'),
    pose: (page) => waitForText(page, /You are a lifesaver/),
  },
  {
    name: 'dashboard',
    viewport: { width: 1440, height: 1240 },
    // The demo also has data for the same number of days before, for the comparison.
    path: () => '/?days=15',
    pose: (page) => waitForText(page, 'Metas'),
  },
  {
    name: 'contacts',
    viewport: desktopViewport,
    path: () => '/contacts',
    pose: (page) => waitForText(page, 'Abril Carranza'),
  },
  {
    name: 'connections',
    viewport: desktopViewport,
    path: () => '/connections',
    pose: (page) => waitForText(page, 'Brasil'),
  },
  {
    name: 'command',
    viewport: desktopViewport,
    path: () => '/tickets',
    async pose(page) {
      await waitForText(page, 'Carolina Peñaflor')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').last().fill('vale')
      await waitForText(page, 'Valentina Sarmiento')
    },
  },
  {
    name: 'phone',
    viewport: desktopViewport,
    path: talkOnPhone,
    pose: (page) => waitForText(page, /Excursiones por el valle/),
  },
]

/** A new customer writes and gets the menu: the bot's answers appear beside the reasons for them. */
async function talkOnPhone(demo: DemoServer): Promise<string> {
  // At night the customer would get the out-of-hours text.
  await demo.request('PUT', '/settings/scheduleType', { value: 'disabled' })
  const [line] = await demo.request<{ id: number; name: string }[]>('GET', '/whatsapp')
  const from = '5490005550199'
  for (const body of ['Hola, llego el sábado', '2']) {
    await demo.request('POST', `/sandbox/${line?.id}/messages`, { from, name: 'Emilia Rocamora', body })
    // The bot answers messages one after another.
    await pause(1500)
  }
  return `/phone?line=${line?.id}&with=${from}`
}

/** A time zone where it is mid-afternoon, so that the agents are at work in the screenshots. */
function zoneWhereItIsAfternoon(): string {
  const ahead = 16 - new Date().getUTCHours()
  const east = ahead > 12 ? ahead - 24 : ahead
  // Offsets in these zone names have the opposite sign.
  return east === 0 ? 'Etc/GMT' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
}

async function takeScreenshot(browser: Browser, demo: DemoServer, shot: Screenshot): Promise<void> {
  const { name, viewport, dark, path, pose } = shot
  const context = await browser.newContext({
    ...{ baseURL: demo.address, viewport, locale: 'es', timezoneId: zoneWhereItIsAfternoon() },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    hasTouch: viewport === phoneViewport,
  })
  await applyLoginState(context, await demo.login())
  const page = await context.newPage()
  await page.goto(await path(demo))
  await pose?.(page)
  // Move the pointer to the corner, then wait for fonts, images and layout.
  await page.mouse.move(viewport.width - 1, viewport.height - 1)
  await page.evaluate(() => document.fonts.ready)
  await pause(1200)
  const picture = reducePngColors(await page.screenshot())
  await writeFile(join(folder, `${name}.png`), picture)
  console.log(`  ${name.padEnd(22)} ${Math.round(picture.length / 1024)} kB`)
  await context.close()
}

const words = process.argv.slice(2)
const web = words.find((word) => word.startsWith('--web='))?.slice(6)
const requestedNames = words.filter((word) => !word.startsWith('--'))
const demo = await openDemoServer(web)
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const shot of screenshots)
    if (!requestedNames.length || requestedNames.includes(shot.name)) await takeScreenshot(browser, demo, shot)
} finally {
  await browser.close()
  await demo.close()
}
process.exit(0)
