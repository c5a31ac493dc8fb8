import { defineTexts } from '../../../lib/texts.ts'

export const priorityGoalsTexts = defineTexts({
  es: {
    title: 'Metas según la prioridad (minutos)',
    answer: 'Primera respuesta',
    resolve: 'Resolver',
    field: (goal: string, priority: string) => `${goal}, prioridad ${priority.toLowerCase()}`,
    none: 'Sin meta',
    help: 'Vacío: la meta de la cola. Si cambia la prioridad de un ticket, su plazo se calcula de nuevo desde que empezó.',
  },
  pt: {
    title: 'Metas por prioridade (minutos)',
    answer: 'Primeira resposta',
    resolve: 'Resolver',
    field: (goal, priority) => `${goal}, prioridade ${priority.toLowerCase()}`,
    none: 'Sem meta',
    help: 'Vazio: a meta da fila. Se a prioridade de um ticket muda, o prazo é recalculado desde o início.',
  },
  en: {
    title: 'Goals by priority (minutes)',
    answer: 'First reply',
    resolve: 'Resolve',
    field: (goal, priority) => `${goal}, ${priority.toLowerCase()} priority`,
    none: 'No goal',
    help: "Blank: the queue's goal. When a ticket's priority changes, its deadline is worked out again from when it began.",
  },
})
