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
      `Hola, ${name}:\n\nAlguien quiso abrir una empresa con este correo, que ya tiene una cuenta. Si fuiste tú, entra aquí:\n\n${url}/login\n\n¿No recuerdas tu contraseña? En esa página puedes pedir un código para cambiarla. Si no fuiste tú, no hace falta que hagas nada.\n`,
  },
  reset: {
    subject: 'Tu código para cambiar la contraseña',
    text: (name: string, code: string) =>
      `Hola, ${name}:\n\nTu código es ${code}. Sirve durante 15 minutos y una sola vez.\n\nSi no lo pediste, ignora este mensaje: tu contraseña sigue igual.\n`,
  },
  paymentDue: {
    subject: (company: string, days: number) =>
      days > 0
        ? `${company}: la suscripción vence en ${days} ${days === 1 ? 'día' : 'días'}`
        : `${company}: la suscripción venció`,
    text: ({ name, company, days, day, value, url, graceDays: grace }: DueMailFacts) =>
      `Hola, ${name}:\n\nLa suscripción de ${company} ${days > 0 ? `vence el ${day}` : `venció el ${day}`}. Faltan ${value} para seguir.\n\nPágala aquí:\n\n${url}\n\n${
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
  invite: {
    subject: (company: string) => `${company} te invita a Recado`,
    text: (name: string, company: string, url: string) =>
      `Hola, ${name}:\n\n${company} atiende a sus clientes con Recado y te hizo una cuenta. Elige tu contraseña aquí:\n\n${url}\n\nEl enlace sirve durante 7 días y una sola vez. Si ya no sirve, pide otro a quien administra tu empresa.\n`,
  },
}
const pt: typeof es = {
  accountExists: {
    subject: 'Você já tem uma conta no Recado',
    text: (name, url) =>
      `Olá, ${name}:\n\nAlguém quis abrir uma empresa com este e-mail, que já tem uma conta. Se foi você, entre aqui:\n\n${url}/login\n\nNão lembra da senha? Nessa página você pode pedir um código para trocá-la. Se não foi você, não precisa fazer nada.\n`,
  },
  reset: {
    subject: 'Seu código para trocar a senha',
    text: (name, code) =>
      `Olá, ${name}:\n\nSeu código é ${code}. Ele vale por 15 minutos e uma única vez.\n\nSe você não pediu, ignore esta mensagem: sua senha continua a mesma.\n`,
  },
  paymentDue: {
    subject: (company, days) =>
      days > 0
        ? `${company}: a assinatura vence em ${days} ${days === 1 ? 'dia' : 'dias'}`
        : `${company}: a assinatura venceu`,
    text: ({ name, company, days, day, value, url, graceDays: grace }) =>
      `Olá, ${name}:\n\nA assinatura de ${company} ${days > 0 ? `vence em ${day}` : `venceu em ${day}`}. Faltam ${value} para continuar.\n\nPague aqui:\n\n${url}\n\n${
        days > 0
          ? 'Se você já pagou, não precisa fazer nada.'
          : grace + days >= 0 && grace
            ? `Tudo continua funcionando até ${grace} dias depois dessa data.`
            : 'O que seus clientes escrevem fica guardado e estará lá quando você pagar.'
      }\n`,
  },
  backup: {
    subject: 'A cópia de segurança desta noite falhou',
    text: (name, why) =>
      `Olá, ${name}:\n\nA cópia de segurança desta noite não foi feita:\n\n${why}\n\nAs anteriores continuam onde estavam. A próxima será tentada amanhã; ou execute npm run backup.\n`,
  },
  invite: {
    subject: (company) => `${company} convida você para o Recado`,
    text: (name, company, url) =>
      `Olá, ${name}:\n\n${company} atende seus clientes com o Recado e criou uma conta para você. Escolha sua senha aqui:\n\n${url}\n\nO link vale por 7 dias e uma única vez. Se não funcionar mais, peça outro a quem administra sua empresa.\n`,
  },
}
const en: typeof es = {
  accountExists: {
    subject: 'You already have an account with Recado',
    text: (name, url) =>
      `Hello ${name},\n\nSomebody wanted to open a company with this e-mail, which already has an account. If it was you, log in here:\n\n${url}/login\n\nForgot your password? On that page you can ask for a code to change it. If it was not you, there is nothing to do.\n`,
  },
  reset: {
    subject: 'Your code to change the password',
    text: (name, code) =>
      `Hello ${name},\n\nYour code is ${code}. It works for 15 minutes and only once.\n\nIf you did not ask for it, ignore this message: your password stays as it is.\n`,
  },
  paymentDue: {
    subject: (company, days) =>
      days > 0
        ? `${company}: the subscription ends in ${days} ${days === 1 ? 'day' : 'days'}`
        : `${company}: the subscription has ended`,
    text: ({ name, company, days, day, value, url, graceDays: grace }) =>
      `Hello ${name},\n\nThe subscription of ${company} ${days > 0 ? `ends on ${day}` : `ended on ${day}`}. ${value} are to be paid to go on.\n\nPay here:\n\n${url}\n\n${
        days > 0
          ? 'If you have paid already, there is nothing to do.'
          : grace + days >= 0 && grace
            ? `Everything goes on working up to ${grace} days after that date.`
            : 'What your customers write is kept, and will be there when you pay.'
      }\n`,
  },
  backup: {
    subject: "Tonight's backup failed",
    text: (name, why) =>
      `Hello ${name},\n\nTonight's backup was not made:\n\n${why}\n\nThe earlier ones are where they were. The next is tried tomorrow; or run npm run backup.\n`,
  },
  invite: {
    subject: (company) => `${company} invites you to Recado`,
    text: (name, company, url) =>
      `Hello ${name},\n\n${company} answers its customers with Recado and made you an account. Choose your password here:\n\n${url}\n\nThe link works for 7 days and only once. If it no longer works, ask whoever manages your company for another one.\n`,
  },
}
export type MailTexts = typeof es
const textsByLanguage: Record<Language, MailTexts> = { es, pt, en }

export const mailTextsFor = (language: Language | null) => textsByLanguage[language ?? 'es']
