import { defineTexts } from '../../../lib/texts.ts'

export const messageActionTexts = defineTexts({
  es: {
    removeAsk: '¿Eliminar este mensaje?',
    removeLine: 'Se borra también en el teléfono del cliente.',
    removeVerb: 'Eliminar mensaje',
    removeNote: 'Eliminar nota',
    removeNoteAsk: '¿Eliminar esta nota?',
    removeNoteLine: 'Deja de verla todo el equipo.',
    noteSaved: 'Nota guardada',
    noteRemoved: 'Nota eliminada',
  },
  pt: {
    removeAsk: 'Excluir esta mensagem?',
    removeLine: 'Ela também é apagada no telefone do cliente.',
    removeVerb: 'Excluir mensagem',
    removeNote: 'Excluir nota',
    removeNoteAsk: 'Excluir esta nota?',
    removeNoteLine: 'Toda a equipe deixa de vê-la.',
    noteSaved: 'Nota salva',
    noteRemoved: 'Nota excluída',
  },
  en: {
    removeAsk: 'Delete this message?',
    removeLine: "It's deleted on the customer's phone too.",
    removeVerb: 'Delete message',
    removeNote: 'Delete note',
    removeNoteAsk: 'Delete this note?',
    removeNoteLine: 'Your whole team stops seeing it.',
    noteSaved: 'Note saved',
    noteRemoved: 'Note deleted',
  },
})
