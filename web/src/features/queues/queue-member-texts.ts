import { defineTexts } from '../../lib/texts.ts'

export const queueMemberTexts = defineTexts({
  es: {
    lines: 'Líneas',
    linesHelp: 'Quien escribe a estas líneas puede llegar a esta cola.',
    noLines: 'Sin líneas, ningún cliente llega a esta cola.',
    people: 'Personas',
    peopleHelp: 'Atienden esta cola y ven sus tickets.',
    seenBy: 'Quién verá sus tickets',
    onlyAdmins: 'Solo los administradores verán sus tickets.',
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
    onlyAdmins: 'Só os administradores verão os tickets.',
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
    onlyAdmins: 'Only admins will see its tickets.',
    seenByAll: (names) => `Its tickets will be seen by ${new Intl.ListFormat('en').format([...names, 'all admins'])}.`,
    more: (count) => `${count} more`,
    lineGreeting: 'Greeting of the line',
    lineGreetingHelp: (names) =>
      `With more than one queue, ${new Intl.ListFormat('en').format(names)} asks customers which one they want.`,
    defaultLineGreeting: 'Hello! Who would you like to talk to? Reply with the number.',
  },
})
