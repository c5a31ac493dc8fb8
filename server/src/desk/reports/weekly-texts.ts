import type { DashboardView, ReportTotals } from '@recado/contract/dashboard/dashboard'
import type { Language } from '@recado/contract/users'
import { renderWeeklyHtml } from './weekly-html.ts'

type WeeklyInput = {
  name: string
  company: string
  dashboard: DashboardView
  url: string
  visibility: 'all' | 'queues' | 'own'
}

/** Texts of the weekly mail, in the three languages. Spanish defines the shape. */
const es = {
  subject: (company: string, days: string) => `${company}: la semana del ${days}`,
  hello: (name: string) => `Hola, ${name}:`,
  about: { all: 'Así fue la semana.', queues: 'Así fue la semana en tus colas.', own: 'Así fue tu semana.' },
  between: ' al ',
  came: 'Llegaron',
  resolved: 'Resueltos',
  again: 'Reabiertos',
  wait: 'Espera promedio',
  answer: 'Primera respuesta',
  talk: 'Conversación promedio',
  rating: 'Calificación',
  ofThree: (rate: string, n: string) => `${rate} de 3 (${n} ${n === '1' ? 'respuesta' : 'respuestas'})`,
  answered: 'Respondidos a tiempo',
  ended: 'Resueltos a tiempo',
  formatPrevious: (value: string) => `antes ${value}`,
  queues: 'Por cola (llegaron, resueltos)',
  people: 'Por agente (resueltos)',
  look: 'Los números, con sus tickets:',
  openLabel: 'Ver los números con sus tickets',
  farewell: 'Recibes este correo porque lo pediste. Puedes desactivarlo en tu perfil.',
}
const pt: typeof es = {
  subject: (company, days) => `${company}: a semana de ${days}`,
  hello: (name) => `Olá, ${name}!`,
  about: { all: 'Assim foi a semana.', queues: 'Assim foi a semana nas suas filas.', own: 'Assim foi a sua semana.' },
  between: ' a ',
  came: 'Chegaram',
  resolved: 'Resolvidos',
  again: 'Reabertos',
  wait: 'Espera média',
  answer: 'Primeira resposta',
  talk: 'Conversa média',
  rating: 'Avaliação',
  ofThree: (rate, n) => `${rate} de 3 (${n} ${n === '1' ? 'resposta' : 'respostas'})`,
  answered: 'Respondidos a tempo',
  ended: 'Resolvidos a tempo',
  formatPrevious: (value) => `antes ${value}`,
  queues: 'Por fila (chegaram, resolvidos)',
  people: 'Por agente (resolvidos)',
  look: 'Os números, com seus tickets:',
  openLabel: 'Ver os números com seus tickets',
  farewell: 'Você recebe este e-mail porque pediu. Para parar, desative no seu perfil.',
}
const en: typeof es = {
  subject: (company, days) => `${company}: the week of ${days}`,
  hello: (name) => `Hi ${name},`,
  about: {
    all: "Here's how the week went.",
    queues: "Here's how the week went in your queues.",
    own: "Here's how your week went.",
  },
  between: ' to ',
  came: 'Came in',
  resolved: 'Resolved',
  again: 'Reopened',
  wait: 'Average wait',
  answer: 'First reply',
  talk: 'Average conversation',
  rating: 'Rating',
  ofThree: (rate, n) => `${rate} out of 3 (${n} ${n === '1' ? 'reply' : 'replies'})`,
  answered: 'Replied on time',
  ended: 'Resolved on time',
  formatPrevious: (value) => `previously ${value}`,
  queues: 'By queue (came in, resolved)',
  people: 'By agent (resolved)',
  look: 'The numbers, with their tickets:',
  openLabel: 'See the numbers with their tickets',
  farewell: 'You get this email because you asked for it. You can turn it off in your profile.',
}
const textsByLanguage: Record<Language, typeof es> = { es, pt, en }
const locales: Record<Language, string> = { es: 'es-CL', pt: 'pt-BR', en: 'en-GB' }

const shortDay = (day: string) => day.slice(5).split('-').reverse().join('/')
/** Formats a duration: 45 s, 11 min, 1 h 52 min. */
function formatAverageDuration(seconds: number, n: number): string | null {
  if (!n) return null
  const rounded = Math.round(seconds / n)
  if (rounded < 60) return `${rounded} s`
  const minutes = Math.round(rounded / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
const formatShare = (kept: number, late: number) =>
  kept + late ? `${Math.floor((kept / (kept + late)) * 100)} %` : null

export function renderWeeklyTexts(
  language: Language,
  { name, company, dashboard: seen, url, visibility: whose }: WeeklyInput,
) {
  const words = textsByLanguage[language]
  const number = (n: number, digits = 0) =>
    new Intl.NumberFormat(locales[language], { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(n)
  const { sums, before, queues, attendants } = seen
  const line = (label: string, of: (sums: ReportTotals) => string | null) => {
    const [current, previous] = [of(sums), before && of(before.sums)]
    return current === null ? [] : [{ label, current, previous }]
  }
  const figures = [
    ...(whose === 'own' ? [] : line(words.came, (s) => number(s.came))),
    ...line(words.resolved, (s) => number(s.resolved)),
    ...(whose === 'own' ? [] : line(words.again, (s) => number(s.again))),
    ...line(words.wait, (s) => formatAverageDuration(s.waitSeconds, s.waits)),
    ...line(words.answer, (s) => formatAverageDuration(s.answerSeconds, s.answers)),
    ...line(words.talk, (s) => formatAverageDuration(s.talkSeconds, s.talks)),
    ...line(words.rating, (s) => (s.rated ? words.ofThree(number(s.rateSum / s.rated, 1), number(s.rated)) : null)),
    ...line(words.answered, (s) => formatShare(s.answerKept, s.answerLate)),
    ...line(words.ended, (s) => formatShare(s.resolveKept, s.resolveLate)),
  ]
  const busy = queues.filter(({ came, resolved }) => came + resolved > 0)
  const people = attendants.filter(({ resolved }) => resolved > 0).toSorted((a, b) => b.resolved - a.resolved)
  const lists: { title: string; rows: [string, string][] }[] = [
    { title: words.queues, rows: busy.map((one) => [one.name, `${number(one.came)}, ${number(one.resolved)}`]) },
    { title: words.people, rows: people.map((one) => [one.name, number(one.resolved)]) },
  ]
  const shown = whose === 'own' ? [] : lists.filter(({ rows }) => rows.length)
  const [hello, about] = [words.hello(name), words.about[whose]]
  const parts = [
    `${hello}\n\n${about}`,
    figures
      .map(
        ({ label, current, previous }) =>
          `${label}: ${current}${previous === null ? '' : ` (${words.formatPrevious(previous)})`}`,
      )
      .join('\n'),
    ...shown.map(({ title, rows }) => [title, ...rows.map(([one, value]) => `${one}: ${value}`)].join('\n')),
    `${words.look}\n${url}`,
    words.farewell,
  ]
  const days = `${shortDay(seen.from)}${words.between}${shortDay(seen.to)}`
  const subject = words.subject(company, days)
  return {
    subject,
    text: `${parts.join('\n\n')}\n`,
    html: renderWeeklyHtml(
      { language, subject, greeting: hello, intro: about, reportLines: figures, lists: shown },
      { ...words, url },
    ),
  }
}
