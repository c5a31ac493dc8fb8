import { defineTexts } from '../../lib/texts.ts'
import { maxInvitees } from './parse-invitees.ts'

export const bulkInviteTexts = defineTexts({
  es: {
    open: 'Invitar a varios',
    title: 'Invitar a varias personas',
    addresses: 'Correos',
    addressesHelp: 'Uno por línea. El nombre es opcional: Ana Torres <ana@empresa.com>',
    rejections: {
      unreadable: (typed: string) => `No es un correo: ${typed}`,
      repeated: (typed: string) => `Está repetido: ${typed}`,
      tooMany: (typed: string) => `Pasa de ${maxInvitees} invitaciones por hora: ${typed}`,
    },
    moreRejected: (count: number) => (count === 1 ? 'Y uno más.' : `Y ${count} más.`),
    send: (count: number) => (count === 1 ? 'Invitar a 1 persona' : `Invitar a ${count} personas`),
    invited: (count: number) => (count === 1 ? '1 persona invitada' : `${count} personas invitadas`),
    passOn: (count: number, days: number) =>
      count === 1
        ? `Este servidor aún no envía correos: envíale tú el enlace. Vale ${days} días y una sola vez.`
        : `Este servidor aún no envía correos: envíale tú su enlace a cada persona. Cada uno vale ${days} días y una sola vez.`,
    mailed: (_count: number, days: number) =>
      `Cada persona recibe un correo con su enlace, que vale ${days} días y una sola vez. Si no le llega, reenvíaselo desde la lista.`,
    sentTo: (email: string) => `Invitación enviada a ${email}`,
    notInvited: 'No se les invitó',
    copy: 'Copiar',
    copyAll: 'Copiar todo',
    allCopied: (count: number) => (count === 1 ? '1 enlace copiado' : `${count} enlaces copiados`),
    done: 'Listo',
    cancel: 'Cancelar',
  },
  pt: {
    open: 'Convidar várias pessoas',
    title: 'Convidar várias pessoas',
    addresses: 'E-mails',
    addressesHelp: 'Um por linha. O nome é opcional: Ana Torres <ana@empresa.com>',
    rejections: {
      unreadable: (typed) => `Não é um e-mail: ${typed}`,
      repeated: (typed) => `Está repetido: ${typed}`,
      tooMany: (typed) => `Passa de ${maxInvitees} convites por hora: ${typed}`,
    },
    moreRejected: (count) => (count === 1 ? 'E mais um.' : `E mais ${count}.`),
    send: (count) => (count === 1 ? 'Convidar 1 pessoa' : `Convidar ${count} pessoas`),
    invited: (count) => (count === 1 ? '1 pessoa convidada' : `${count} pessoas convidadas`),
    passOn: (count, days) =>
      count === 1
        ? `Este servidor ainda não envia e-mails: envie você o link. Vale por ${days} dias e uma única vez.`
        : `Este servidor ainda não envia e-mails: envie você o link de cada pessoa. Cada um vale por ${days} dias e uma única vez.`,
    mailed: (_count, days) =>
      `Cada pessoa recebe um e-mail com seu link, que vale por ${days} dias e uma única vez. Se não chegar, reenvie pela lista.`,
    sentTo: (email) => `Convite enviado para ${email}`,
    notInvited: 'Não foram convidados',
    copy: 'Copiar',
    copyAll: 'Copiar tudo',
    allCopied: (count) => (count === 1 ? '1 link copiado' : `${count} links copiados`),
    done: 'Pronto',
    cancel: 'Cancelar',
  },
  en: {
    open: 'Invite several',
    title: 'Invite several people',
    addresses: 'Email addresses',
    addressesHelp: 'One per line. Names are optional: Ana Torres <ana@company.com>',
    rejections: {
      unreadable: (typed) => `Not an email address: ${typed}`,
      repeated: (typed) => `Entered twice: ${typed}`,
      tooMany: (typed) => `Over the limit of ${maxInvitees} invitations an hour: ${typed}`,
    },
    moreRejected: (count) => `And ${count} more.`,
    send: (count) => (count === 1 ? 'Invite 1 person' : `Invite ${count} people`),
    invited: (count) => (count === 1 ? '1 person invited' : `${count} people invited`),
    passOn: (count, days) =>
      count === 1
        ? `This server can't send email yet, so send them the link yourself. It works once, for ${days} days.`
        : `This server can't send email yet, so send each person their link yourself. Each link works once, for ${days} days.`,
    mailed: (_count, days) =>
      `Each person gets an email with a link that works once, for ${days} days. If it doesn't arrive, resend it from the list.`,
    sentTo: (email) => `Invitation sent to ${email}`,
    notInvited: 'Not invited',
    copy: 'Copy',
    copyAll: 'Copy all',
    allCopied: (count) => (count === 1 ? '1 link copied' : `${count} links copied`),
    done: 'Done',
    cancel: 'Cancel',
  },
})
