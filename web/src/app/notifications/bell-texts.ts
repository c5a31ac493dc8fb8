import { defineTexts } from '../../lib/texts.ts'

/** What the button itself says; the rest comes with what it opens. */
export const bellTexts = defineTexts({
  es: { notices: 'Avisos', noticesUnread: (count: number) => `Avisos, ${count} sin leer` },
  pt: { notices: 'Avisos', noticesUnread: (count: number) => `Avisos, ${count} não lidos` },
  en: { notices: 'Notices', noticesUnread: (count: number) => `Notices, ${count} unread` },
})
