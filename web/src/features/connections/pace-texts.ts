import type { PaceMode } from '@recado/contract/connections'
import { defineTexts } from '../../lib/texts.ts'

type Modes = Record<PaceMode, string>

export const paceTexts = defineTexts({
  es: {
    why: 'WhatsApp bloquea números que de pronto escriben a mucha gente que no les ha escrito. Las respuestas salen siempre al momento; solo espera su turno lo que va a quien no ha escrito en las últimas 24 horas.',
    mode: 'Ritmo de envío',
    modes: { auto: 'Cuidar el número (recomendado)', own: 'Mis propios límites', off: 'Sin límites' } as Modes,
    modeHelp: {
      auto: 'Unas 10 personas al principio, y más a medida que la gente recibe y responde. Menos si WhatsApp rechaza, si no leen o si piden la baja. Nunca sin tope.',
      own: 'Tú eliges cuántos se envían por minuto y por día.',
      off: 'Todo se envía enseguida. Un número nuevo puede ser bloqueado.',
    } as Modes,
    locked: (until: string) => `WhatsApp no deja escribir a desconocidos hasta el ${until}`,
    lockedHelp: (until: string) =>
      `Hasta el ${until} WhatsApp no deja que este número escriba a quien no le ha escrito en las últimas cuatro semanas. Esos mensajes esperan; las respuestas salen igual. Después, durante una semana, envía a la mitad de su ritmo.`,
    perMinute: 'Mensajes por minuto',
    dailyCap: 'Tope por día',
    dailyCapHelp: 'Vacío: sin tope.',
    age: (days: number) => (days === 1 ? 'La línea tiene 1 día.' : `La línea tiene ${days} días.`),
    now: (perMinute: string) => `Ahora: hasta ${perMinute} por minuto.`,
    openOf: (line: string, said: string) => `${line}: ${said}. Ver el ritmo`,
    ofToday: (sent: string, cap: string) => `${sent} de ${cap} en 24 h`,
    waiting: (n: number, many: string, next: string | null) =>
      `${n === 1 ? '1 espera' : `${many} esperan`}${next ? `, ${n === 1 ? 'sale' : 'el próximo'} a las ${next}` : ''}`,
  },
  pt: {
    why: 'O WhatsApp bloqueia números que de repente escrevem para muita gente que não lhes escreveu. As respostas saem sempre na hora; só espera a vez o que vai para quem não escreveu nas últimas 24 horas.',
    mode: 'Ritmo de envio',
    modes: { auto: 'Proteger o número (recomendado)', own: 'Meus próprios limites', off: 'Sem limites' },
    modeHelp: {
      auto: 'Umas 10 pessoas no começo, e mais à medida que as pessoas recebem e respondem. Menos se o WhatsApp recusa, se não leem ou se pedem para sair. Nunca sem limite.',
      own: 'Você escolhe quantas são enviadas por minuto e por dia.',
      off: 'Tudo é enviado na hora. Um número novo pode ser bloqueado.',
    },
    locked: (until) => `O WhatsApp não deixa escrever para desconhecidos até ${until}`,
    lockedHelp: (until) =>
      `Até ${until} o WhatsApp não deixa este número escrever para quem não lhe escreveu nas últimas quatro semanas. Essas mensagens esperam; as respostas saem igual. Depois, por uma semana, envia na metade do ritmo.`,
    perMinute: 'Mensagens por minuto',
    dailyCap: 'Limite por dia',
    dailyCapHelp: 'Vazio: sem limite.',
    age: (days) => (days === 1 ? 'A linha tem 1 dia.' : `A linha tem ${days} dias.`),
    now: (perMinute) => `Agora: até ${perMinute} por minuto.`,
    openOf: (line, said) => `${line}: ${said}. Ver o ritmo`,
    ofToday: (sent, cap) => `${sent} de ${cap} em 24 h`,
    waiting: (n, many, next) =>
      `${n === 1 ? '1 espera' : `${many} esperam`}${next ? `, ${n === 1 ? 'sai' : 'a próxima'} às ${next}` : ''}`,
  },
  en: {
    why: "WhatsApp bans numbers that suddenly message lots of people who never wrote to them. Replies always go out right away; only messages to people who haven't written in the last 24 hours wait their turn.",
    mode: 'Sending pace',
    modes: { auto: 'Protect the number (recommended)', own: 'My own limits', off: 'No limits' },
    modeHelp: {
      auto: 'About 10 people at first, and more as people get messages and answer. Fewer when WhatsApp refuses, people don’t read or opt out. Never without a limit.',
      own: 'You choose how many go out per minute and per day.',
      off: 'Everything goes out right away. A new number can get banned.',
    },
    locked: (until) => `WhatsApp isn't allowing messages to strangers until ${until}`,
    lockedHelp: (until) =>
      `Until ${until} WhatsApp isn't letting this number message people who haven't written to it in the last four weeks. Those messages wait; replies go out as usual. Afterwards it sends at half its pace for a week.`,
    perMinute: 'Messages per minute',
    dailyCap: 'Daily limit',
    dailyCapHelp: 'Blank: no limit.',
    age: (days) => (days === 1 ? 'The line is 1 day old.' : `The line is ${days} days old.`),
    now: (perMinute) => `Right now: up to ${perMinute} per minute.`,
    openOf: (line, said) => `${line}: ${said}. See the pace`,
    ofToday: (sent, cap) => `${sent} of ${cap} in 24 h`,
    waiting: (n, many, next) =>
      `${n === 1 ? '1 waiting' : `${many} waiting`}${next ? `, ${n === 1 ? 'goes out' : 'next one'} at ${next}` : ''}`,
  },
})
