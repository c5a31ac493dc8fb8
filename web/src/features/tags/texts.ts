import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    words: {
      title: 'Etiquetas',
      counted: (n: number) => (n === 1 ? '1 etiqueta' : `${n} etiquetas`),
      create: 'Nueva etiqueta',
      search: 'Buscar por nombre',
      created: 'Etiqueta creada',
      saved: 'Etiqueta guardada',
      remove: 'Eliminar etiqueta',
      removed: 'Etiqueta eliminada',
      removeAsk: (name: string) => `¿Eliminar la etiqueta ${name}?`,
      empty: 'Aquí verás tus etiquetas',
      emptyLine: 'Marca los tickets con tus palabras para encontrarlos y ordenarlos.',
    },
    numbered: (id: number) => `Etiqueta ${id}`,
    consequence: (tickets: number) =>
      tickets === 0
        ? 'Ningún ticket la usa.'
        : tickets === 1
          ? 'Se quita de 1 ticket.'
          : `Se quita de ${tickets} tickets.`,
    name: 'Nombre',
    color: 'Color',
    tickets: 'Tickets',
    ticketsCounted: (n: number) => (n === 1 ? '1 ticket' : `${n} tickets`),
    kanban: 'Tablero',
    isLane: 'Columna del tablero',
    kanbanSwitch: 'Mostrar como columna del tablero',
    kanbanHelp: 'Los tickets con esta etiqueta aparecen en su columna.',
  },
  pt: {
    words: {
      title: 'Etiquetas',
      counted: (n) => (n === 1 ? '1 etiqueta' : `${n} etiquetas`),
      create: 'Nova etiqueta',
      search: 'Buscar por nome',
      created: 'Etiqueta criada',
      saved: 'Etiqueta salva',
      remove: 'Excluir etiqueta',
      removed: 'Etiqueta excluída',
      removeAsk: (name) => `Excluir a etiqueta ${name}?`,
      empty: 'Aqui você verá suas etiquetas',
      emptyLine: 'Marque os tickets com palavras suas para encontrá-los e organizá-los.',
    },
    numbered: (id) => `Etiqueta ${id}`,
    consequence: (tickets) =>
      tickets === 0
        ? 'Nenhum ticket a usa.'
        : tickets === 1
          ? 'É removida de 1 ticket.'
          : `É removida de ${tickets} tickets.`,
    name: 'Nome',
    color: 'Cor',
    tickets: 'Tickets',
    ticketsCounted: (n) => (n === 1 ? '1 ticket' : `${n} tickets`),
    kanban: 'Kanban',
    isLane: 'Coluna do kanban',
    kanbanSwitch: 'Mostrar como coluna do kanban',
    kanbanHelp: 'Os tickets com esta etiqueta aparecem na coluna dela.',
  },
  en: {
    words: {
      title: 'Tags',
      counted: (n) => (n === 1 ? '1 tag' : `${n} tags`),
      create: 'New tag',
      search: 'Search by name',
      created: 'Tag created',
      saved: 'Tag saved',
      remove: 'Delete tag',
      removed: 'Tag deleted',
      removeAsk: (name) => `Delete tag ${name}?`,
      empty: 'Your tags will show up here',
      emptyLine: 'Label tickets your way to find and sort them.',
    },
    numbered: (id) => `Tag ${id}`,
    consequence: (tickets) =>
      tickets === 0
        ? 'No ticket uses it.'
        : tickets === 1
          ? "It's removed from 1 ticket."
          : `It's removed from ${tickets} tickets.`,
    name: 'Name',
    color: 'Colour',
    tickets: 'Tickets',
    ticketsCounted: (n) => (n === 1 ? '1 ticket' : `${n} tickets`),
    kanban: 'Kanban',
    isLane: 'Kanban column',
    kanbanSwitch: 'Show as a kanban column',
    kanbanHelp: 'Tickets with this tag appear in its column.',
  },
})
