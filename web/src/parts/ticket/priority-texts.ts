import type { TicketPriority } from '@recado/contract/ticket-statuses'
import { defineTexts } from '../../lib/texts.ts'

export const priorityTexts = defineTexts({
  es: {
    title: 'Prioridad',
    close: 'Cerrar',
    names: { urgent: 'Urgente', high: 'Alta', normal: 'Normal', low: 'Baja' } as Record<TicketPriority, string>,
    mark: (name: string) => `Prioridad ${name.toLowerCase()}`,
    change: 'Cambiar la prioridad',
    changed: (name: string) => `Prioridad ${name.toLowerCase()}`,
    pin: 'Fijar arriba',
    unpin: 'Dejar de fijar',
    pinned: 'Fijado',
  },
  pt: {
    title: 'Prioridade',
    close: 'Fechar',
    names: { urgent: 'Urgente', high: 'Alta', normal: 'Normal', low: 'Baixa' },
    mark: (name) => `Prioridade ${name.toLowerCase()}`,
    change: 'Mudar a prioridade',
    changed: (name) => `Prioridade ${name.toLowerCase()}`,
    pin: 'Fixar no topo',
    unpin: 'Desafixar',
    pinned: 'Fixado',
  },
  en: {
    title: 'Priority',
    close: 'Close',
    names: { urgent: 'Urgent', high: 'High', normal: 'Normal', low: 'Low' },
    mark: (name) => `${name} priority`,
    change: 'Change the priority',
    changed: (name) => `${name} priority`,
    pin: 'Pin to the top',
    unpin: 'Unpin',
    pinned: 'Pinned',
  },
})
