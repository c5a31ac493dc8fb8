import { defineTexts } from '../../lib/texts.ts'

/** Texts used only by wall mode. */
export const wallScreenTexts = defineTexts({
  es: {
    title: 'Pantalla de pared',
    close: 'Salir de la pantalla de pared',
    nothingLate: 'nada fuera de plazo',
    cameAndResolved: (came: string, resolved: string) => `${came} llegaron · ${resolved} resueltos`,
    has: (n: string) => `${n} ahora`,
  },
  pt: {
    title: 'Tela de parede',
    close: 'Sair da tela de parede',
    nothingLate: 'nada fora do prazo',
    cameAndResolved: (came, resolved) => `${came} chegaram · ${resolved} resolvidos`,
    has: (n) => `${n} agora`,
  },
  en: {
    title: 'Wall screen',
    close: 'Leave the wall screen',
    nothingLate: 'nothing late',
    cameAndResolved: (came, resolved) => `${came} came in · ${resolved} resolved`,
    has: (n) => `${n} now`,
  },
})
