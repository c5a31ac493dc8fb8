import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: (name: string) => `Hola, ${name}`,
    line: (company: string) => `${company} te espera en Recado. Elige tu contraseña.`,
    email: 'Correo',
    password: 'Contraseña',
    enter: 'Entrar',
    over: 'Esta invitación no sirve',
    toLogin: '¿Ya elegiste tu contraseña?',
    login: 'Entrar',
  },
  pt: {
    title: (name) => `Olá, ${name}`,
    line: (company) => `${company} espera você no Recado. Escolha sua senha.`,
    email: 'E-mail',
    password: 'Senha',
    enter: 'Entrar',
    over: 'Este convite não serve',
    toLogin: 'Já escolheu sua senha?',
    login: 'Entrar',
  },
  en: {
    title: (name) => `Hello, ${name}`,
    line: (company) => `${company} is waiting for you at Recado. Choose your password.`,
    email: 'E-mail',
    password: 'Password',
    enter: 'Log in',
    over: 'This invitation does not work',
    toLogin: 'Already chose your password?',
    login: 'Log in',
  },
})
