import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: (name: string) => `Hola, ${name}`,
    line: (company: string) => `${company} te espera en Recado. Elige tu contraseña.`,
    email: 'Correo',
    password: 'Contraseña',
    enter: 'Entrar',
    over: 'Esta invitación ya no es válida',
    toLogin: '¿Ya elegiste tu contraseña?',
    login: 'Entrar',
  },
  pt: {
    title: (name) => `Olá, ${name}`,
    line: (company) => `${company} espera você no Recado. Escolha sua senha.`,
    email: 'E-mail',
    password: 'Senha',
    enter: 'Entrar',
    over: 'Este convite não é mais válido',
    toLogin: 'Já escolheu sua senha?',
    login: 'Entrar',
  },
  en: {
    title: (name) => `Hi, ${name}`,
    line: (company) => `${company} is expecting you on Recado. Choose your password.`,
    email: 'Email',
    password: 'Password',
    enter: 'Log in',
    over: 'This invitation is no longer valid',
    toLogin: 'Already chose your password?',
    login: 'Log in',
  },
})
