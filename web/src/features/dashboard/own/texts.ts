import { defineTexts } from '../../../lib/texts.ts'

/** As the menu calls it. */
export const ownPageTexts = defineTexts({
  es: { name: 'Mis cifras' },
  pt: { name: 'Meus números' },
  en: { name: 'My figures' },
})
