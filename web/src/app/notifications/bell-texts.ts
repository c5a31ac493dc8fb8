import { defineTexts } from '../../lib/texts.ts'

/** Texts of the bell button; the other texts load with the panel. */
export const bellTexts = defineTexts({
  es: { notices: 'Avisos', noticesUnread: (count: number) => `Avisos, ${count} sin leer` },
  pt: { notices: 'Avisos', noticesUnread: (count: number) => `Avisos, ${count} não lidos` },
  en: { notices: 'Notifications', noticesUnread: (count: number) => `Notifications, ${count} unread` },
})
