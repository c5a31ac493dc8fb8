import { setTimeout as pause } from 'node:timers/promises'
import { boardApi } from '@recado/contract/board/board'
import { chromium, type Page } from 'playwright-core'
import { ensureChromium } from '../scripts/chromium.mjs'
import { type BenchServer, openBenchServer, openOwnerPool, roundTo } from './bench-server.ts'
import { createBenchLine } from './inbound.ts'
import { formatPercentiles, openAgentPage, seedTickets, ticketRowSelector } from './workspace.ts'

/** Turns nine tags into lanes and gives them tickets; some tickets stay in the default lane. */
async function seedBoard(benchServer: BenchServer): Promise<void> {
  const pool = openOwnerPool(benchServer)
  const c = benchServer.companyId
  await pool.query(`insert into tags ("companyId", name, color) values (${c}, 'Tag 9', '#f08c00')`)
  await pool.query(`delete from "ticketTags" where "companyId" = ${c} and "ticketId" % 10 = 0`)
  await pool.query(`update "ticketTags" x set "tagId" = g.id from tags g
    where x."companyId" = ${c} and g."companyId" = ${c} and g.name = 'Tag 9' and x."ticketId" % 10 = 9
      and x."tagId" = (select min(y."tagId") from "ticketTags" y where y."companyId" = ${c} and y."ticketId" = x."ticketId")`)
  await pool.query(`update tags set kanban = 1, position = id where "companyId" = ${c}`)
  await pool.query('analyze')
  await pool.end()
}

/** Measures only the API call that the board page makes. */
async function measureBoardCall(benchServer: BenchServer, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const response = await fetch(benchServer.address + boardApi.show.path, {
      headers: { authorization: `Bearer ${benchServer.admin.token}` },
    })
    await response.text()
    times.push(performance.now() - started)
  }
  return times
}

/** Measures the time from the click in the menu to the first card, each time in a new page. */
async function measureFirstCard(page: Page, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.goto('/tickets')
    await page.locator(ticketRowSelector).first().waitFor()
    await pause(500)
    times.push(
      await page.evaluate(([what, seen]) => stopwatch.measureClick(what, seen), [
        'a[href="/kanban"]',
        'article[data-card]',
      ] as const),
    )
  }
  return times
}

/** Measures how long it takes until a card moved by another user appears in its new lane in this browser. */
async function measureCardMove(benchServer: BenchServer, page: Page, rounds: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${benchServer.admin.token}`, 'content-type': 'application/json' }
  const columns = async () => {
    const board = await (await fetch(benchServer.address + boardApi.show.path, { headers })).json()
    return (board as { columns: { laneId: number | null; cards: { id: number }[] }[] }).columns
  }
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    // The card moves back and forth between two lanes, where it is on top as the newest card.
    const [, one, other] = await columns()
    const [from, to] = round % 2 ? [other, one] : [one, other]
    const id = from?.cards[0]?.id
    const there = page.evaluate(async (card) => {
      const lane = () => document.querySelector(`[data-card="${card}"]`)?.closest('ul')
      const before = lane()
      const end = Date.now() + 5000
      while ((lane() === before || !lane()) && Date.now() < end) await new Promise(requestAnimationFrame)
      return Date.now()
    }, id)
    await pause(100)
    const started = Date.now()
    await fetch(`${benchServer.address}/kanban/cards/${id}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ laneId: to?.laneId }),
    })
    times.push((await there) - started)
  }
  return times
}

/** Measures frame times while a lane scrolls and loads its next pages. */
const measureScrollFrames = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const box = document.querySelector('[data-card]')?.closest('ul')?.parentElement as HTMLElement
    const frames: number[] = []
    let last = performance.now()
    while (frames.length < 240) {
      await new Promise(requestAnimationFrame)
      frames.push(performance.now() - last)
      last = performance.now()
      box.scrollTop += 40
    }
    return frames
  })

/** Measures the board in a real browser, on a server with twice as many tickets. */
export async function benchBoard(o: { tickets: number }) {
  const benchServer = await openBenchServer()
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await seedTickets(benchServer, await createBenchLine(benchServer), o.tickets, 0)
    await seedBoard(benchServer)
    const page = await openAgentPage(browser, benchServer)
    await measureFirstCard(page, 2)
    const first = await measureFirstCard(page, 10)
    const frames = await measureScrollFrames(page)
    await page.goto('/kanban')
    await page.locator('article[data-card]').first().waitFor()
    await pause(1500)
    return {
      [`board of ten lanes and ${o.tickets} tickets, first drawing`]: formatPercentiles(first, 300),
      'scrolling a lane, a frame': `${formatPercentiles(frames, 16.7)}, ${roundTo((frames.filter((f) => f > 25).length / frames.length) * 100)} % late`,
      'a card that somebody moves, on the other screen': formatPercentiles(
        await measureCardMove(benchServer, page, 20),
        150,
      ),
      'the call behind it': formatPercentiles(await measureBoardCall(benchServer, 20)),
    }
  } finally {
    await browser.close()
    await benchServer.close()
  }
}
