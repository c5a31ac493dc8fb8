import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'Tu perfil',
    saved: 'Perfil guardado',
    password: 'Nueva contraseña',
    passwordHelp: 'Déjala vacía para no cambiarla. Si la cambias, tendrás que entrar otra vez.',
  },
  pt: {
    title: 'Seu perfil',
    saved: 'Perfil salvo',
    password: 'Nova senha',
    passwordHelp: 'Deixe vazia para não mudar. Se mudar, você terá que entrar de novo.',
  },
  en: {
    title: 'Your profile',
    saved: 'Profile saved',
    password: 'New password',
    passwordHelp: 'Leave it empty to keep it. If you change it, you will have to log in again.',
  },
})
