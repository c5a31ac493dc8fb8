import { defineTexts } from '../../../lib/texts.ts'

export const filterTexts = defineTexts({
  es: {
    all: 'Quitar el filtro',
  },
  pt: {
    all: 'Remover o filtro',
  },
  en: {
    all: 'Remove the filter',
  },
})
