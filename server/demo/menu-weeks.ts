import { days, hours, later, minutes } from '../src/kernel/clock.ts'
import { pastDays } from './calendar.ts'
import { type Chance, makeChance } from './chance.ts'
import { type Customer, vocabularies } from './customers.ts'
import { lineOf, queues } from './firm.ts'
import { type MenuStep, plainly, type Spoken, type Story } from './story.ts'

const seed = 20_260_307
const hellos = { es: 'Hola, una consulta', pt: 'Oi, uma dúvida', en: 'Hi, a question' }
const lost = { es: 'quiero hablar con alguien', pt: 'quero falar com alguém', en: 'can I talk to somebody?' }

/** Who asked the menu and no person: most find when to arrive and leave, some go away on the way. */
export function menuWeeks(now: Date, weeks: number, regulars: Customer[]): Story[] {
  const chance = makeChance(seed)
  const people = regulars.filter((one) => !one.isGroup)
  return pastDays(now, weeks).flatMap((day) =>
    Array.from({ length: chance.whole(0, 3) }, () =>
      one(chance, chance.pick(people), later(day, hours(8) + hours(chance.between(0, 12)))),
    ).filter((story) => (story.spoken.at(-1)?.at.getTime() ?? 0) < now.getTime() - days(1)),
  )
}

function one(chance: Chance, customer: Customer, start: Date): Story {
  const { language } = customer
  const { menu } = vocabularies[language]
  const { greeting, options } = queues.reservas
  const own = [greeting, '', ...options.map(({ title }, n) => `*${n + 1}* ${title}`)].join('\n')
  const spoken: Spoken[] = []
  const steps: MenuStep[] = []
  let at = start.getTime()
  const say = (by: 'customer' | 'house', text: string, after: number) => {
    at += minutes(after)
    spoken.push({ ...plainly(by, text), at: new Date(at), member: null, bot: by === 'house' ? 'menu' : null })
  }
  const step = (queue: MenuStep['queue'], kind: MenuStep['kind']) =>
    steps.push({ at: new Date(at), queue, option: null, kind })
  say('customer', hellos[language], 0)
  say('house', menu, 0.1)
  const goesWrong = chance.often(0.25)
  const leaves = chance.often(0.3)
  if (goesWrong) {
    say('customer', lost[language], chance.between(0.5, 3))
    step(null, 'wrong')
    say('house', menu, 0.1)
  }
  if (!(leaves && goesWrong)) {
    say('customer', '1', chance.between(0.3, 2))
    step(null, 'right')
    say('house', own, 0.1)
  }
  const queue = leaves && goesWrong ? null : 'reservas'
  if (leaves) {
    // Closed when nobody had answered for long.
    step(queue, 'left')
  } else {
    say('customer', '3', chance.between(0.3, 2))
    step('reservas', 'right')
    say('house', options[2]?.message ?? '', 0.1)
  }
  return {
    ...{ customer, line: lineOf(language), queue, status: 'closed', agent: null, tags: [], spoken, notes: [] },
    ...{ rating: null, chatbot: false, menu: { steps, end: leaves ? 'left' : 'alone', until: new Date(at) } },
  }
}
