import { defineTexts } from '../../lib/texts.ts'

/** Texts used only by wall mode. */
export const wallScreenTexts = defineTexts({
  es: {
    title: 'Pantalla para TV',
    close: 'Salir de la pantalla para TV',
    nothingLate: 'nada fuera de plazo',
    cameAndResolved: (came: string, resolved: string) => `${came} llegaron · ${resolved} resueltos`,
    has: (n: string) => `${n} ahora`,
  },
  pt: {
    title: 'Painel de TV',
    close: 'Sair do painel de TV',
    nothingLate: 'nada fora do prazo',
    cameAndResolved: (came, resolved) => `${came} chegaram · ${resolved} resolvidos`,
    has: (n) => `${n} agora`,
  },
  en: {
    title: 'Wallboard',
    close: 'Exit wallboard',
    nothingLate: 'nothing overdue',
    cameAndResolved: (came, resolved) => `${came} came in · ${resolved} resolved`,
    has: (n) => `${n} now`,
  },
})
