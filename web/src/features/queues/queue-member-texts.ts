import { defineTexts } from '../../lib/texts.ts'

export const queueMemberTexts = defineTexts({
  es: {
    lines: 'Líneas',
    linesHelp: 'Quien escribe a estas líneas puede llegar a esta cola.',
    noLines: 'Sin líneas, ningún cliente llega a esta cola.',
    people: 'Personas',
    peopleHelp: 'Atienden esta cola y ven sus tickets.',
    seenBy: 'Quién verá sus tickets',
    onlyAdmins:
      'Solo los administradores verán sus tickets: todavía no hay agentes. Invítalos en Usuarios, con esta cola marcada.',
    noneChosen:
      'Solo los administradores verán sus tickets: no elegiste a nadie. Marca en «Personas» quién la atiende.',
    takesWaiting: (count: number) =>
      count === 1
        ? 'Pasar a esta cola al cliente que espera sin cola'
        : `Pasar a esta cola a los ${count} clientes que esperan sin cola`,
    takesFirst: (count: number) => `Pasar a esta cola a los ${count} clientes sin cola que más esperan`,
    takesWaitingHelp: 'Si no, los agentes no los ven. No se les envía ningún mensaje.',
    seenByAll: (names: string[]) =>
      `Verán sus tickets: ${new Intl.ListFormat('es').format([...names, 'los administradores'])}.`,
    more: (count: number) => `${count} más`,
    lineGreeting: 'Saludo de la línea',
    lineGreetingHelp: (names: string[]) =>
      `Con más de una cola, ${new Intl.ListFormat('es').format(names)} le pregunta al cliente cuál quiere.`,
    defaultLineGreeting: '¡Hola! ¿Con quién quieres hablar? Responde con el número.',
  },
  pt: {
    lines: 'Linhas',
    linesHelp: 'Quem escreve para estas linhas pode chegar a esta fila.',
    noLines: 'Sem linhas, nenhum cliente chega a esta fila.',
    people: 'Pessoas',
    peopleHelp: 'Atendem esta fila e veem seus tickets.',
    seenBy: 'Quem verá os tickets',
    onlyAdmins:
      'Só os administradores verão os tickets: ainda não há agentes. Convide-os em Usuários, com esta fila marcada.',
    noneChosen:
      'Só os administradores verão os tickets: ninguém foi escolhido. Marque em «Pessoas» quem atende a fila.',
    takesWaiting: (count) =>
      count === 1
        ? 'Passar para esta fila o cliente que espera sem fila'
        : `Passar para esta fila os ${count} clientes que esperam sem fila`,
    takesFirst: (count) => `Passar para esta fila os ${count} clientes sem fila que esperam há mais tempo`,
    takesWaitingHelp: 'Senão, os agentes não os veem. Nenhuma mensagem é enviada a eles.',
    seenByAll: (names) => `Verão os tickets: ${new Intl.ListFormat('pt').format([...names, 'os administradores'])}.`,
    more: (count) => `mais ${count}`,
    lineGreeting: 'Saudação da linha',
    lineGreetingHelp: (names) =>
      `Com mais de uma fila, ${new Intl.ListFormat('pt').format(names)} pergunta ao cliente qual ele quer.`,
    defaultLineGreeting: 'Olá! Com quem você quer falar? Responda com o número.',
  },
  en: {
    lines: 'Lines',
    linesHelp: 'Customers who write to these lines can reach this queue.',
    noLines: 'Without a line, no customer reaches this queue.',
    people: 'People',
    peopleHelp: 'They work in this queue and see its tickets.',
    seenBy: 'Who will see its tickets',
    onlyAdmins:
      'Only admins will see its tickets: there are no agents yet. Invite them in Users, with this queue ticked.',
    noneChosen: 'Only admins will see its tickets: no one is chosen. Pick who works in it under “People”.',
    takesWaiting: (count) =>
      count === 1
        ? 'Move the customer who is waiting without a queue into this queue'
        : `Move the ${count} customers who are waiting without a queue into this queue`,
    takesFirst: (count) => `Move the ${count} customers who have waited longest without a queue into this queue`,
    takesWaitingHelp: "Otherwise agents don't see them. No message is sent to them.",
    seenByAll: (names) => `Its tickets will be seen by ${new Intl.ListFormat('en').format([...names, 'all admins'])}.`,
    more: (count) => `${count} more`,
    lineGreeting: 'Greeting of the line',
    lineGreetingHelp: (names) =>
      `With more than one queue, ${new Intl.ListFormat('en').format(names)} asks customers which one they want.`,
    defaultLineGreeting: 'Hello! Who would you like to talk to? Reply with the number.',
  },
})
