import { readFileSync, statSync } from 'node:fs'
import type { Page, Request } from 'playwright-core'

const dist = new URL('../web/dist/', import.meta.url)

/** A page counts as idle after this long without a pending or new request. */
const idleMs = 500

/** The scripts a page requests until it is idle, in a browser with an empty cache. */
export async function collectLoadedScripts(page: Page, path: string): Promise<Set<string>> {
  const scripts = new Set<string>()
  const under = new Set<Request>()
  let last = Date.now()
  const onRequest = (request: Request) => {
    last = Date.now()
    under.add(request)
    const file = new URL(request.url()).pathname.slice(1)
    if (/^assets\/.*\.js$/.test(file)) scripts.add(file)
  }
  const ended = (request: Request) => {
    last = Date.now()
    under.delete(request)
  }
  page.on('request', onRequest).on('requestfinished', ended).on('requestfailed', ended)
  await page.goto(path)
  await page.locator('h1').first().waitFor({ state: 'attached' })
  while (under.size > 0 || Date.now() - last < idleMs) {
    // Wait until work scheduled for idle time has run.
    await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => setTimeout(done, 50))))
  }
  page.off('request', onRequest).off('requestfinished', ended).off('requestfailed', ended)
  return scripts
}

/** The size in bytes, compressed as the server sends the files. */
export const compressedBytes = (files: Iterable<string>, as: 'gz' | 'br' = 'gz'): number =>
  [...files].reduce((sum, file) => sum + statSync(new URL(`${file}.${as}`, dist)).size, 0)

/** The largest modules, each with its share of the files it is in. */
export function largestModules(files: Iterable<string>, limit: number): { name: string; bytes: number }[] {
  const inside = JSON.parse(readFileSync(new URL('.vite/modules.json', dist), 'utf8')) as Record<
    string,
    Record<string, number>
  >
  const found = new Map<string, number>()
  for (const file of files) {
    const modules = Object.entries(inside[file] ?? {})
    const all = modules.reduce((sum, [, length]) => sum + length, 0)
    for (const [name, length] of modules)
      found.set(name, (found.get(name) ?? 0) + (compressedBytes([file]) * length) / Math.max(all, 1))
  }
  return [...found]
    .map(([name, bytes]) => ({ name, bytes }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, limit)
}

/** Limits in kB of gzipped JavaScript: for the login page, and for what each screen loads in addition. */
export const maxScriptKb = { login: 162, screen: 153, tickets: 190, campaign: 190, dashboard: 122, automation: 165 }
