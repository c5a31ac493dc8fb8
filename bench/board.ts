import { setTimeout as pause } from 'node:timers/promises'
import { boardApi } from '@recado/contract/board/board'
import { chromium, type Page } from 'playwright-core'
import { ensureChromium } from '../scripts/chromium.mjs'
import { benchLine } from './inbound.ts'
import { openPlace, ownerOf, type Place } from './place.ts'
import { anyRow, fill, openPage, shown } from './workspace.ts'

/** Nine tags become lanes, and the tickets that wear them stand there; some stay in the lane without one. */
async function furnish(place: Place): Promise<void> {
  const pool = ownerOf(place)
  const c = place.companyId
  await pool.query(`insert into tags ("companyId", name, color) values (${c}, 'Tag 9', '#f08c00')`)
  await pool.query(`delete from "ticketTags" where "companyId" = ${c} and "ticketId" % 10 = 0`)
  await pool.query(`update "ticketTags" x set "tagId" = g.id from tags g
    where x."companyId" = ${c} and g."companyId" = ${c} and g.name = 'Tag 9' and x."ticketId" % 10 = 9
      and x."tagId" = (select min(y."tagId") from "ticketTags" y where y."companyId" = ${c} and y."ticketId" = x."ticketId")`)
  await pool.query(`update tags set kanban = 1, position = id where "companyId" = ${c}`)
  await pool.query('analyze')
  await pool.end()
}

/** The call alone, as the page makes it. */
async function asking(place: Place, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const response = await fetch(place.address + boardApi.show.path, {
      headers: { authorization: `Bearer ${place.admin.token}` },
    })
    await response.text()
    times.push(performance.now() - started)
  }
  return times
}

/** From the menu to the first card, each time in a fresh page. */
async function drawing(page: Page, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await page.goto('/tickets')
    await page.locator(anyRow).first().waitFor()
    await pause(500)
    times.push(
      await page.evaluate(([what, seen]) => stopwatch.press(what, seen), [
        'a[href="/kanban"]',
        'article[data-card]',
      ] as const),
    )
  }
  return times
}

/** The board in a real browser, over a house with twice as many tickets. */
export async function board(o: { tickets: number }) {
  const place = await openPlace()
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    await fill(place, await benchLine(place), o.tickets, 0)
    await furnish(place)
    const page = await openPage(browser, place)
    await drawing(page, 2)
    return {
      [`board of ten lanes and ${o.tickets} tickets, first drawing`]: shown(await drawing(page, 10), 300),
      'the call behind it': shown(await asking(place, 20)),
    }
  } finally {
    await browser.close()
    await place.close()
  }
}
