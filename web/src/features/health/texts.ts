import type { BacklogKind, FailureKind } from '@recado/contract/health/health'
import { defineTexts } from '../../lib/texts.ts'

type Waits = Record<BacklogKind, string>
/** Texts of failures: they contain the count, the name, and the code if there is one. */
type Told = Record<FailureKind, (n: number, name: string) => string>

export const texts = defineTexts({
  es: {
    cannotBePaid:
      'Hay empresas que no pueden pagar: falta la clave Pix, un proveedor de pagos o, fuera de Brasil, las instrucciones de pago.',
    setUpPayment: 'Configurar el cobro',
    title: 'Salud',
    fresh: (time: string) => `Revisado a las ${time}`,
    allWell: 'Todo en orden',
    allWellLine: (lines: number) =>
      lines === 1 ? 'La línea está conectada y no hay atrasos.' : `Las ${lines} líneas están bien y no hay atrasos.`,
    noLines: 'Todavía no hay líneas. No hay atrasos.',
    lookHere: 'Requiere atención',
    troubled: {
      lines: (n: number) => (n === 1 ? '1 línea no está conectada' : `${n} líneas no están conectadas`),
      late: (n: number) => (n === 1 ? '1 tarea con atraso' : `${n} tareas con atraso`),
      failed: (n: number) => (n === 1 ? '1 fallo' : `${n} fallos`),
      silent: (n: number) => (n === 1 ? '1 proceso no responde' : `${n} procesos no responden`),
    },
    processes: 'Procesos',
    here: 'este',
    roles: { web: 'atiende navegadores', lines: 'gestiona líneas', jobs: 'ejecuta tareas' } as Record<string, string>,
    silent: 'no responde',
    silentLine: (n: number) =>
      n === 1 ? 'Tiene 1 línea; pasa a otro proceso en segundos.' : `Tiene ${n} líneas; pasan a otro en segundos.`,
    since: (when: string) => `desde ${when}`,
    version: (v: string) => `versión ${v}`,
    memory: 'Memoria',
    busy: 'Ocupado',
    lag: 'Retraso',
    sockets: (n: number) => (n === 1 ? '1 navegador' : `${n} navegadores`),
    linesHere: (n: number) => (n === 1 ? '1 línea' : `${n} líneas`),
    waits: 'En espera',
    wait: {
      events: 'Mensajes entrantes',
      outbox: 'Mensajes por enviar',
      errands: 'Eventos de las líneas',
      jobs: 'Tareas',
      webhooks: 'Webhooks',
      asks: 'Consultas a la IA',
      schedules: 'Mensajes programados',
      campaigns: 'Campañas',
    } as Waits,
    none: 'Nada en espera',
    oldest: (age: string) => `el más antiguo, hace ${age}`,
    held: (n: number) => (n === 1 ? '1 más programado para después' : `${n} más programados para después`),
    failures: 'Fallos',
    noFailures: 'Sin fallos.',
    failure: {
      job: (n, name) => `La tarea «${name}» falló ${n === 1 ? 'una vez' : `${n} veces`}`,
      webhook: (n, name) =>
        `El webhook «${name}» no responde${n ? `: ${n === 1 ? '1 evento sin entregar' : `${n} eventos sin entregar`}` : ''}`,
      event: (n, name) =>
        `${n === 1 ? '1 mensaje recibido no se pudo procesar' : `${n} mensajes recibidos no se pudieron procesar`} en «${name}»`,
      message: (n, name) =>
        `${n === 1 ? '1 mensaje no se entregó' : `${n} mensajes no se entregaron`} por «${name}» en las últimas 24 horas`,
      backup: () => 'La copia de seguridad de anoche no se hizo',
      version: (n, name) =>
        `WhatsApp ya no acepta la versión ${name}${n ? `: ${n === 1 ? '1 línea parada' : `${n} líneas paradas`}` : ''}. Actualiza Recado, o fija otra versión en Ajustes`,
    } as Told,
    nextAt: (time: string) => `se reintenta a las ${time}`,
    inLog: 'el motivo está en el registro del servidor',
    retry: 'Reintentar',
    retried: 'Reintentando',
    lines: 'Líneas',
    search: 'Buscar por línea o empresa',
    noneFound: 'Ninguna línea con ese nombre.',
    more: (n: number) => `y ${n} más: busca por nombre para verlas`,
    columns: { line: 'Línea', company: 'Empresa', state: 'Estado', process: 'Proceso', waits: 'En espera' },
    nowhere: 'ninguno',
    lineWaits: {
      outbox: (n: number) => `${n} por enviar`,
      events: (n: number) => `${n} por procesar`,
      aside: (n: number) => (n === 1 ? '1 sin procesar' : `${n} sin procesar`),
      failed: (n: number) => (n === 1 ? '1 sin entregar' : `${n} sin entregar`),
    },
    seconds: (n: number) => `${n} s`,
    minutes: (n: number) => `${n} min`,
    hours: (n: number) => `${n} h`,
    days: (n: number) => (n === 1 ? '1 día' : `${n} días`),
  },
  pt: {
    cannotBePaid:
      'Há empresas que não podem pagar: falta a chave Pix, um provedor de pagamentos ou, fora do Brasil, as instruções de pagamento.',
    setUpPayment: 'Configurar a cobrança',
    title: 'Saúde',
    fresh: (time) => `Verificado às ${time}`,
    allWell: 'Tudo certo',
    allWellLine: (lines) =>
      lines === 1 ? 'A linha está conectada e não há atrasos.' : `As ${lines} linhas estão bem e não há atrasos.`,
    noLines: 'Ainda não há linhas. Não há atrasos.',
    lookHere: 'Requer atenção',
    troubled: {
      lines: (n) => (n === 1 ? '1 linha não está conectada' : `${n} linhas não estão conectadas`),
      late: (n) => (n === 1 ? '1 tarefa atrasada' : `${n} tarefas atrasadas`),
      failed: (n) => (n === 1 ? '1 falha' : `${n} falhas`),
      silent: (n) => (n === 1 ? '1 processo não responde' : `${n} processos não respondem`),
    },
    processes: 'Processos',
    here: 'este',
    roles: { web: 'atende navegadores', lines: 'gerencia linhas', jobs: 'executa tarefas' },
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
    waits: 'Em espera',
    wait: {
      events: 'Mensagens recebidas',
      outbox: 'Mensagens a enviar',
      errands: 'Eventos das linhas',
      jobs: 'Tarefas',
      webhooks: 'Webhooks',
      asks: 'Consultas à IA',
      schedules: 'Mensagens agendadas',
      campaigns: 'Campanhas',
    },
    none: 'Nada em espera',
    oldest: (age) => `o mais antigo, há ${age}`,
    held: (n) => (n === 1 ? 'mais 1 agendado para depois' : `mais ${n} agendados para depois`),
    failures: 'Falhas',
    noFailures: 'Sem falhas.',
    failure: {
      job: (n, name) => `A tarefa «${name}» falhou ${n === 1 ? 'uma vez' : `${n} vezes`}`,
      webhook: (n, name) =>
        `O webhook «${name}» não responde${n ? `: ${n === 1 ? '1 evento não entregue' : `${n} eventos não entregues`}` : ''}`,
      event: (n, name) =>
        `${n === 1 ? '1 mensagem recebida não pôde ser processada' : `${n} mensagens recebidas não puderam ser processadas`} em «${name}»`,
      message: (n, name) =>
        `${n === 1 ? '1 mensagem não foi entregue' : `${n} mensagens não foram entregues`} por «${name}» nas últimas 24 horas`,
      backup: () => 'O backup desta noite não foi feito',
      version: (n, name) =>
        `O WhatsApp não aceita mais a versão ${name}${n ? `: ${n === 1 ? '1 linha parada' : `${n} linhas paradas`}` : ''}. Atualize o Recado ou fixe outra versão em Configurações`,
    },
    nextAt: (time) => `nova tentativa às ${time}`,
    inLog: 'o motivo está no registro do servidor',
    retry: 'Tentar de novo',
    retried: 'Tentando de novo',
    lines: 'Linhas',
    search: 'Buscar por linha ou empresa',
    noneFound: 'Nenhuma linha com esse nome.',
    more: (n) => `e mais ${n}: busque pelo nome para vê-las`,
    columns: { line: 'Linha', company: 'Empresa', state: 'Situação', process: 'Processo', waits: 'Em espera' },
    nowhere: 'nenhum',
    lineWaits: {
      outbox: (n) => `${n} a enviar`,
      events: (n) => `${n} a processar`,
      aside: (n) => (n === 1 ? '1 não processado' : `${n} não processados`),
      failed: (n) => (n === 1 ? '1 não entregue' : `${n} não entregues`),
    },
    seconds: (n) => `${n} s`,
    minutes: (n) => `${n} min`,
    hours: (n) => `${n} h`,
    days: (n) => (n === 1 ? '1 dia' : `${n} dias`),
  },
  en: {
    cannotBePaid:
      "Some companies can't pay: there's no Pix key, no payment provider or, outside Brazil, no payment instructions.",
    setUpPayment: 'Set up payments',
    title: 'Health',
    fresh: (time) => `Checked at ${time}`,
    allWell: 'All good',
    allWellLine: (lines) =>
      lines === 1
        ? 'The line is connected and nothing is delayed.'
        : `All ${lines} lines are fine and nothing is delayed.`,
    noLines: 'No lines yet. Nothing is delayed.',
    lookHere: 'Needs attention',
    troubled: {
      lines: (n) => (n === 1 ? '1 line is disconnected' : `${n} lines are disconnected`),
      late: (n) => (n === 1 ? '1 task is delayed' : `${n} tasks are delayed`),
      failed: (n) => (n === 1 ? '1 failure' : `${n} failures`),
      silent: (n) => (n === 1 ? "1 process isn't responding" : `${n} processes aren't responding`),
    },
    processes: 'Processes',
    here: 'this one',
    roles: { web: 'serves browsers', lines: 'runs lines', jobs: 'runs jobs' },
    silent: 'not responding',
    silentLine: (n) =>
      n === 1
        ? 'It holds 1 line; another process takes over within seconds.'
        : `It holds ${n} lines; another process takes over within seconds.`,
    since: (when) => `since ${when}`,
    version: (v) => `version ${v}`,
    memory: 'Memory',
    busy: 'Busy',
    lag: 'Delay',
    sockets: (n) => (n === 1 ? '1 browser' : `${n} browsers`),
    linesHere: (n) => (n === 1 ? '1 line' : `${n} lines`),
    waits: 'Waiting',
    wait: {
      events: 'Incoming messages',
      outbox: 'Outgoing messages',
      errands: 'Line events',
      jobs: 'Jobs',
      webhooks: 'Webhooks',
      asks: 'AI requests',
      schedules: 'Scheduled messages',
      campaigns: 'Campaigns',
    },
    none: 'Nothing waiting',
    oldest: (age) => `oldest: ${age}`,
    held: (n) => `${n} more scheduled for later`,
    failures: 'Failures',
    noFailures: 'No failures.',
    failure: {
      job: (n, name) => `Job “${name}” failed ${n === 1 ? 'once' : `${n} times`}`,
      webhook: (n, name) =>
        `Webhook “${name}” isn't responding${n ? `: ${n === 1 ? '1 undelivered event' : `${n} undelivered events`}` : ''}`,
      event: (n, name) =>
        `${n === 1 ? "1 incoming message couldn't be processed" : `${n} incoming messages couldn't be processed`} on “${name}”`,
      message: (n, name) =>
        `${n === 1 ? "1 message wasn't delivered" : `${n} messages weren't delivered`} by “${name}” in the last 24 hours`,
      backup: () => "Last night's backup didn't run",
      version: (n, name) =>
        `WhatsApp no longer accepts version ${name}${n ? `: ${n === 1 ? '1 line is stopped' : `${n} lines are stopped`}` : ''}. Update Recado, or pin another version in Settings`,
    },
    nextAt: (time) => `retries at ${time}`,
    inLog: 'the reason is in the server log',
    retry: 'Try again',
    retried: 'Trying again',
    lines: 'Lines',
    search: 'Search by line or company',
    noneFound: 'No line with that name.',
    more: (n) => `and ${n} more: search by name to see them`,
    columns: { line: 'Line', company: 'Company', state: 'Status', process: 'Process', waits: 'Waiting' },
    nowhere: 'none',
    lineWaits: {
      outbox: (n) => `${n} to send`,
      events: (n) => `${n} to process`,
      aside: (n) => `${n} not processed`,
      failed: (n) => `${n} not delivered`,
    },
    seconds: (n) => `${n} s`,
    minutes: (n) => `${n} min`,
    hours: (n) => `${n} h`,
    days: (n) => (n === 1 ? '1 day' : `${n} days`),
  },
})
