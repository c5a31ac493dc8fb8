import type { BrowserContext, Page } from 'playwright-core'
import { png } from '../server/test/uploads.ts'

/** What no person would notice and every story must: one line each. */
export type Problems = string[]

export function watch(page: Page, address: string, problems: Problems): void {
  const pathOf = (url: string) => url.replace(address, '').replace(/\?.*/, '')
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // Content policy violations are told here too. Refused calls are told twice: the reply below says which one it was.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource: the server responded'))
      problems.push(`console: ${message.text()} (${pathOf(message.location().url)})`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    const request = response.request()
    problems.push(`${response.status()} ${request.method()} ${pathOf(response.url())}`)
  })
}

/** The videos of the help page are YouTube's; here a picture and a page stand for them. Nobody else is called. */
export async function keepStrangersOut(context: BrowserContext, address: string, problems: Problems): Promise<void> {
  await context.route(
    (url) => url.origin !== address && url.protocol.startsWith('http'),
    (route) => {
      const url = new URL(route.request().url())
      if (url.host === 'i.ytimg.com') return route.fulfill({ contentType: 'image/png', body: png })
      const title = '<!doctype html><html lang="es"><title>Video</title><main><h1>Video</h1></main></html>'
      if (url.host === 'www.youtube-nocookie.com') return route.fulfill({ contentType: 'text/html', body: title })
      problems.push(`a call to a stranger: ${url}`)
      return route.abort()
    },
  )
}
