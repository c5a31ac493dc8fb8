import type { LineHealthEvent } from '@recado/contract/health/line-health'
import { defineTexts } from '../../../lib/texts.ts'

type EventWords = Record<string, string>
type DescribedEvent = Pick<LineHealthEvent, 'kind' | 'value' | 'before' | 'subject'>

/** The text for a value, or Meta's own word for one that is not known here. */
const lookUp = (texts: EventWords, value: string): string => (Object.hasOwn(texts, value) ? (texts[value] ?? '') : '')

export const healthDialogTexts = defineTexts({
  es: {
    title: (line: string) => `Salud de ${line}`,
    close: 'Cerrar',
    unknown: 'Meta todavía no informó nada de esta línea.',
    history: 'Avisos de Meta',
    noEvents: 'Ningún aviso hasta ahora.',
    loading: 'Cargando…',
    failed: 'No pudimos cargar los avisos',
    whatToDo: 'Qué hacer',
    quality: 'Calidad',
    limit: 'Escribir primero',
    account: 'Cuenta',
    displayName: 'Nombre visible',
    notKnown: 'Sin datos',
    noLimit: 'Sin límite',
    perDay: (n: string, limit: string) => `${n} de ${limit} personas en 24 h`,
    accountFine: 'Sin problemas',
    names: { approved: 'Aprobado', pending: 'En revisión', rejected: 'Rechazado' },
    until: (moment: string) => `Hasta el ${moment}.`,
    adviceForAccount: {
      restricted:
        'Meta limitó lo que esta cuenta puede hacer. Responde a quienes te escriben y no inicies conversaciones hasta que termine. Puedes apelar en el administrador de WhatsApp.',
      violation:
        'Meta dice que la cuenta no cumple una de sus políticas. Léela en el administrador de WhatsApp, corrígelo y apela si no es cierto.',
      scheduled:
        'Meta va a cerrar la cuenta en la fecha indicada. Entra hoy al administrador de WhatsApp y pide una revisión.',
      disabled: 'La cuenta no puede enviar ni recibir. Pide una revisión en el administrador de WhatsApp.',
      deleted: 'La cuenta ya no existe en Meta. Conecta otra cuenta en esta línea.',
      rejected: 'Completa la verificación de la empresa en Meta y vuelve a pedir la revisión.',
    },
    adviceForQuality: {
      yellow: 'Algunas personas bloquean o denuncian tus mensajes. Envía menos campañas y solo a quien las espera.',
      red: 'Muchas personas bloquean o denuncian tus mensajes. Detén las campañas unos días y revisa tus listas y plantillas: si no mejora, Meta baja el límite.',
    },
    adviceForName:
      'Elige un nombre que se corresponda con tu empresa y envíalo de nuevo en el administrador de WhatsApp.',
    describeEvent: ({ kind, value, before, subject }: DescribedEvent): string => {
      if (kind === 'quality') return lookUp(eventWords.es.quality, value) || `Calidad: ${value}`
      if (kind === 'limit')
        return value === 'unlimited'
          ? 'Sin límite para escribir primero'
          : `Puedes escribir primero a ${value} personas en 24 h${before ? ` (antes ${before})` : ''}`
      if (kind === 'account') return lookUp(eventWords.es.account, value) || `Cambio en la cuenta: ${value}`
      if (kind === 'alert') return `Aviso de Meta: ${value}`
      if (kind === 'name') return `Nombre ${subject}: ${lookUp(eventWords.es.name, value) || value}`
      if (kind === 'template') return `Plantilla ${subject}: ${lookUp(eventWords.es.template, value) || value}`
      return `Plantilla ${subject}: ${lookUp(eventWords.es.templateQuality, value) || value}`
    },
    adviceForEvent: ({ kind, value }: DescribedEvent): string =>
      kind === 'template'
        ? lookUp(templateAdvice.es, value)
        : kind === 'template-quality'
          ? lookUp(qualityAdvice.es, value)
          : '',
  },
  pt: {
    title: (line) => `Saúde de ${line}`,
    close: 'Fechar',
    unknown: 'A Meta ainda não informou nada sobre esta linha.',
    history: 'Avisos da Meta',
    noEvents: 'Nenhum aviso até agora.',
    loading: 'Carregando…',
    failed: 'Não conseguimos carregar os avisos',
    whatToDo: 'O que fazer',
    quality: 'Qualidade',
    limit: 'Escrever primeiro',
    account: 'Conta',
    displayName: 'Nome de exibição',
    notKnown: 'Sem dados',
    noLimit: 'Sem limite',
    perDay: (n, limit) => `${n} de ${limit} pessoas em 24 h`,
    accountFine: 'Sem problemas',
    names: { approved: 'Aprovado', pending: 'Em análise', rejected: 'Recusado' },
    until: (moment) => `Até ${moment}.`,
    adviceForAccount: {
      restricted:
        'A Meta limitou o que esta conta pode fazer. Responda a quem escreve e não inicie conversas até terminar. Você pode recorrer no gerenciador do WhatsApp.',
      violation:
        'A Meta diz que a conta descumpre uma das suas políticas. Leia no gerenciador do WhatsApp, corrija e recorra se não for verdade.',
      scheduled:
        'A Meta vai encerrar a conta na data indicada. Entre hoje no gerenciador do WhatsApp e peça uma análise.',
      disabled: 'A conta não pode enviar nem receber. Peça uma análise no gerenciador do WhatsApp.',
      deleted: 'A conta não existe mais na Meta. Conecte outra conta nesta linha.',
      rejected: 'Conclua a verificação da empresa na Meta e peça a análise de novo.',
    },
    adviceForQuality: {
      yellow: 'Algumas pessoas bloqueiam ou denunciam suas mensagens. Envie menos campanhas e só para quem as espera.',
      red: 'Muitas pessoas bloqueiam ou denunciam suas mensagens. Pare as campanhas por alguns dias e revise suas listas e modelos: se não melhorar, a Meta reduz o limite.',
    },
    adviceForName: 'Escolha um nome que corresponda à sua empresa e envie de novo no gerenciador do WhatsApp.',
    describeEvent: ({ kind, value, before, subject }) => {
      if (kind === 'quality') return lookUp(eventWords.pt.quality, value) || `Qualidade: ${value}`
      if (kind === 'limit')
        return value === 'unlimited'
          ? 'Sem limite para escrever primeiro'
          : `Você pode escrever primeiro para ${value} pessoas em 24 h${before ? ` (antes ${before})` : ''}`
      if (kind === 'account') return lookUp(eventWords.pt.account, value) || `Mudança na conta: ${value}`
      if (kind === 'alert') return `Aviso da Meta: ${value}`
      if (kind === 'name') return `Nome ${subject}: ${lookUp(eventWords.pt.name, value) || value}`
      if (kind === 'template') return `Modelo ${subject}: ${lookUp(eventWords.pt.template, value) || value}`
      return `Modelo ${subject}: ${lookUp(eventWords.pt.templateQuality, value) || value}`
    },
    adviceForEvent: ({ kind, value }) =>
      kind === 'template'
        ? lookUp(templateAdvice.pt, value)
        : kind === 'template-quality'
          ? lookUp(qualityAdvice.pt, value)
          : '',
  },
  en: {
    title: (line) => `Health of ${line}`,
    close: 'Close',
    unknown: "Meta hasn't reported anything about this line yet.",
    history: 'Reports from Meta',
    noEvents: 'No reports so far.',
    loading: 'Loading…',
    failed: "We couldn't load the reports",
    whatToDo: 'What to do',
    quality: 'Quality',
    limit: 'Writing first',
    account: 'Account',
    displayName: 'Display name',
    notKnown: 'No data',
    noLimit: 'No limit',
    perDay: (n, limit) => `${n} of ${limit} people in 24 h`,
    accountFine: 'No problems',
    names: { approved: 'Approved', pending: 'Under review', rejected: 'Rejected' },
    until: (moment) => `Until ${moment}.`,
    adviceForAccount: {
      restricted:
        "Meta has limited what this account can do. Answer people who write to you and don't start conversations until it ends. You can appeal in WhatsApp Manager.",
      violation:
        "Meta says the account breaks one of its policies. Read which one in WhatsApp Manager, fix it, and appeal if it isn't true.",
      scheduled: 'Meta will close the account on the date shown. Go to WhatsApp Manager today and request a review.',
      disabled: "The account can't send or receive. Request a review in WhatsApp Manager.",
      deleted: 'The account no longer exists at Meta. Connect another account to this line.',
      rejected: 'Complete the business verification at Meta and request the review again.',
    },
    adviceForQuality: {
      yellow: 'Some people block or report your messages. Send fewer campaigns, and only to people who expect them.',
      red: "Many people block or report your messages. Stop campaigns for a few days and review your lists and templates: if it doesn't improve, Meta lowers the limit.",
    },
    adviceForName: 'Choose a name that matches your business and submit it again in WhatsApp Manager.',
    describeEvent: ({ kind, value, before, subject }) => {
      if (kind === 'quality') return lookUp(eventWords.en.quality, value) || `Quality: ${value}`
      if (kind === 'limit')
        return value === 'unlimited'
          ? 'No limit for writing first'
          : `You can write first to ${value} people in 24 h${before ? ` (was ${before})` : ''}`
      if (kind === 'account') return lookUp(eventWords.en.account, value) || `Account change: ${value}`
      if (kind === 'alert') return `Alert from Meta: ${value}`
      if (kind === 'name') return `Name ${subject}: ${lookUp(eventWords.en.name, value) || value}`
      if (kind === 'template') return `Template ${subject}: ${lookUp(eventWords.en.template, value) || value}`
      return `Template ${subject}: ${lookUp(eventWords.en.templateQuality, value) || value}`
    },
    adviceForEvent: ({ kind, value }) =>
      kind === 'template'
        ? lookUp(templateAdvice.en, value)
        : kind === 'template-quality'
          ? lookUp(qualityAdvice.en, value)
          : '',
  },
})

/** Meta's words for the value of an event; a word that is missing here is shown as Meta writes it. */
const eventWords = {
  es: {
    quality: {
      green: 'La calidad es alta',
      yellow: 'La calidad bajó a media',
      red: 'La calidad es baja',
      restored: 'La calidad volvió a ser aceptable',
    },
    account: {
      restricted: 'Meta restringió la cuenta',
      violation: 'Meta señala una infracción',
      scheduled: 'Meta va a cerrar la cuenta',
      disabled: 'Meta cerró la cuenta',
      reinstated: 'Meta reabrió la cuenta',
      deleted: 'La cuenta fue eliminada',
      verified: 'La cuenta fue verificada',
      approved: 'Meta aprobó la cuenta',
      rejected: 'Meta no aprobó la cuenta',
    },
    name: { approved: 'aprobado', pending: 'en revisión', rejected: 'rechazado' },
    template: {
      approved: 'aprobada',
      rejected: 'rechazada',
      paused: 'en pausa',
      disabled: 'desactivada',
      flagged: 'señalada por baja calidad',
      reinstated: 'vuelve a estar activa',
      unpaused: 'vuelve a estar activa',
      pending: 'en revisión',
      'in-appeal': 'en apelación',
      'pending-deletion': 'se va a eliminar',
      deleted: 'eliminada',
      locked: 'bloqueada para cambios',
      'limit-exceeded': 'superó el límite de plantillas',
    },
    templateQuality: {
      green: 'calidad alta',
      yellow: 'calidad media',
      red: 'calidad baja',
      unknown: 'calidad sin datos',
    },
  },
  pt: {
    quality: {
      green: 'A qualidade é alta',
      yellow: 'A qualidade caiu para média',
      red: 'A qualidade é baixa',
      restored: 'A qualidade voltou a ser aceitável',
    },
    account: {
      restricted: 'A Meta restringiu a conta',
      violation: 'A Meta apontou uma infração',
      scheduled: 'A Meta vai encerrar a conta',
      disabled: 'A Meta encerrou a conta',
      reinstated: 'A Meta reabriu a conta',
      deleted: 'A conta foi excluída',
      verified: 'A conta foi verificada',
      approved: 'A Meta aprovou a conta',
      rejected: 'A Meta não aprovou a conta',
    },
    name: { approved: 'aprovado', pending: 'em análise', rejected: 'recusado' },
    template: {
      approved: 'aprovado',
      rejected: 'recusado',
      paused: 'em pausa',
      disabled: 'desativado',
      flagged: 'marcado por baixa qualidade',
      reinstated: 'ativo de novo',
      unpaused: 'ativo de novo',
      pending: 'em análise',
      'in-appeal': 'em recurso',
      'pending-deletion': 'será excluído',
      deleted: 'excluído',
      locked: 'bloqueado para mudanças',
      'limit-exceeded': 'passou do limite de modelos',
    },
    templateQuality: {
      green: 'qualidade alta',
      yellow: 'qualidade média',
      red: 'qualidade baixa',
      unknown: 'qualidade sem dados',
    },
  },
  en: {
    quality: {
      green: 'Quality is high',
      yellow: 'Quality dropped to medium',
      red: 'Quality is low',
      restored: 'Quality is acceptable again',
    },
    account: {
      restricted: 'Meta restricted the account',
      violation: 'Meta reports a violation',
      scheduled: 'Meta will close the account',
      disabled: 'Meta closed the account',
      reinstated: 'Meta reopened the account',
      deleted: 'The account was deleted',
      verified: 'The account was verified',
      approved: 'Meta approved the account',
      rejected: "Meta didn't approve the account",
    },
    name: { approved: 'approved', pending: 'under review', rejected: 'rejected' },
    template: {
      approved: 'approved',
      rejected: 'rejected',
      paused: 'paused',
      disabled: 'disabled',
      flagged: 'flagged for low quality',
      reinstated: 'active again',
      unpaused: 'active again',
      pending: 'under review',
      'in-appeal': 'under appeal',
      'pending-deletion': 'will be deleted',
      deleted: 'deleted',
      locked: 'locked for changes',
      'limit-exceeded': 'over the limit of templates',
    },
    templateQuality: {
      green: 'high quality',
      yellow: 'medium quality',
      red: 'low quality',
      unknown: 'quality not known',
    },
  },
} satisfies Record<string, Record<string, EventWords>>

const templateAdvice: Record<'es' | 'pt' | 'en', EventWords> = {
  es: {
    rejected: 'Corrige el texto según el motivo y envíala otra vez a revisión.',
    paused: 'Meta la detiene unas horas porque mucha gente la bloquea o denuncia. Usa otra y mejora el texto.',
    disabled: 'Ya no se puede enviar. Crea otra con un texto distinto.',
    flagged: 'Si no mejora en unos días, Meta la desactiva. Envíala solo a quien la espera.',
  },
  pt: {
    rejected: 'Corrija o texto conforme o motivo e envie de novo para análise.',
    paused:
      'A Meta o interrompe por algumas horas porque muita gente bloqueia ou denuncia. Use outro e melhore o texto.',
    disabled: 'Não pode mais ser enviado. Crie outro com um texto diferente.',
    flagged: 'Se não melhorar em alguns dias, a Meta o desativa. Envie só para quem o espera.',
  },
  en: {
    rejected: 'Fix the text according to the reason and submit it again.',
    paused:
      'Meta stops it for some hours because many people block or report it. Use another one and improve the text.',
    disabled: 'It can no longer be sent. Create another one with a different text.',
    flagged: "If it doesn't improve in a few days, Meta disables it. Send it only to people who expect it.",
  },
}
const qualityAdvice: Record<'es' | 'pt' | 'en', EventWords> = {
  es: { red: 'Meta puede ponerla en pausa. Envíala solo a quien la espera, o cambia el texto.' },
  pt: { red: 'A Meta pode colocá-lo em pausa. Envie só para quem o espera, ou mude o texto.' },
  en: { red: 'Meta may pause it. Send it only to people who expect it, or change the text.' },
}
