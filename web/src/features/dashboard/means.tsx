import { defineTexts, useTexts } from '../../lib/texts.ts'

const texts = defineTexts({
  es: {
    answer: 'Promedio desde que hace falta una persona hasta lo primero que alguien escribe, de quienes esperaron.',
    next: 'Promedio desde que el cliente vuelve a escribir hasta que alguien le contesta, después de la primera respuesta.',
    once: 'Resueltos por una sola persona, sin transferir, cuyo cliente no volvió a escribir en siete días; y su parte de los resueltos.',
    open: 'Tickets abiertos en este momento, sin importar las fechas.',
    pending: 'Tickets que esperan en este momento, sin importar las fechas.',
    resolved: 'Tickets cerrados en estas fechas. Cuentan para quien los atendió; los del bot también están.',
    contacts: 'Contactos que se guardaron en estas fechas. Los otros filtros no los cambian.',
    talk: 'Promedio desde que alguien acepta hasta que resuelve, transfiere o devuelve. Cada agente cuenta su parte.',
    wait: 'Promedio desde que hace falta una persona (el bot se fue, o no había) hasta que alguien acepta.',
    came: 'Conversaciones que empezaron en estas fechas, también las que volvieron a abrirse.',
    again: 'Conversaciones cerradas que volvieron a abrirse.',
    transferred: 'Veces que un ticket pasó a otra cola o persona.',
    returned: 'Veces que alguien devolvió un ticket a la cola.',
    alone: 'Tickets que el bot cerró sin que nadie los aceptara, y su parte de los resueltos.',
    rating: 'Promedio simple de las respuestas de los clientes, de 1 a 3.',
  },
  pt: {
    answer: 'Média desde que uma pessoa é necessária até a primeira coisa que alguém escreve, de quem esperou.',
    next: 'Média desde que o cliente volta a escrever até alguém responder, depois da primeira resposta.',
    once: 'Resolvidos por uma só pessoa, sem transferir, cujo cliente não voltou a escrever em sete dias; e a sua parte dos resolvidos.',
    open: 'Tickets abertos neste momento, sejam quais forem as datas.',
    pending: 'Tickets que esperam neste momento, sejam quais forem as datas.',
    resolved: 'Tickets fechados nestas datas. Contam para quem atendeu; os do bot também estão.',
    contacts: 'Contatos salvos nestas datas. Os outros filtros não os mudam.',
    talk: 'Média desde que alguém aceita até resolver, transferir ou devolver. Cada agente conta a sua parte.',
    wait: 'Média desde que uma pessoa é necessária (o bot saiu, ou não havia) até alguém aceitar.',
    came: 'Conversas que começaram nestas datas, também as que foram reabertas.',
    again: 'Conversas fechadas que foram reabertas.',
    transferred: 'Vezes que um ticket passou a outra fila ou pessoa.',
    returned: 'Vezes que alguém devolveu um ticket à fila.',
    alone: 'Tickets que o bot fechou sem ninguém aceitar, e a sua parte dos resolvidos.',
    rating: 'Média simples das respostas dos clientes, de 1 a 3.',
  },
  en: {
    answer: 'Average from the moment a person is needed to the first thing somebody writes, of those who waited.',
    next: 'Average from the moment a customer writes again until somebody answers, after the first answer.',
    once: 'Resolved by one person alone, without a transfer, whose customer did not write again within seven days; and their share of the resolved ones.',
    open: 'Tickets that are open at this moment, whatever the dates.',
    pending: 'Tickets that wait at this moment, whatever the dates.',
    resolved: "Tickets closed in these dates. They count for who attended them; the bot's are here too.",
    contacts: 'Contacts saved in these dates. The other filters do not change them.',
    talk: 'Average from acceptance until it is resolved, transferred or returned. Each agent counts their own share.',
    wait: 'Average from the moment a person is needed (the bot left, or there was none) until somebody accepts.',
    came: 'Conversations that began in these dates, those that were reopened too.',
    again: 'Closed conversations that were opened again.',
    transferred: 'How often a ticket went to another queue or person.',
    returned: 'How often somebody gave a ticket back to the queue.',
    alone: 'Tickets that the bot closed without anybody accepting them, and their share of the resolved ones.',
    rating: "Plain average of the customers' answers, 1 to 3.",
  },
})

/** A figure that is defined here, as in docs/figures.md. */
export type Meant = keyof (typeof texts)['es']

/** One definition of each figure, read when somebody asks for it. */
export const Means = ({ of }: { of: Meant }) => useTexts(texts)[of]
