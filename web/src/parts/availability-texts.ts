import { defineTexts } from '../lib/texts.ts'

/** What users say about themselves. */
export const availabilityTexts = defineTexts({
  es: { available: 'Disponible', break: 'En pausa', away: 'Ausente' },
  pt: { available: 'Disponível', break: 'Em pausa', away: 'Ausente' },
  en: { available: 'Available', break: 'On a break', away: 'Away' },
})
