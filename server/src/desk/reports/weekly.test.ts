import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { usersApi } from '@recado/contract/users'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDesk } from '../../../test/desk.ts'
import {
  closeTestServers,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { currentMonday, mailWeeklyReports } from './weekly.ts'
import { renderWeeklyTexts } from './weekly-texts.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

it.each([
  ['2026-11-16T09:59:00Z', 'America/Sao_Paulo', null],
  ['2026-11-16T10:00:00Z', 'America/Sao_Paulo', '2026-11-16'],
  ['2026-11-17T02:59:00Z', 'America/Sao_Paulo', '2026-11-16'],
  ['2026-11-17T10:00:00Z', 'America/Sao_Paulo', null],
  // In this zone it is already Monday.
  ['2026-11-15T22:00:00Z', 'Asia/Tokyo', '2026-11-16'],
])('finds the latest Monday whose morning has begun, at %s in %s: %s', (now, zone, monday) => {
  expect(currentMonday(new Date(now), zone)).toBe(monday)
})

it('mails subscribers once, in their language, with the data they may see, whatever the number of processes', async () => {
  const d = await openDesk(harness)
  const [sales, help] = [await d.createQueue('Ventas'), await d.createQueue('Soporte')]
  const agent = await d.createUser('user', [sales])
  const lead = await d.createUser('supervisor', [sales])
  const quiet = await d.createUser('user', [sales])
  // On Wednesday of the week before, two tickets were closed in sales and one in support.
  const contact = await d.newTicket()
  for (const [queueId, userId] of [
    [sales.id, agent.id],
    [sales.id, quiet.id],
    [help.id, quiet.id],
  ] as const)
    await d.db
      .insertInto('ticketTracking')
      .values({
        ...{ companyId: d.company.id, ticketId: contact.id, whatsappId: d.line.id, queueId, userId, began: 'new' },
        ...{ createdAt: '2031-03-05T14:00:00Z', queuedAt: '2031-03-05T14:00:00Z', startedAt: '2031-03-05T14:03:00Z' },
        ...{ finishedAt: '2031-03-05T14:10:00Z', endedBy: 'resolved' },
      })
      .execute()
  const want = (who: TestUser, name: string, profile = 'user') =>
    who.call(usersApi.update, {
      params: { id: who.id },
      body: { name, email: who.email, profile, weeklyMail: true } as never,
    })
  expect(await want(agent, 'Beto')).toMatchObject({ weeklyMail: true })
  await want(lead, 'Olga')
  await want(d.admin, 'Ana', 'admin')
  await d.admin.call(usersApi.setLanguage, { params: { lang: 'en' } })
  await lead.call(usersApi.setLanguage, { params: { lang: 'pt' } })
  await agent.call(usersApi.setLanguage, { params: { lang: 'es' } })
  // A user cannot subscribe another user.
  expect(
    await d.admin.call(usersApi.update, {
      params: { id: quiet.id },
      body: { name: 'Quieta', email: quiet.email, weeklyMail: true } as never,
    }),
  ).toMatchObject({ weeklyMail: false })

  const twin = await startSecondProcess(harness)
  const both = () =>
    Promise.all(
      [harness.server.deps, twin.deps].map((deps) => mailWeeklyReports(new Scope(deps, { companyId: 0, wide: true }))),
    )
  const mailsTo = async ({ email }: TestUser) => {
    const names = await readdir(join(harness.dataDir, 'mail')).catch(() => [])
    const own = names.filter((name) => name.includes(email))
    return Promise.all(own.map((name) => readFile(join(harness.dataDir, 'mail', name), 'utf8')))
  }
  // The following Monday, a minute before seven and then at seven, in São Paulo.
  const early = Date.parse('2031-03-10T09:59:00Z') - harness.clock.now().getTime()
  await d.withClockForward(early, async () => {
    await both()
  })
  const claimed = () =>
    d.db
      .selectFrom('users')
      .select('id')
      .where('companyId', '=', d.company.id)
      .where('weeklyMailedOn', 'is not', null)
      .execute()
  expect(await claimed()).toEqual([])
  await d.withClockForward(early + minutes(2), async () => {
    await both()
    await both()
  })
  expect((await claimed()).map(({ id }) => id).sort()).toEqual([agent.id, lead.id, d.admin.id].sort())
  await vi.waitFor(async () => {
    for (const who of [agent, lead, d.admin]) expect(await mailsTo(who)).toHaveLength(1)
  })
  const [own] = await mailsTo(agent)
  expect(own).toMatch(
    /la semana del 03\/03 al 09\/03[\s\S]+Hola, Beto:[\s\S]+Así fue tu semana[\s\S]+Resueltos: 1 \(antes 0\)/,
  )
  expect(own).toContain('/figures?from=2031-03-03&to=2031-03-09')
  expect(own).not.toMatch(/Ventas|Quieta/)
  const [led] = await mailsTo(lead)
  expect(led).toMatch(/a semana de 03\/03 a 09\/03[\s\S]+Chegaram: 2[\s\S]+Espera média: 3 min[\s\S]+Ventas: 2, 2/)
  expect(led).not.toContain('Soporte')
  const [all] = await mailsTo(d.admin)
  expect(all).toMatch(/the week of 03\/03 to 09\/03[\s\S]+Resolved: 3 \(previously 0\)[\s\S]+Soporte: 1, 1/)
  expect(await mailsTo(quiet)).toEqual([])
})

it('renders an HTML mail with the same numbers, without external resources, and with escaped names', () => {
  const none = { from: '2031-03-03', to: '2031-03-09', attendants: [{ name: '<b>Ana</b>', resolved: 7 }] }
  const queue = { name: 'Ventas & más', came: 9, resolved: 7 }
  const [sums, was] = [
    { came: 9, resolved: 7, again: 1, waits: 2, waitSeconds: 360 },
    { came: 4, resolved: 4, again: 0 },
  ]
  const seen = { ...none, sums, before: { sums: was }, queues: [queue] } as never
  const week = { name: 'Beto', company: 'Andina', dashboard: seen, url: 'https://desk.example/?from=a&to=b' }
  const { html, text } = renderWeeklyTexts('es', { ...week, visibility: 'all' })
  expect(text).toContain('Llegaron: 9 (antes 4)')
  expect(html).toMatch(/Llegaron<\/td><td[^>]*>9<span[^>]*>antes 4<\/span><\/td>/)
  expect(html).toContain('href="https://desk.example/?from=a&amp;to=b"')
  expect(html).toContain('&lt;b&gt;Ana&lt;/b&gt;')
  expect(html).toContain('Ventas &amp; más')
  expect(html).not.toMatch(/<b>Ana|<img|<script|<link|url\(/)
  expect(renderWeeklyTexts('es', { ...week, visibility: 'own' }).html).not.toContain('Ventas')
  // Singular forms, in each language.
  const rated = (n: number) => {
    const rates = { ...sums, rated: n, rateSum: 3 * n }
    return {
      ...week,
      visibility: 'own' as const,
      dashboard: { ...none, sums: rates, before: null, queues: [] } as never,
    }
  }
  for (const [language, one, two] of [
    ['es', '3,0 de 3 (1 respuesta)', '(2 respuestas)'],
    ['pt', '3,0 de 3 (1 resposta)', '(2 respostas)'],
    ['en', '3.0 out of 3 (1 reply)', '(2 replies)'],
  ] as const) {
    expect(renderWeeklyTexts(language, rated(1)).text).toContain(one)
    expect(renderWeeklyTexts(language, rated(2)).text).toContain(two)
  }
})
