import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    words: {
      title: 'Ayuda',
      counted: (n: number) => (n === 1 ? '1 video' : `${n} videos`),
      search: 'Buscar por título',
      empty: 'Aquí verás los videos de ayuda',
      emptyLine: 'Cuando la plataforma publique uno, aparece en esta página.',
    },
    guides: 'Guías de Recado',
    allGuides: 'Todas las guías',
    videos: 'Videos de tu plataforma',
    noVideo: 'Este tema todavía no tiene video.',
    onYoutube: 'Ver en YouTube',
    close: 'Cerrar',
  },
  pt: {
    words: {
      title: 'Ajuda',
      counted: (n) => (n === 1 ? '1 vídeo' : `${n} vídeos`),
      search: 'Buscar por título',
      empty: 'Aqui você verá os vídeos de ajuda',
      emptyLine: 'Quando a plataforma publicar um, ele aparece nesta página.',
    },
    guides: 'Guias do Recado',
    allGuides: 'Todos os guias',
    videos: 'Vídeos da sua plataforma',
    noVideo: 'Este tema ainda não tem vídeo.',
    onYoutube: 'Ver no YouTube',
    close: 'Fechar',
  },
  en: {
    words: {
      title: 'Help',
      counted: (n) => (n === 1 ? '1 video' : `${n} videos`),
      search: 'Search by title',
      empty: 'The help videos will be here',
      emptyLine: 'When the platform publishes one, it appears on this page.',
    },
    guides: 'Recado guides',
    allGuides: 'All guides',
    videos: 'Videos from your platform',
    noVideo: 'This topic has no video yet.',
    onYoutube: 'Watch on YouTube',
    close: 'Close',
  },
})
