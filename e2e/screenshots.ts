import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureChromium } from '../scripts/chromium.mjs'
import { type DemoHouse, openDemoHouse } from './demo-house.ts'
import { enter } from './enter.ts'
import { slim } from './slim-png.ts'

/**
 * `npm run screenshots`: the pictures of the README, taken from the demo. A name after `--` takes only that one;
 * `--web=folder` shows another build of the web app.
 */
const folder = join(import.meta.dirname, '../docs/screenshots')
const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 844 }

type Shot = {
  name: string
  viewport: typeof wide
  dark?: boolean
  path: (demo: DemoHouse) => Promise<string> | string
  /** What is done before the picture is taken. */
  pose?: (page: Page) => Promise<void>
}

type Listed = { tickets: { uuid: string; contact: { name: string } }[] }
const ticketOf = (name: string) => async (demo: DemoHouse) => {
  const { tickets } = await demo.ask<Listed>('GET', '/tickets?status=open&pageNumber=1')
  return `/tickets/${tickets.find(({ contact }) => contact.name === name)?.uuid ?? ''}`
}
const sees = (page: Page, text: string | RegExp) => page.getByText(text).filter({ visible: true }).first().waitFor()

const shots: Shot[] = [
  {
    name: 'tickets',
    viewport: wide,
    path: ticketOf('Carolina Peñaflor'),
    async pose(page) {
      await sees(page, '¿Nos guardás el fogón para la noche?')
      await page
        .locator('header')
        .getByRole('button', { name: /Carolina Peñaflor/ })
        .first()
        .click()
      await sees(page, /^Los abuelos necesitan lancha/)
    },
  },
  {
    name: 'tickets-dark',
    viewport: wide,
    dark: true,
    path: ticketOf('Aline Rezende'),
    pose: (page) => sees(page, 'Confirmado! Como faço o sinal?'),
  },
  { name: 'mobile-list', viewport: narrow, path: () => '/tickets', pose: (page) => sees(page, 'Carolina Peñaflor') },
  {
    name: 'mobile-conversation',
    viewport: narrow,
    path: ticketOf('Rosalind Achterberg'),
    pose: (page) => sees(page, /You are a lifesaver/),
  },
  {
    name: 'dashboard',
    viewport: { width: 1440, height: 1240 },
    // The demo knows as many days before them.
    path: () => '/?days=15',
    pose: (page) => sees(page, 'Metas'),
  },
  { name: 'contacts', viewport: wide, path: () => '/contacts', pose: (page) => sees(page, 'Abril Carranza') },
  { name: 'connections', viewport: wide, path: () => '/connections', pose: (page) => sees(page, 'Brasil') },
  {
    name: 'command',
    viewport: wide,
    path: () => '/tickets',
    async pose(page) {
      await sees(page, 'Carolina Peñaflor')
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').last().fill('vale')
      await sees(page, 'Valentina Sarmiento')
    },
  },
  { name: 'phone', viewport: wide, path: talkOnPhone, pose: (page) => sees(page, /Excursiones por el valle/) },
]

/** Somebody new writes and meets the menu: its answers stand beside the reasons for them. */
async function talkOnPhone(demo: DemoHouse): Promise<string> {
  // At night they would be told that nobody is there.
  await demo.ask('PUT', '/settings/scheduleType', { value: 'disabled' })
  const [line] = await demo.ask<{ id: number; name: string }[]>('GET', '/whatsapp')
  const from = '5490005550199'
  for (const body of ['Hola, llego el sábado', '2']) {
    await demo.ask('POST', `/sandbox/${line?.id}/messages`, { from, name: 'Emilia Rocamora', body })
    // The bot answers what it has heard, one after the other.
    await pause(1500)
  }
  return `/phone?line=${line?.id}&with=${from}`
}

/** A place on earth where it is the middle of the afternoon: whenever the pictures are taken, people are at work in them. */
function afternoon(): string {
  const ahead = 16 - new Date().getUTCHours()
  const east = ahead > 12 ? ahead - 24 : ahead
  // These names count westwards.
  return east === 0 ? 'Etc/GMT' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
}

async function take(browser: Browser, demo: DemoHouse, shot: Shot): Promise<void> {
  const { name, viewport, dark, path, pose } = shot
  const context = await browser.newContext({
    ...{ baseURL: demo.address, viewport, locale: 'es', timezoneId: afternoon() },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    hasTouch: viewport === narrow,
  })
  await enter(context, await demo.admit())
  const page = await context.newPage()
  await page.goto(await path(demo))
  await pose?.(page)
  // Nothing under the pointer, fonts and pictures there, and whatever still settles.
  await page.mouse.move(viewport.width - 1, viewport.height - 1)
  await page.evaluate(() => document.fonts.ready)
  await pause(1200)
  const picture = slim(await page.screenshot())
  await writeFile(join(folder, `${name}.png`), picture)
  console.log(`  ${name.padEnd(22)} ${Math.round(picture.length / 1024)} kB`)
  await context.close()
}

const words = process.argv.slice(2)
const web = words.find((word) => word.startsWith('--web='))?.slice(6)
const wanted = words.filter((word) => !word.startsWith('--'))
const demo = await openDemoHouse(web)
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const shot of shots) if (!wanted.length || wanted.includes(shot.name)) await take(browser, demo, shot)
} finally {
  await browser.close()
  await demo.close()
}
process.exit(0)
