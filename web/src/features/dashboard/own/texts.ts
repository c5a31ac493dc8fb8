import { defineTexts } from '../../../lib/texts.ts'

/** As the menu calls it. */
export const ownDashboardTexts = defineTexts({
  es: { name: 'Mis cifras' },
  pt: { name: 'Meus números' },
  en: { name: 'My figures' },
})
