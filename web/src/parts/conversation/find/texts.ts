import { defineTexts } from '../../../lib/texts.ts'

export const findTexts = defineTexts({
  es: {
    label: 'Buscar en la conversación',
    place: (n: number, all: string) => `${n} de ${all}`,
    none: 'Sin resultados',
    failed: 'No pudimos buscar',
    retry: 'Reintentar',
    older: 'Resultado anterior',
    newer: 'Resultado siguiente',
    close: 'Cerrar la búsqueda',
  },
  pt: {
    label: 'Buscar na conversa',
    place: (n, all) => `${n} de ${all}`,
    none: 'Nenhum resultado',
    failed: 'Não conseguimos buscar',
    retry: 'Tentar de novo',
    older: 'Resultado anterior',
    newer: 'Próximo resultado',
    close: 'Fechar a busca',
  },
  en: {
    label: 'Search conversation',
    place: (n, all) => `${n} of ${all}`,
    none: 'No results',
    failed: 'Search failed',
    retry: 'Try again',
    older: 'Previous result',
    newer: 'Next result',
    close: 'Close the search',
  },
})
