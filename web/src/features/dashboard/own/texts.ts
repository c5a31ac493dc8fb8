import { defineTexts } from '../../../lib/texts.ts'

/** The label in the menu. */
export const ownDashboardTexts = defineTexts({
  es: { name: 'Mis números', team: 'Mi equipo' },
  pt: { name: 'Meus números', team: 'Minha equipe' },
  en: { name: 'My numbers', team: 'My team' },
})
