import type { EndReason } from '@recado/contract/live'
import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    skip: 'Ir al contenido',
    skipToConversation: 'Ir a la conversación',
    unread: (count: number) => (count === 1 ? '1 con mensajes sin leer' : `${count} con mensajes sin leer`),
    shortcuts: 'Atajos de teclado',
    keys: {
      palette: 'Buscar o ir a',
      nextRegion: 'Ir a la zona siguiente',
      regionBefore: 'Ir a la zona anterior',
      newTicket: 'Nuevo ticket',
      sheet: 'Ver los atajos',
    },
    mainMenu: 'Menú principal',
    home: 'Recado, inicio',
    version: (v: string) => `Versión ${v}`,
    collapse: 'Contraer menú',
    expand: 'Expandir menú',
    hello: 'Hola,',
    activeUntil: (date: string) => `Activa hasta ${date}`,
    search: 'Buscar o ir a…',
    refresh: 'Actualizar',
    volume: 'Volumen de avisos',
    testSound: 'Probar sonido',
    language: 'Idioma',
    theme: 'Tema',
    announcements: 'Comunicados',
    newAnnouncements: 'Comunicados, hay nuevos',
    noAnnouncements: 'Sin comunicados',
    noAnnouncementsLine: 'Cuando haya novedades, las verás aquí.',
    priority: ['Prioridad alta', 'Prioridad media', 'Prioridad baja'] as readonly string[],
    account: 'Tu cuenta',
    profile: 'Perfil',
    logout: 'Salir',
    lineAlert: 'Una línea necesita atención',
    menu: 'Menú',
    close: 'Cerrar',
    offline: 'Sin conexión. Lo intentamos de nuevo solos.',
    ended: {
      'opened-elsewhere': 'Tu cuenta se abrió en otro computador',
      'logged-out': 'Cerraste la sesión en otra pestaña',
      'password-changed': 'Tu contraseña cambió',
      'account-closed': 'Tu cuenta está cerrada',
    } satisfies Record<EndReason, string>,
    endedLine: 'Esta sesión se cierra ahora.',
    profiles: { admin: 'Admin', supervisor: 'Supervisor', user: 'Agente' },
    expires: (days: number) =>
      days < 0
        ? 'Tu plan venció'
        : days === 0
          ? 'Tu plan vence hoy'
          : days === 1
            ? 'Tu plan vence mañana'
            : `Tu plan vence en ${days} días`,
    renewIt: 'Renuévalo para no cortar la atención.',
    askToRenew: 'Avisa a quien administra tu empresa.',
    renew: 'Renovar',
  },
  pt: {
    skip: 'Ir para o conteúdo',
    skipToConversation: 'Ir para a conversa',
    unread: (count: number) => (count === 1 ? '1 com mensagens não lidas' : `${count} com mensagens não lidas`),
    shortcuts: 'Atalhos de teclado',
    keys: {
      palette: 'Buscar ou ir para',
      nextRegion: 'Ir para a próxima área',
      regionBefore: 'Ir para a área anterior',
      newTicket: 'Novo ticket',
      sheet: 'Ver os atalhos',
    },
    mainMenu: 'Menu principal',
    home: 'Recado, início',
    version: (v: string) => `Versão ${v}`,
    collapse: 'Recolher menu',
    expand: 'Expandir menu',
    hello: 'Olá,',
    activeUntil: (date: string) => `Ativa até ${date}`,
    search: 'Buscar ou ir para…',
    refresh: 'Atualizar',
    volume: 'Volume dos avisos',
    testSound: 'Testar o som',
    language: 'Idioma',
    theme: 'Tema',
    announcements: 'Comunicados',
    newAnnouncements: 'Comunicados, há novos',
    noAnnouncements: 'Sem comunicados',
    noAnnouncementsLine: 'Quando houver novidades, elas aparecem aqui.',
    priority: ['Prioridade alta', 'Prioridade média', 'Prioridade baixa'] as readonly string[],
    account: 'Sua conta',
    profile: 'Perfil',
    logout: 'Sair',
    lineAlert: 'Uma linha precisa de atenção',
    menu: 'Menu',
    close: 'Fechar',
    offline: 'Sem conexão. Tentamos de novo por você.',
    ended: {
      'opened-elsewhere': 'Sua conta foi acessada em outro computador',
      'logged-out': 'Você saiu em outra aba',
      'password-changed': 'Sua senha mudou',
      'account-closed': 'Sua conta está fechada',
    },
    endedLine: 'Esta sessão se encerra agora.',
    profiles: { admin: 'Admin', supervisor: 'Supervisor', user: 'Agente' },
    expires: (days: number) =>
      days < 0
        ? 'Seu plano venceu'
        : days === 0
          ? 'Seu plano vence hoje'
          : days === 1
            ? 'Seu plano vence amanhã'
            : `Seu plano vence em ${days} dias`,
    renewIt: 'Renove para não parar o atendimento.',
    askToRenew: 'Avise quem administra sua empresa.',
    renew: 'Renovar',
  },
  en: {
    skip: 'Skip to content',
    skipToConversation: 'Skip to the conversation',
    unread: (count: number) => `${count} with unread messages`,
    shortcuts: 'Keyboard shortcuts',
    keys: {
      palette: 'Search or go to',
      nextRegion: 'Go to the next region',
      regionBefore: 'Go to the region before',
      newTicket: 'New ticket',
      sheet: 'Show the shortcuts',
    },
    mainMenu: 'Main menu',
    home: 'Recado, home',
    version: (v: string) => `Version ${v}`,
    collapse: 'Collapse menu',
    expand: 'Expand menu',
    hello: 'Hello,',
    activeUntil: (date: string) => `Active until ${date}`,
    search: 'Search or go to…',
    refresh: 'Refresh',
    volume: 'Notice volume',
    testSound: 'Try the sound',
    language: 'Language',
    theme: 'Theme',
    announcements: 'Announcements',
    newAnnouncements: 'Announcements, there are new ones',
    noAnnouncements: 'No announcements',
    noAnnouncementsLine: 'When there is news, you will see it here.',
    priority: ['High priority', 'Medium priority', 'Low priority'] as readonly string[],
    account: 'Your account',
    profile: 'Profile',
    logout: 'Log out',
    lineAlert: 'A line needs attention',
    menu: 'Menu',
    close: 'Close',
    offline: 'No connection. We keep trying by ourselves.',
    ended: {
      'opened-elsewhere': 'Your account was opened on another computer',
      'logged-out': 'You logged out in another tab',
      'password-changed': 'Your password was changed',
      'account-closed': 'Your account is closed',
    },
    endedLine: 'This session closes now.',
    profiles: { admin: 'Admin', supervisor: 'Supervisor', user: 'Agent' },
    expires: (days: number) =>
      days < 0
        ? 'Your plan has ended'
        : days === 0
          ? 'Your plan ends today'
          : days === 1
            ? 'Your plan ends tomorrow'
            : `Your plan ends in ${days} days`,
    renewIt: 'Renew it to keep the service running.',
    askToRenew: 'Tell whoever manages your company.',
    renew: 'Renew',
  },
})
