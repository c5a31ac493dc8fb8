import { formatNumber } from '../../../lib/format.ts'
import { defineTexts } from '../../../lib/texts.ts'

export const closingReportTexts = defineTexts({
  es: {
    title: 'Motivos de cierre',
    line: (n: number, of: number) => `${formatNumber(n)} de ${formatNumber(of)} resueltos con motivo`,
    names: { reasons: 'Motivos', queues: 'Colas', users: 'Personas' },
    count: 'Cuántos',
    share: 'Porcentaje',
    details: 'Detalle',
    quiet: 'Nadie eligió un motivo en estas fechas',
    archived: 'ya no se ofrece',
    noQueue: 'cola eliminada',
    was: (value: string) => `antes ${value}`,
    mostly: (name: string) => `sobre todo ${name}`,
    byItself: (n: number) =>
      n === 1 ? '1 se cerró solo, sin motivo' : `${formatNumber(n)} se cerraron solos, sin motivo`,
    definition:
      'Por qué se resolvieron las conversaciones en estas fechas. El motivo lo elige quien resuelve, entre los de la cola. Lo que cierra un bot o la inactividad no tiene motivo. Los porcentajes son de los que tienen motivo.',
  },
  pt: {
    title: 'Motivos de encerramento',
    line: (n, of) => `${formatNumber(n)} de ${formatNumber(of)} resolvidos com motivo`,
    names: { reasons: 'Motivos', queues: 'Filas', users: 'Pessoas' },
    count: 'Quantos',
    share: 'Percentual',
    details: 'Detalhe',
    quiet: 'Ninguém escolheu um motivo nestas datas',
    archived: 'não é mais oferecido',
    noQueue: 'fila excluída',
    was: (value) => `antes ${value}`,
    mostly: (name) => `principalmente ${name}`,
    byItself: (n) =>
      n === 1 ? '1 se encerrou sozinho, sem motivo' : `${formatNumber(n)} se encerraram sozinhos, sem motivo`,
    definition:
      'Por que as conversas foram resolvidas nestas datas. Quem resolve escolhe o motivo entre os da fila. O que um bot ou a inatividade encerra não tem motivo. Os percentuais são dos que têm motivo.',
  },
  en: {
    title: 'Closing reasons',
    line: (n, of) => `${formatNumber(n)} of ${formatNumber(of)} resolved with a reason`,
    names: { reasons: 'Reasons', queues: 'Queues', users: 'People' },
    count: 'How many',
    share: 'Share',
    details: 'Details',
    quiet: 'Nobody chose a reason in this period',
    archived: 'no longer offered',
    noQueue: 'deleted queue',
    was: (value) => `before ${value}`,
    mostly: (name) => `mostly ${name}`,
    byItself: (n) =>
      n === 1 ? '1 closed by itself, without a reason' : `${formatNumber(n)} closed by themselves, without a reason`,
    definition:
      'Why conversations were resolved in this period. Whoever resolves chooses among the reasons of the queue. What a bot or inactivity closes has no reason. Shares are of those with a reason.',
  },
})
