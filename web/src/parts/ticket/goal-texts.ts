import { defineTexts } from '../../lib/texts.ts'

/** Texts of the goals of a ticket. */
export const goalTexts = defineTexts({
  es: {
    until: {
      answer: (when: string) => `Responder antes de ${when}`,
      resolve: (when: string) => `Resolver antes de ${when}`,
    },
    was: {
      answer: (when: string) => `Había que responder antes de ${when}`,
      resolve: (when: string) => `Había que resolver antes de ${when}`,
    },
  },
  pt: {
    until: {
      answer: (when) => `Responder antes de ${when}`,
      resolve: (when) => `Resolver antes de ${when}`,
    },
    was: {
      answer: (when) => `Era para responder antes de ${when}`,
      resolve: (when) => `Era para resolver antes de ${when}`,
    },
  },
  en: {
    until: {
      answer: (when) => `Reply before ${when}`,
      resolve: (when) => `Resolve before ${when}`,
    },
    was: {
      answer: (when) => `Reply was due before ${when}`,
      resolve: (when) => `Resolution was due before ${when}`,
    },
  },
})
