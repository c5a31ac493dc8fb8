import type { Language } from '@recado/contract/users'

/** The values of a due-date reminder. */
type DueMailFacts = {
  name: string
  company: string
  days: number
  day: string
  value: string
  url: string
  graceDays: number
}

/** Mail texts in three languages. Spanish defines the type: a missing translation does not compile. */
const es = {
  accountExists: {
    subject: 'Ya tienes una cuenta en Recado',
    text: (name: string, url: string) =>
      `Hola, ${name}:\n\nAlguien quiso registrar una empresa con este correo, que ya tiene una cuenta. Si fuiste tú, entra aquí:\n\n${url}/login\n\n¿No recuerdas tu contraseña? En esa página puedes pedir un código para cambiarla. Si no fuiste tú, no hace falta que hagas nada.\n`,
  },
  reset: {
    subject: 'Tu código para cambiar la contraseña',
    text: (name: string, code: string) =>
      `Hola, ${name}:\n\nTu código es ${code}. Vale durante 15 minutos y una sola vez.\n\nSi no lo pediste, ignora este mensaje: tu contraseña sigue igual.\n`,
  },
  paymentDue: {
    subject: (company: string, days: number) =>
      days > 0
        ? `${company}: la suscripción vence en ${days} ${days === 1 ? 'día' : 'días'}`
        : `${company}: la suscripción venció`,
    text: ({ name, company, days, day, value, url, graceDays: grace }: DueMailFacts) =>
      `Hola, ${name}:\n\nLa suscripción de ${company} ${days > 0 ? `vence el ${day}` : `venció el ${day}`}. Total a pagar: ${value}.\n\nPágala aquí:\n\n${url}\n\n${
        days > 0
          ? 'Si ya pagaste, no hace falta que hagas nada.'
          : grace + days >= 0 && grace
            ? `Todo sigue funcionando hasta ${grace} días después de esa fecha.`
            : 'Lo que te escriben tus clientes se guarda y estará ahí cuando pagues.'
      }\n`,
  },
  backup: {
    subject: 'La copia de seguridad de esta noche falló',
    text: (name: string, why: string) =>
      `Hola, ${name}:\n\nLa copia de seguridad de esta noche no se hizo:\n\n${why}\n\nLas anteriores siguen donde estaban. La próxima se intenta mañana; o ejecuta npm run backup.\n`,
  },
  versionRefused: {
    subject: 'WhatsApp pide una versión más nueva',
    text: (name: string, version: string, url: string) =>
      `Hola, ${name}:\n\nWhatsApp ya no acepta la versión ${version} con la que se conectan las líneas de teléfono vinculado. Recado buscó una más nueva y probó de nuevo, sin éxito. Mientras tanto esas líneas no envían ni reciben; nada se pierde.\n\nQué hacer:\n1. Actualiza Recado en el servidor.\n2. Si no hay actualización, entra en ${url}, busca «Versión de WhatsApp Web», prueba una más nueva y fíjala.\n\nLas líneas siguen intentándolo y se conectan solas en cuanto WhatsApp las acepte.\n`,
  },
  invite: {
    subject: (company: string) => `${company} te invita a Recado`,
    text: (name: string, company: string, url: string) =>
      `Hola, ${name}:\n\n${company} atiende a sus clientes con Recado y te creó una cuenta. Elige tu contraseña aquí:\n\n${url}\n\nEl enlace vale durante 7 días y una sola vez. Si ya no funciona, pide otro a quien administra tu empresa.\n`,
  },
}
const pt: typeof es = {
  accountExists: {
    subject: 'Você já tem uma conta no Recado',
    text: (name, url) =>
      `Olá, ${name}!\n\nAlguém tentou cadastrar uma empresa com este e-mail, que já tem uma conta. Se foi você, entre aqui:\n\n${url}/login\n\nNão lembra da senha? Nessa página você pode pedir um código para trocá-la. Se não foi você, não precisa fazer nada.\n`,
  },
  reset: {
    subject: 'Seu código para trocar a senha',
    text: (name, code) =>
      `Olá, ${name}!\n\nSeu código é ${code}. Ele vale por 15 minutos e uma única vez.\n\nSe você não pediu, ignore esta mensagem: sua senha continua a mesma.\n`,
  },
  paymentDue: {
    subject: (company, days) =>
      days > 0
        ? `${company}: a assinatura vence em ${days} ${days === 1 ? 'dia' : 'dias'}`
        : `${company}: a assinatura venceu`,
    text: ({ name, company, days, day, value, url, graceDays: grace }) =>
      `Olá, ${name}!\n\nA assinatura de ${company} ${days > 0 ? `vence em ${day}` : `venceu em ${day}`}. Total a pagar: ${value}.\n\nPague aqui:\n\n${url}\n\n${
        days > 0
          ? 'Se você já pagou, não precisa fazer nada.'
          : grace + days >= 0 && grace
            ? `Tudo continua funcionando até ${grace} dias depois dessa data.`
            : 'O que seus clientes escrevem fica guardado e estará lá quando você pagar.'
      }\n`,
  },
  backup: {
    subject: 'O backup desta noite falhou',
    text: (name, why) =>
      `Olá, ${name}!\n\nO backup desta noite não foi feito:\n\n${why}\n\nOs anteriores continuam onde estavam. O próximo será tentado amanhã; ou execute npm run backup.\n`,
  },
  versionRefused: {
    subject: 'O WhatsApp pede uma versão mais nova',
    text: (name, version, url) =>
      `Olá, ${name}!\n\nO WhatsApp não aceita mais a versão ${version} com que as linhas de telefone vinculado se conectam. O Recado procurou uma mais nova e tentou de novo, sem sucesso. Enquanto isso essas linhas não enviam nem recebem; nada se perde.\n\nO que fazer:\n1. Atualize o Recado no servidor.\n2. Se não houver atualização, entre em ${url}, procure «Versão do WhatsApp Web», teste uma mais nova e fixe-a.\n\nAs linhas continuam tentando e se conectam sozinhas assim que o WhatsApp as aceitar.\n`,
  },
  invite: {
    subject: (company) => `${company} convida você para o Recado`,
    text: (name, company, url) =>
      `Olá, ${name}!\n\n${company} atende seus clientes com o Recado e criou uma conta para você. Escolha sua senha aqui:\n\n${url}\n\nO link vale por 7 dias e uma única vez. Se não funcionar mais, peça outro a quem administra sua empresa.\n`,
  },
}
const en: typeof es = {
  accountExists: {
    subject: 'You already have a Recado account',
    text: (name, url) =>
      `Hi ${name},\n\nSomeone tried to sign up a company with this email, which already has an account. If it was you, log in here:\n\n${url}/login\n\nForgot your password? You can request a code to change it on that page. If it wasn't you, you don't need to do anything.\n`,
  },
  reset: {
    subject: 'Your password reset code',
    text: (name, code) =>
      `Hi ${name},\n\nYour code is ${code}. It's valid for 15 minutes and can be used once.\n\nIf you didn't request it, ignore this message: your password hasn't changed.\n`,
  },
  paymentDue: {
    subject: (company, days) =>
      days > 0
        ? `${company}: your subscription expires in ${days} ${days === 1 ? 'day' : 'days'}`
        : `${company}: your subscription has expired`,
    text: ({ name, company, days, day, value, url, graceDays: grace }) =>
      `Hi ${name},\n\n${company}'s subscription ${days > 0 ? `expires on ${day}` : `expired on ${day}`}. Amount due: ${value}.\n\nPay here:\n\n${url}\n\n${
        days > 0
          ? 'If you have already paid, you can ignore this message.'
          : grace + days >= 0 && grace
            ? `Everything keeps working for up to ${grace} days after that date.`
            : 'Messages from your customers are saved and will be there when you pay.'
      }\n`,
  },
  backup: {
    subject: "Tonight's backup failed",
    text: (name, why) =>
      `Hi ${name},\n\nTonight's backup didn't run:\n\n${why}\n\nEarlier backups are still in place. The next attempt is tomorrow; or run npm run backup.\n`,
  },
  versionRefused: {
    subject: 'WhatsApp requires a newer version',
    text: (name, version, url) =>
      `Hi ${name},\n\nWhatsApp no longer accepts version ${version}, which linked lines use to connect. Recado looked up a newer one and tried again without success. Until this is solved these lines don't send or receive; nothing is lost.\n\nWhat to do:\n1. Update Recado on the server.\n2. If there is no update, go to ${url}, find “WhatsApp Web version”, test a newer one and pin it.\n\nThe lines keep trying and connect on their own as soon as WhatsApp accepts them.\n`,
  },
  invite: {
    subject: (company) => `${company} has invited you to Recado`,
    text: (name, company, url) =>
      `Hi ${name},\n\n${company} uses Recado to reply to its customers and has created an account for you. Choose your password here:\n\n${url}\n\nThe link is valid for 7 days and can be used once. If it no longer works, ask your company's admin for another one.\n`,
  },
}
export type MailTexts = typeof es
const textsByLanguage: Record<Language, MailTexts> = { es, pt, en }

export const mailTextsFor = (language: Language | null) => textsByLanguage[language ?? 'es']
