import { defineTexts } from '../../../lib/texts.ts'

export const undoSendTexts = defineTexts({
  es: {
    leavesIn: (n: number) => `Sale en ${n} s`,
    alsoSteps: (n: number) => (n === 1 ? 'con 1 paso más' : `con ${n} pasos más`),
    canUndo: 'El mensaje todavía no se envió: puedes deshacerlo.',
    undo: 'Deshacer',
    sendNow: 'Enviar ya',
  },
  pt: {
    leavesIn: (n: number) => `Sai em ${n} s`,
    alsoSteps: (n) => (n === 1 ? 'com mais 1 passo' : `com mais ${n} passos`),
    canUndo: 'A mensagem ainda não foi enviada: você pode desfazer.',
    undo: 'Desfazer',
    sendNow: 'Enviar já',
  },
  en: {
    leavesIn: (n: number) => `Sends in ${n} s`,
    alsoSteps: (n) => (n === 1 ? 'with 1 more step' : `with ${n} more steps`),
    canUndo: "The message hasn't left yet: you can undo it.",
    undo: 'Undo',
    sendNow: 'Send now',
  },
})
