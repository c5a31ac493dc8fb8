import { defineTexts } from '../../../lib/texts.ts'

/** The label in the menu. */
export const ownDashboardTexts = defineTexts({
  es: { name: 'Mis números' },
  pt: { name: 'Meus números' },
  en: { name: 'My numbers' },
})
