import type { SkipReason } from '@recado/contract/campaigns/campaigns'
import { dateOfWallTime, toWallTime } from '@recado/contract/schedules/occurrences'
import type { Insertable } from 'kysely'
import { countCampaign } from '../src/desk/campaigns/recount.ts'
import type { ConfirmedPlan } from '../src/desk/tables.ts'
import { phoneKey } from '../src/directory/contacts/identity.ts'
import { addMs, days, minutes } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import type { DB } from '../src/kernel/data/tables.ts'
import type { DemoCustomer } from './customers.ts'
import { demoCompany } from './demo-company.ts'
import type { DemoFixtures } from './fixtures.ts'
import { makeStoryRandom, type StoryRandom } from './random.ts'

const seconds = (n: number) => n * 1000

type ListPerson = { name: string; number: string; email: string; contactId: number | null; isWhatsappValid: boolean }
type CampaignInput = { contactIds: Map<DemoCustomer, number>; fixtures: DemoFixtures }

/** People with invalid numbers. */
const invalidPeople = ['Ismael Cabral', 'Dalia Ferreyra', 'Nora Quintela'].map((name, n) => ({
  ...{ name, number: `549000555${9900 + n}`, email: '', contactId: null, isWhatsappValid: false },
}))

const campaignTexts = {
  message1: 'Hola {nombre}, vuelve la temporada de aves: salidas cada sábado a las 7. ¿Te guardamos un lugar?',
  message2: '{nombre}, los flamencos ya están en la laguna. Este mes, dos personas pagan una. ¿Vienes?',
  message3: 'Buenos días {nombre}: abrimos las salidas de avistaje. Responde SÍ y te contamos fechas y precios.',
}
/** Answers per hundred recipients for each of the texts: the second works best. */
const answerRates = [18, 34, 12]

/** Writes contact lists, a finished campaign, a scheduled campaign and a draft. */
export async function writeCampaigns(scope: Scope, { contactIds: people, fixtures }: CampaignInput): Promise<void> {
  const known = [...people]
    .filter(([{ isGroup }]) => !isGroup)
    .map(([customer, contactId]) => ({
      ...{ language: customer.language, name: customer.name, number: customer.number, email: customer.email },
      ...{ contactId, isWhatsappValid: true },
    }))
  const birds = [...known.filter(({ language }) => language !== 'pt'), ...invalidPeople]
  const birdList = await writeList(scope, 'Temporada de aves', birds, 20)
  const brasil = known.filter(({ language }) => language === 'pt')
  const brasilList = await writeList(scope, 'Clientes do Brasil', brasil, 12)
  const tagId = fixtures.tags.get('Vuelve cada año') ?? 0
  const question = { tagIds: [tagId], queueIds: [], wroteFrom: null, wroteUntil: null, field: null }
  const faithful = await scope.db
    .insertInto('contactLists')
    .values({
      ...{ companyId: scope.companyId, name: 'Vuelven cada año', question: JSON.stringify(question) },
      createdAt: addMs(scope.now(), -days(5)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeFinishedCampaign(scope, fixtures, birdList, birds)
  await writeCampaign(scope, fixtures, {
    ...{ name: 'Passeio de barco', status: 'PROGRAMADA', contactListId: brasilList },
    whatsappId: fixtures.lines.get('brasil') ?? null,
    message1: 'Oi {nome}, abrimos o passeio de barco pelo lago. Quer que a gente guarde um lugar?',
    message2: 'Oi {nome}! O barco volta no sábado, com café a bordo. Vamos?',
    scheduledAt: localMoment(scope, 3, '10:00'),
    createdAt: addMs(scope.now(), -days(1)),
  })
  await writeCampaign(scope, fixtures, {
    ...{ name: 'Gracias por volver', status: 'INATIVA', contactListId: faithful.id },
    whatsappId: fixtures.lines.get('recepcion') ?? null,
    message1: '{nombre}, gracias por volver cada año. Esta vez la primera noche invita la casa.',
    createdAt: addMs(scope.now(), -days(2)),
  })
}

/** A time by the company's clock, this many days from today. */
const localMoment = (scope: Scope, day: number, time: string): Date =>
  dateOfWallTime(
    `${toWallTime(addMs(scope.now(), days(day)), demoCompany.zone).slice(0, 10)}T${time}`,
    demoCompany.zone,
  )

async function writeList(scope: Scope, name: string, people: ListPerson[], daysAgo: number): Promise<number> {
  const createdAt = addMs(scope.now(), -days(daysAgo))
  const { companyId } = scope
  const valid = people.filter(({ isWhatsappValid }) => isWhatsappValid).length
  const counts = { contactsCount: people.length, validCount: valid, invalidCount: people.length - valid }
  const { id } = await scope.db
    .insertInto('contactLists')
    .values({ companyId, name, question: null, ...counts, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  await scope.db
    .insertInto('contactListItems')
    .values(
      people.map((one) => ({
        ...{ companyId, contactListId: id, name: one.name, number: one.number, email: one.email },
        ...{ key: phoneKey(one.number), isWhatsappValid: one.isWhatsappValid, checkAfter: createdAt, createdAt },
      })),
    )
    .execute()
  return id
}

type CampaignValues = Pick<
  Insertable<DB['campaigns']>,
  'name' | 'status' | 'contactListId' | 'whatsappId' | 'createdAt'
> &
  Partial<Insertable<DB['campaigns']>>
function writeCampaign(scope: Scope, { staff, queues }: DemoFixtures, given: CampaignValues) {
  const nothing = { tagId: null, fileListId: null, mediaPath: null, mediaName: null, held: null }
  const never = { scheduledAt: null, startedAt: null, completedAt: null }
  return scope.db
    .insertInto('campaigns')
    .values({
      ...{ companyId: scope.companyId, ...nothing, ...never, queueId: queues.get('excursiones') ?? null },
      ...{ userId: staff.get('Lucía Montes') ?? null, freshSince: given.createdAt, ...given },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A campaign sent last week, with the result of each of its messages. */
async function writeFinishedCampaign(
  scope: Scope,
  fixtures: DemoFixtures,
  contactListId: number,
  people: ListPerson[],
): Promise<void> {
  const random = makeStoryRandom(16)
  // The campaign started on a day when the company was open.
  const startedAt = [-9, -8, -7]
    .map((day) => localMoment(scope, day, '10:00'))
    .find((at) => at.getUTCDay() % 6 !== 0) as Date
  const shippings: Shipping[] = []
  let at = addMs(startedAt, seconds(8))
  for (const [n, person] of people.entries()) {
    shippings.push(makeShipping(random, person, n, at))
    if (person.isWhatsappValid) at = addMs(at, seconds(random.between(20, 26) + (n % 20 === 19 ? 60 : 0)))
  }
  const gets = shippings.filter(({ state }) => state !== 'skipped').length
  const [firstAt, lastAt] = [startedAt.toISOString(), addMs(startedAt, seconds(25 * gets)).toISOString()]
  const planned: ConfirmedPlan = {
    ...{ gets, doubled: 0, firstAt, lastAt, runs: [{ from: firstAt, until: lastAt, count: gets }] },
    days: [{ day: toWallTime(startedAt, demoCompany.zone).slice(0, 10), count: gets, full: false }],
  }
  const whatsappId = fixtures.lines.get('recepcion') ?? null
  const campaign = await writeCampaign(scope, fixtures, {
    ...{ name: 'Temporada de aves', status: 'FINALIZADA', contactListId, whatsappId, ...campaignTexts },
    ...{ scheduledAt: startedAt, startedAt, completedAt: addMs(at, seconds(30)), planned: JSON.stringify(planned) },
    createdAt: addMs(startedAt, -days(1)),
  })
  const { companyId } = scope
  await scope.db
    .insertInto('campaignShippings')
    .values(shippings.map((one) => ({ companyId, campaignId: campaign.id, whatsappId, ...one })))
    .execute()
  for (const { key, contactId, stoppedAt } of shippings)
    if (stoppedAt)
      await scope.db
        .insertInto('campaignStops')
        .values({
          companyId,
          key,
          contactId,
          whatsappId,
          campaignId: campaign.id,
          userId: null,
          word: 'Baja',
          at: stoppedAt,
        })
        .execute()
  await scope.db
    .updateTable('campaigns')
    .set({ counts: JSON.stringify(await countCampaign(scope, campaign)) })
    .where('companyId', '=', companyId)
    .where('id', '=', campaign.id)
    .execute()
}

type Shipping = Omit<Insertable<DB['campaignShippings']>, 'companyId' | 'campaignId' | 'whatsappId' | 'stoppedAt'> & {
  stoppedAt: Date | null
}
function makeShipping(random: StoryRandom, person: ListPerson, n: number, at: Date): Shipping {
  const { name, number, email, contactId } = person
  const variant = random.integer(1, 3)
  const body = Object.values(campaignTexts)[variant - 1] as string
  const row = {
    ...{
      contactId,
      key: phoneKey(number),
      name,
      number,
      email,
      variant,
      body: body.replace(/\{(nome|nombre)\}/, name),
    },
    ...{ reason: null, messageId: null, confirmationId: null, askedAt: null, confirmedAt: null, queuedAt: null },
    ...{ sentAt: null, deliveredAt: null, readAt: null, answeredAt: null, stoppedAt: null, settledAt: null },
  }
  if (!person.isWhatsappValid) return { ...row, state: 'skipped', reason: 'invalid' satisfies SkipReason }
  const sentAt = addMs(at, seconds(2))
  const left = { ...row, queuedAt: at, settledAt: sentAt }
  // Two messages could not be delivered.
  if (n === 7 || n === 19) return { ...left, state: 'failed', reason: n === 7 ? 'no-whatsapp' : 'unreachable' }
  const sent = { ...left, state: 'sent' as const, sentAt }
  if (!random.withProbability(0.94)) return sent
  const delivered = { ...sent, deliveredAt: addMs(sentAt, seconds(random.between(1, 90))) }
  if (n !== 3 && !random.withProbability(0.75)) return delivered
  const read = { ...delivered, readAt: addMs(sentAt, minutes(random.between(1, 30))) }
  if (n === 3) return { ...read, stoppedAt: addMs(sentAt, minutes(31)) }
  const isAnswered = random.withProbability((answerRates[variant - 1] as number) / 100 / 0.7)
  return isAnswered ? { ...read, answeredAt: addMs(sentAt, minutes(random.between(31, 50))) } : read
}
