import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    words: {
      title: 'Archivos',
      counted: (n: number) => (n === 1 ? '1 lista de archivos' : `${n} listas de archivos`),
      create: 'Nueva lista',
      search: 'Buscar por nombre',
      created: 'Lista creada',
      saved: 'Lista guardada',
      remove: 'Eliminar lista',
      removed: 'Lista eliminada',
      removeAsk: (name: string) => `¿Eliminar la lista ${name}?`,
      empty: 'Aquí verás tus listas de archivos',
      emptyLine: 'Reúne catálogos, precios y fotos para enviarlos en una campaña.',
    },
    consequence: (files: number) =>
      files === 0
        ? 'La lista no tiene archivos.'
        : files === 1
          ? 'Se borra su archivo.'
          : `Se borran sus ${files} archivos.`,
    name: 'Nombre',
    message: 'Mensaje',
    messageHelp: 'Se envía junto con los archivos.',
    files: 'Archivos',
    filesCounted: (n: number) => (n === 0 ? 'Sin archivos' : n === 1 ? '1 archivo' : `${n} archivos`),
    option: 'Nombre del archivo',
    optionHint: 'Texto que acompaña al archivo',
    addOption: 'Archivo',
    removeOption: (name: string) => `Quitar ${name}`,
    anOption: (n: number) => `el archivo ${n}`,
    noOptions: 'Todavía no hay archivos en esta lista.',
  },
  pt: {
    words: {
      title: 'Arquivos',
      counted: (n) => (n === 1 ? '1 lista de arquivos' : `${n} listas de arquivos`),
      create: 'Nova lista',
      search: 'Buscar por nome',
      created: 'Lista criada',
      saved: 'Lista salva',
      remove: 'Excluir lista',
      removed: 'Lista excluída',
      removeAsk: (name) => `Excluir a lista ${name}?`,
      empty: 'Aqui você verá suas listas de arquivos',
      emptyLine: 'Reúna catálogos, preços e fotos para enviar em uma campanha.',
    },
    consequence: (files) =>
      files === 0
        ? 'A lista não tem arquivos.'
        : files === 1
          ? 'O arquivo dela é apagado.'
          : `Os ${files} arquivos dela são apagados.`,
    name: 'Nome',
    message: 'Mensagem',
    messageHelp: 'É enviada junto com os arquivos.',
    files: 'Arquivos',
    filesCounted: (n) => (n === 0 ? 'Sem arquivos' : n === 1 ? '1 arquivo' : `${n} arquivos`),
    option: 'Nome do arquivo',
    optionHint: 'Texto que acompanha o arquivo',
    addOption: 'Arquivo',
    removeOption: (name) => `Remover ${name}`,
    anOption: (n) => `o arquivo ${n}`,
    noOptions: 'Ainda não há arquivos nesta lista.',
  },
  en: {
    words: {
      title: 'Files',
      counted: (n) => (n === 1 ? '1 file list' : `${n} file lists`),
      create: 'New list',
      search: 'Search by name',
      created: 'List created',
      saved: 'List saved',
      remove: 'Delete list',
      removed: 'List deleted',
      removeAsk: (name) => `Delete list ${name}?`,
      empty: 'Your file lists will show up here',
      emptyLine: 'Collect catalogues, price lists and photos to send in a campaign.',
    },
    consequence: (files) =>
      files === 0 ? 'The list has no files.' : files === 1 ? 'Its file is deleted.' : `Its ${files} files are deleted.`,
    name: 'Name',
    message: 'Message',
    messageHelp: 'Sent along with the files.',
    files: 'Files',
    filesCounted: (n) => (n === 0 ? 'No files' : n === 1 ? '1 file' : `${n} files`),
    option: 'File name',
    optionHint: 'Text that goes with the file',
    addOption: 'File',
    removeOption: (name) => `Remove ${name}`,
    anOption: (n) => `file ${n}`,
    noOptions: 'No files in this list yet.',
  },
})
