// Renders the icons of the installed app from the logo into web/public. Run it when the logo changes; the
// images are committed, so that the build needs no browser.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'

const root = join(import.meta.dirname, '..')
const { chromium } = createRequire(join(root, 'e2e/package.json'))('playwright-core')
const target = join(root, 'web/public')
const favicon = readFileSync(join(target, 'favicon.svg'), 'utf8')
const letter = /translate[^>]* d="([^"]+)"/.exec(favicon)?.[1]
if (!letter) throw new Error('The letter is no longer where it was in favicon.svg')

const mark = (colour, share) =>
  `<svg viewBox="3 3 18.2 18.2" style="width:${share}%;height:${share}%"><path fill="${colour}" d="${letter}"/></svg>`
/** Launchers crop icons to circles and drops, so the content stays within the middle 80 %. */
const pictures = [
  ...[192, 512].map((size) => ({ name: `icon-${size}.png`, size, ground: 'transparent', inside: favicon })),
  ...[192, 512].map((size) => ({
    name: `icon-maskable-${size}.png`,
    size,
    ground: '#00687a',
    inside: mark('#fff', 46),
  })),
  // iOS paints transparent areas black.
  { name: 'apple-touch-icon.png', size: 180, ground: '#00687a', inside: mark('#fff', 54) },
  // Android's status bar uses only the shape and colours it itself.
  { name: 'badge-96.png', size: 96, ground: 'transparent', inside: mark('#fff', 84) },
]

const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox'] })
const page = await browser.newPage()
for (const { name, size, ground, inside } of pictures) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(
    `<style>html,body{margin:0;height:100%;background:${ground}}body{display:grid;place-items:center}body>svg{display:block;max-width:100%;max-height:100%}</style>${inside}`,
  )
  await page.screenshot({ path: join(target, name), omitBackground: true })
}
await browser.close()
