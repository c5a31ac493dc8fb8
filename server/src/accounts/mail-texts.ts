import type { Language } from '@recado/contract/users'

/** What the house writes to its people by mail, in the three languages. Spanish is the shape: a missing one does not compile. */
const es = {
  reset: {
    subject: 'Tu código para cambiar la contraseña',
    text: (name: string, code: string) =>
      `Hola, ${name}:\n\nTu código es ${code}. Sirve durante 15 minutos y una sola vez.\n\nSi no lo pediste, ignora este mensaje: tu contraseña sigue igual.\n`,
  },
  invite: {
    subject: 'Tu cuenta en Recado está lista',
    text: (name: string, code: string, url: string) =>
      `Hola, ${name}:\n\nTu cuenta está lista. Elige tu contraseña en ${url}/forgetpsw con este código: ${code}\n\nEl código sirve durante 15 minutos; en esa misma página puedes pedir otro.\n`,
  },
}
const pt: typeof es = {
  reset: {
    subject: 'Seu código para trocar a senha',
    text: (name, code) =>
      `Olá, ${name}:\n\nSeu código é ${code}. Ele vale por 15 minutos e uma única vez.\n\nSe você não pediu, ignore esta mensagem: sua senha continua a mesma.\n`,
  },
  invite: {
    subject: 'Sua conta no Recado está pronta',
    text: (name, code, url) =>
      `Olá, ${name}:\n\nSua conta está pronta. Escolha sua senha em ${url}/forgetpsw com este código: ${code}\n\nO código vale por 15 minutos; na mesma página você pode pedir outro.\n`,
  },
}
const en: typeof es = {
  reset: {
    subject: 'Your code to change the password',
    text: (name, code) =>
      `Hello ${name},\n\nYour code is ${code}. It works for 15 minutes and only once.\n\nIf you did not ask for it, ignore this message: your password stays as it is.\n`,
  },
  invite: {
    subject: 'Your Recado account is ready',
    text: (name, code, url) =>
      `Hello ${name},\n\nYour account is ready. Choose your password at ${url}/forgetpsw with this code: ${code}\n\nThe code works for 15 minutes; the same page sends you another one.\n`,
  },
}
const all: Record<Language, typeof es> = { es, pt, en }

export const texts = (language: Language | null) => all[language ?? 'es']
