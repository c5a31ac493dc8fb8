import type { Language } from '@recado/contract/users'

/** What the house writes to its people by mail, in the three languages. Spanish is the shape: a missing one does not compile. */
const es = {
  reset: {
    subject: 'Tu código para cambiar la contraseña',
    text: (name: string, code: string) =>
      `Hola, ${name}:\n\nTu código es ${code}. Sirve durante 15 minutos y una sola vez.\n\nSi no lo pediste, ignora este mensaje: tu contraseña sigue igual.\n`,
  },
  invite: {
    subject: (company: string) => `${company} te invita a Recado`,
    text: (name: string, company: string, url: string) =>
      `Hola, ${name}:\n\n${company} atiende a sus clientes con Recado y te hizo una cuenta. Elige tu contraseña aquí:\n\n${url}\n\nEl enlace sirve durante 7 días y una sola vez. Si ya no sirve, pide otro a quien administra tu empresa.\n`,
  },
}
const pt: typeof es = {
  reset: {
    subject: 'Seu código para trocar a senha',
    text: (name, code) =>
      `Olá, ${name}:\n\nSeu código é ${code}. Ele vale por 15 minutos e uma única vez.\n\nSe você não pediu, ignore esta mensagem: sua senha continua a mesma.\n`,
  },
  invite: {
    subject: (company) => `${company} convida você para o Recado`,
    text: (name, company, url) =>
      `Olá, ${name}:\n\n${company} atende seus clientes com o Recado e criou uma conta para você. Escolha sua senha aqui:\n\n${url}\n\nO link vale por 7 dias e uma única vez. Se não funcionar mais, peça outro a quem administra sua empresa.\n`,
  },
}
const en: typeof es = {
  reset: {
    subject: 'Your code to change the password',
    text: (name, code) =>
      `Hello ${name},\n\nYour code is ${code}. It works for 15 minutes and only once.\n\nIf you did not ask for it, ignore this message: your password stays as it is.\n`,
  },
  invite: {
    subject: (company) => `${company} invites you to Recado`,
    text: (name, company, url) =>
      `Hello ${name},\n\n${company} answers its customers with Recado and made you an account. Choose your password here:\n\n${url}\n\nThe link works for 7 days and only once. If it no longer works, ask whoever manages your company for another one.\n`,
  },
}
export type MailTexts = typeof es
const all: Record<Language, MailTexts> = { es, pt, en }

export const texts = (language: Language | null) => all[language ?? 'es']
