import type { BacklogKind, FailureKind } from '@recado/contract/health/health'
import { defineTexts } from '../../lib/texts.ts'

type Waits = Record<BacklogKind, string>
/** Texts of failures: they contain the count, the name, and the code if there is one. */
type Told = Record<FailureKind, (n: number, name: string) => string>

export const texts = defineTexts({
  es: {
    title: 'Salud',
    fresh: (time: string) => `Mirado a las ${time}`,
    allWell: 'Todo marcha bien',
    allWellLine: (lines: number) =>
      lines === 1
        ? 'La línea está conectada y nada espera de más.'
        : `Las ${lines} líneas están bien y nada espera de más.`,
    noLines: 'Todavía no hay líneas. Nada espera de más.',
    lookHere: 'Mira esto',
    troubled: {
      lines: (n: number) => (n === 1 ? '1 línea no está conectada' : `${n} líneas no están conectadas`),
      late: (n: number) => (n === 1 ? '1 cosa espera de más' : `${n} cosas esperan de más`),
      failed: (n: number) => (n === 1 ? '1 cosa falló' : `${n} cosas fallaron`),
      silent: (n: number) => (n === 1 ? '1 proceso no contesta' : `${n} procesos no contestan`),
    },
    processes: 'Procesos',
    here: 'este',
    roles: { web: 'atiende navegadores', lines: 'lleva líneas', jobs: 'hace trabajos' } as Record<string, string>,
    silent: 'no contesta',
    silentLine: (n: number) =>
      n === 1 ? 'Tiene 1 línea; pasa a otro proceso en segundos.' : `Tiene ${n} líneas; pasan a otro en segundos.`,
    since: (when: string) => `desde ${when}`,
    version: (v: string) => `versión ${v}`,
    memory: 'Memoria',
    busy: 'Ocupado',
    lag: 'Retraso',
    sockets: (n: number) => (n === 1 ? '1 navegador' : `${n} navegadores`),
    linesHere: (n: number) => (n === 1 ? '1 línea' : `${n} líneas`),
    waits: 'Qué espera',
    wait: {
      events: 'Mensajes que llegan',
      outbox: 'Mensajes por salir',
      errands: 'Recados de las líneas',
      jobs: 'Trabajos',
      webhooks: 'Avisos a programas',
      asks: 'Preguntas a la IA',
      schedules: 'Mensajes programados',
      campaigns: 'Campañas',
    } as Waits,
    none: 'Nada espera',
    oldest: (age: string) => `el primero hace ${age}`,
    held: (n: number) => (n === 1 ? '1 más espera su momento' : `${n} más esperan su momento`),
    failures: 'Qué falló',
    noFailures: 'Nada falló. Así da gusto.',
    failure: {
      job: (n, name) => `El trabajo «${name}» falló ${n === 1 ? 'una vez' : `${n} veces`}`,
      webhook: (n, name) =>
        `El webhook «${name}» no contesta${n ? `: ${n === 1 ? '1 aviso sin entregar' : `${n} avisos sin entregar`}` : ''}`,
      event: (n, name) =>
        `${n === 1 ? '1 mensaje recibido quedó apartado' : `${n} mensajes recibidos quedaron apartados`} en «${name}»`,
      message: (n, name) =>
        `${n === 1 ? '1 mensaje no se entregó' : `${n} mensajes no se entregaron`} por «${name}» en las últimas 24 horas`,
      backup: () => 'La copia de seguridad de anoche no se hizo',
    } as Told,
    nextAt: (time: string) => `reintenta solo a las ${time}`,
    inLog: 'el motivo está en el registro del servidor',
    retry: 'Reintentar',
    retried: 'Se intenta de nuevo',
    lines: 'Líneas',
    search: 'Buscar por línea o empresa',
    noneFound: 'Ninguna línea se llama así.',
    more: (n: number) => `y ${n} más que no se muestran: escribe su nombre para verlas`,
    columns: { line: 'Línea', company: 'Empresa', state: 'Estado', process: 'Proceso', waits: 'Espera' },
    nowhere: 'en ninguno',
    lineWaits: {
      outbox: (n: number) => `${n} por salir`,
      events: (n: number) => `${n} por atender`,
      aside: (n: number) => (n === 1 ? '1 apartado' : `${n} apartados`),
      failed: (n: number) => (n === 1 ? '1 sin entregar' : `${n} sin entregar`),
    },
    seconds: (n: number) => `${n} s`,
    minutes: (n: number) => `${n} min`,
    hours: (n: number) => `${n} h`,
    days: (n: number) => (n === 1 ? '1 día' : `${n} días`),
  },
  pt: {
    title: 'Saúde',
    fresh: (time) => `Visto às ${time}`,
    allWell: 'Tudo vai bem',
    allWellLine: (lines) =>
      lines === 1
        ? 'A linha está conectada e nada espera demais.'
        : `As ${lines} linhas estão bem e nada espera demais.`,
    noLines: 'Ainda não há linhas. Nada espera demais.',
    lookHere: 'Veja isto',
    troubled: {
      lines: (n) => (n === 1 ? '1 linha não está conectada' : `${n} linhas não estão conectadas`),
      late: (n) => (n === 1 ? '1 coisa espera demais' : `${n} coisas esperam demais`),
      failed: (n) => (n === 1 ? '1 coisa falhou' : `${n} coisas falharam`),
      silent: (n) => (n === 1 ? '1 processo não responde' : `${n} processos não respondem`),
    },
    processes: 'Processos',
    here: 'este',
    roles: { web: 'atende navegadores', lines: 'leva linhas', jobs: 'faz trabalhos' },
    silent: 'não responde',
    silentLine: (n) =>
      n === 1
        ? 'Tem 1 linha; ela passa a outro processo em segundos.'
        : `Tem ${n} linhas; elas passam a outro em segundos.`,
    since: (when) => `desde ${when}`,
    version: (v) => `versão ${v}`,
    memory: 'Memória',
    busy: 'Ocupado',
    lag: 'Atraso',
    sockets: (n) => (n === 1 ? '1 navegador' : `${n} navegadores`),
    linesHere: (n) => (n === 1 ? '1 linha' : `${n} linhas`),
    waits: 'O que espera',
    wait: {
      events: 'Mensagens que chegam',
      outbox: 'Mensagens a sair',
      errands: 'Recados das linhas',
      jobs: 'Trabalhos',
      webhooks: 'Avisos a programas',
      asks: 'Perguntas à IA',
      schedules: 'Mensagens agendadas',
      campaigns: 'Campanhas',
    },
    none: 'Nada espera',
    oldest: (age) => `a primeira há ${age}`,
    held: (n) => (n === 1 ? 'mais 1 espera a sua hora' : `mais ${n} esperam a sua hora`),
    failures: 'O que falhou',
    noFailures: 'Nada falhou. Assim é que é bom.',
    failure: {
      job: (n, name) => `O trabalho «${name}» falhou ${n === 1 ? 'uma vez' : `${n} vezes`}`,
      webhook: (n, name) =>
        `O webhook «${name}» não responde${n ? `: ${n === 1 ? '1 aviso sem entregar' : `${n} avisos sem entregar`}` : ''}`,
      event: (n, name) =>
        `${n === 1 ? '1 mensagem recebida ficou de lado' : `${n} mensagens recebidas ficaram de lado`} em «${name}»`,
      message: (n, name) =>
        `${n === 1 ? '1 mensagem não foi entregue' : `${n} mensagens não foram entregues`} por «${name}» nas últimas 24 horas`,
      backup: () => 'O backup da noite não foi feito',
    },
    nextAt: (time) => `tenta sozinho às ${time}`,
    inLog: 'o motivo está no registro do servidor',
    retry: 'Tentar de novo',
    retried: 'Tentando de novo',
    lines: 'Linhas',
    search: 'Buscar por linha ou empresa',
    noneFound: 'Nenhuma linha tem esse nome.',
    more: (n) => `e mais ${n} que não aparecem: escreva o nome para vê-las`,
    columns: { line: 'Linha', company: 'Empresa', state: 'Situação', process: 'Processo', waits: 'Espera' },
    nowhere: 'em nenhum',
    lineWaits: {
      outbox: (n) => `${n} a sair`,
      events: (n) => `${n} a atender`,
      aside: (n) => `${n} de lado`,
      failed: (n) => `${n} sem entregar`,
    },
    seconds: (n) => `${n} s`,
    minutes: (n) => `${n} min`,
    hours: (n) => `${n} h`,
    days: (n) => (n === 1 ? '1 dia' : `${n} dias`),
  },
  en: {
    title: 'Health',
    fresh: (time) => `Checked at ${time}`,
    allWell: 'All is well',
    allWellLine: (lines) =>
      lines === 1
        ? 'The line is connected and nothing waits too long.'
        : `All ${lines} lines are well and nothing waits too long.`,
    noLines: 'There are no lines yet. Nothing waits too long.',
    lookHere: 'Look at this',
    troubled: {
      lines: (n) => (n === 1 ? '1 line is not connected' : `${n} lines are not connected`),
      late: (n) => (n === 1 ? '1 thing waits too long' : `${n} things wait too long`),
      failed: (n) => (n === 1 ? '1 thing failed' : `${n} things failed`),
      silent: (n) => (n === 1 ? '1 process does not answer' : `${n} processes do not answer`),
    },
    processes: 'Processes',
    here: 'this one',
    roles: { web: 'serves browsers', lines: 'runs lines', jobs: 'does jobs' },
    silent: 'does not answer',
    silentLine: (n) =>
      n === 1
        ? 'It holds 1 line; another process takes it within seconds.'
        : `It holds ${n} lines; another process takes them within seconds.`,
    since: (when) => `since ${when}`,
    version: (v) => `version ${v}`,
    memory: 'Memory',
    busy: 'Busy',
    lag: 'Delay',
    sockets: (n) => (n === 1 ? '1 browser' : `${n} browsers`),
    linesHere: (n) => (n === 1 ? '1 line' : `${n} lines`),
    waits: 'What waits',
    wait: {
      events: 'Messages coming in',
      outbox: 'Messages to send',
      errands: 'Line errands',
      jobs: 'Jobs',
      webhooks: 'News for programs',
      asks: 'Questions to the AI',
      schedules: 'Scheduled messages',
      campaigns: 'Campaigns',
    },
    none: 'Nothing waits',
    oldest: (age) => `the first for ${age}`,
    held: (n) => `${n} more ${n === 1 ? 'waits for its' : 'wait for their'} time`,
    failures: 'What failed',
    noFailures: 'Nothing failed. As it should be.',
    failure: {
      job: (n, name) => `The job “${name}” failed ${n === 1 ? 'once' : `${n} times`}`,
      webhook: (n, name) =>
        `The webhook “${name}” does not answer${n ? `: ${n === 1 ? '1 event not told' : `${n} events not told`}` : ''}`,
      event: (n, name) =>
        `${n === 1 ? '1 message that came in was set aside' : `${n} messages that came in were set aside`} in “${name}”`,
      message: (n, name) =>
        `${n === 1 ? '1 message was not delivered' : `${n} messages were not delivered`} by “${name}” in the last 24 hours`,
      backup: () => 'The backup of this night was not made',
    },
    nextAt: (time) => `tries again by itself at ${time}`,
    inLog: 'the reason is in the server’s log',
    retry: 'Try again',
    retried: 'Trying again',
    lines: 'Lines',
    search: 'Search by line or company',
    noneFound: 'No line is called that.',
    more: (n) => `and ${n} more that are not shown: write their name to see them`,
    columns: { line: 'Line', company: 'Company', state: 'State', process: 'Process', waits: 'Waits' },
    nowhere: 'none',
    lineWaits: {
      outbox: (n) => `${n} to send`,
      events: (n) => `${n} to handle`,
      aside: (n) => `${n} set aside`,
      failed: (n) => `${n} not delivered`,
    },
    seconds: (n) => `${n} s`,
    minutes: (n) => `${n} min`,
    hours: (n) => `${n} h`,
    days: (n) => (n === 1 ? '1 day' : `${n} days`),
  },
})
