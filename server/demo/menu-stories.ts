import { addMs, days, hours, minutes } from '../src/kernel/clock.ts'
import { listPastDays } from './calendar.ts'
import { type DemoCustomer, vocabularyByLanguage } from './customers.ts'
import { demoQueues, lineForLanguage } from './demo-company.ts'
import { makeStoryRandom, type StoryRandom } from './random.ts'
import { makeTextLine, type Story, type StoryMenuStep, type StoryMessage } from './story.ts'

const seed = 20_260_307
const greetings = { es: 'Hola, una consulta', pt: 'Oi, uma dúvida', en: 'Hi, a question' }
const confusedTexts = { es: 'quiero hablar con alguien', pt: 'quero falar com alguém', en: 'can I talk to somebody?' }

/** Customers who used only the menu: most find their check-in and check-out times, some leave midway. */
export function makeMenuStories(now: Date, weeks: number, regulars: DemoCustomer[]): Story[] {
  const random = makeStoryRandom(seed)
  const people = regulars.filter((one) => !one.isGroup)
  return listPastDays(now, weeks).flatMap((day) =>
    Array.from({ length: random.integer(0, 3) }, () =>
      makeMenuStory(random, random.pick(people), addMs(day, hours(8) + hours(random.between(0, 12)))),
    ).filter((story) => (story.messages.at(-1)?.at.getTime() ?? 0) < now.getTime() - days(1)),
  )
}

function makeMenuStory(random: StoryRandom, customer: DemoCustomer, start: Date): Story {
  const { language } = customer
  const { menu } = vocabularyByLanguage[language]
  const { greeting, options } = demoQueues.reservas
  const own = [greeting, '', ...options.map(({ title }, n) => `*${n + 1}* ${title}`)].join('\n')
  const messages: StoryMessage[] = []
  const steps: StoryMenuStep[] = []
  let at = start.getTime()
  const addMessage = (by: 'customer' | 'house', text: string, after: number) => {
    at += minutes(after)
    messages.push({ ...makeTextLine(by, text), at: new Date(at), member: null, bot: by === 'house' ? 'menu' : null })
  }
  const step = (queue: StoryMenuStep['queue'], kind: StoryMenuStep['kind']) =>
    steps.push({ at: new Date(at), queue, option: null, kind })
  addMessage('customer', greetings[language], 0)
  addMessage('house', menu, 0.1)
  const goesWrong = random.withProbability(0.25)
  const leaves = random.withProbability(0.3)
  if (goesWrong) {
    addMessage('customer', confusedTexts[language], random.between(0.5, 3))
    step(null, 'wrong')
    addMessage('house', menu, 0.1)
  }
  if (!(leaves && goesWrong)) {
    addMessage('customer', '1', random.between(0.3, 2))
    step(null, 'right')
    addMessage('house', own, 0.1)
  }
  const queue = leaves && goesWrong ? null : 'reservas'
  if (leaves) {
    // The conversation was closed after a long time without an answer.
    step(queue, 'left')
  } else {
    addMessage('customer', '3', random.between(0.3, 2))
    step('reservas', 'right')
    addMessage('house', options[2]?.message ?? '', 0.1)
  }
  return {
    ...{
      customer,
      line: lineForLanguage(language),
      queue,
      status: 'closed',
      agent: null,
      tags: [],
      messages: messages,
      notes: [],
    },
    ...{ rating: null, chatbot: false, menu: { steps, end: leaves ? 'left' : 'alone', until: new Date(at) } },
  }
}
