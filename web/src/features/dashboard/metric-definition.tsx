import { defineTexts, useTexts } from '../../lib/texts.ts'

const texts = defineTexts({
  es: {
    answer: 'Promedio desde que hace falta una persona hasta la primera respuesta, de quienes esperaron.',
    next: 'Promedio desde que el cliente vuelve a escribir hasta que alguien le contesta, después de la primera respuesta.',
    once: 'Resueltos por una sola persona, sin transferir, cuyo cliente no volvió a escribir en siete días; y qué porcentaje son de los resueltos.',
    open: 'Tickets abiertos en este momento, sin importar las fechas.',
    pending: 'Tickets que esperan en este momento, sin importar las fechas.',
    resolved: 'Tickets cerrados en estas fechas. Cuentan para quien los atendió; incluye los del bot.',
    contacts: 'Contactos que se guardaron en estas fechas. Los otros filtros no cambian este número.',
    talk: 'Promedio desde que alguien acepta hasta que resuelve, transfiere o devuelve. Cada agente cuenta su parte.',
    wait: 'Promedio desde que hace falta una persona (el bot se fue, o no había) hasta que alguien acepta.',
    came: 'Conversaciones que empezaron en estas fechas, también las que volvieron a abrirse.',
    again: 'Conversaciones cerradas que volvieron a abrirse.',
    transferred: 'Veces que un ticket pasó a otra cola o persona.',
    returned: 'Veces que alguien devolvió un ticket a la cola.',
    alone: 'Tickets que el bot cerró sin que nadie los aceptara, y qué porcentaje son de los resueltos.',
    rating: 'Promedio simple de las respuestas de los clientes, de 1 (insatisfecho) a 3 (muy satisfecho).',
    perDay:
      'Conversaciones que empezaron y tickets resueltos, cada uno cuando pasó, según el reloj de la empresa. La línea discontinua es el periodo anterior.',
    goals:
      'Cada cola promete responder y resolver en tantos minutos de su horario, desde que hace falta una persona. A tiempo: los que cumplió, de los que cumplió o se atrasaron. En riesgo: ya venció, o queda menos de un quinto del plazo.',
    agents:
      'Ahora: conversaciones abiertas en este momento. Tiempo de atención: promedio desde que acepta hasta que resuelve, transfiere o devuelve. Las estrellas son el promedio de sus calificaciones, de 1 a 3.',
    week: 'En qué día y hora de la semana empezaron las conversaciones, o cuánto esperaron las que se aceptaron a esa hora, según el reloj de la empresa.',
    queues:
      'Lo que pasó en cada cola. Un ticket transferido cuenta en cada una con su parte; llega a la cola en la que espera.',
  },
  pt: {
    answer: 'Média desde que uma pessoa é necessária até a primeira resposta, de quem esperou.',
    next: 'Média desde que o cliente volta a escrever até alguém responder, depois da primeira resposta.',
    once: 'Resolvidos por uma só pessoa, sem transferência, cujo cliente não voltou a escrever em sete dias; e o percentual deles entre os resolvidos.',
    open: 'Tickets abertos neste momento, sejam quais forem as datas.',
    pending: 'Tickets que aguardam neste momento, sejam quais forem as datas.',
    resolved: 'Tickets fechados nestas datas. Contam para quem atendeu; inclui os do bot.',
    contacts: 'Contatos salvos nestas datas. Os outros filtros não mudam este número.',
    talk: 'Média desde que alguém aceita até resolver, transferir ou devolver. Cada agente conta a sua parte.',
    wait: 'Média desde que uma pessoa é necessária (o bot saiu, ou não havia) até alguém aceitar.',
    came: 'Conversas que começaram nestas datas, também as que foram reabertas.',
    again: 'Conversas fechadas que foram reabertas.',
    transferred: 'Vezes que um ticket passou para outra fila ou pessoa.',
    returned: 'Vezes que alguém devolveu um ticket à fila.',
    alone: 'Tickets que o bot fechou sem ninguém aceitar, e o percentual deles entre os resolvidos.',
    rating: 'Média simples das respostas dos clientes, de 1 (insatisfeito) a 3 (muito satisfeito).',
    perDay:
      'Conversas que começaram e tickets resolvidos, cada um quando aconteceu, pelo relógio da empresa. A linha tracejada é o período anterior.',
    goals:
      'Cada fila promete responder e resolver em tantos minutos do seu horário, desde que uma pessoa é necessária. A tempo: os que cumpriu, entre os que cumpriu ou atrasou. Em risco: já venceu, ou resta menos de um quinto do prazo.',
    agents:
      'Agora: conversas abertas neste momento. Tempo de atendimento: média desde que aceita até resolver, transferir ou devolver. As estrelas são a média das suas avaliações, de 1 a 3.',
    week: 'Em que dia e hora da semana as conversas começaram, ou quanto esperaram as que foram aceitas nessa hora, pelo relógio da empresa.',
    queues:
      'O que aconteceu em cada fila. Um ticket transferido conta em cada uma com a sua parte; chega à fila em que espera.',
  },
  en: {
    answer: 'Average time from when a person is needed to the first reply, for customers who waited.',
    next: 'Average time from when a customer writes again to someone replying, after the first reply.',
    once: "Resolved by a single person with no transfer, and the customer didn't write again within seven days; plus their share of all resolved tickets.",
    open: 'Tickets open right now, regardless of the dates.',
    pending: 'Tickets waiting right now, regardless of the dates.',
    resolved:
      'Tickets closed on these dates. They count for whoever handled them; tickets the bot closed are included.',
    contacts: "Contacts saved on these dates. The other filters don't affect this number.",
    talk: 'Average time from accepting a ticket to resolving, transferring or returning it. Each agent counts their own part.',
    wait: "Average time from when a person is needed (the bot left, or there wasn't one) to someone accepting.",
    came: 'Conversations started on these dates, including reopened ones.',
    again: 'Closed conversations that were reopened.',
    transferred: 'Number of times a ticket moved to another queue or person.',
    returned: 'Number of times someone returned a ticket to the queue.',
    alone: 'Tickets the bot closed without anyone accepting them, and their share of all resolved tickets.',
    rating: 'Simple average of customer ratings, from 1 (dissatisfied) to 3 (very satisfied).',
    perDay:
      "Conversations started and tickets resolved, each at the time it happened, in the company's time zone. The dashed line is the previous period.",
    goals:
      'Each queue promises to reply and resolve within a number of minutes of its opening hours, counted from when a person is needed. On time: goals met, out of those met or missed. At risk: overdue, or with less than a fifth of the time left.',
    agents:
      'Now: conversations open right now. Handling time: average from accepting to resolving, transferring or returning. Stars show their average rating, from 1 to 3.',
    week: "The day and hour conversations started, or how long the ones accepted at that hour had waited, in the company's time zone.",
    queues:
      'What happened in each queue. A transferred ticket counts in each with its own part; it arrives in the queue where it waits.',
  },
})

/** A figure with a definition in this file, as in docs/reports.md. */
export type DefinedMetric = keyof (typeof texts)['es']

/** The definitions of all figures, loaded on request. */
export const MetricDefinition = ({ metric }: { metric: DefinedMetric }) => useTexts(texts)[metric]
